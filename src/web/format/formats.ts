/**
 * The formats in which everything is printed now. The browser has one viewer; the server renders for
 * many at once, so that it asks whose page is being rendered each time.
 */
import { DEFAULT_FORMATS, type Formats, readFormats } from "#contract/formats.ts";

let source: () => Formats = () => DEFAULT_FORMATS;

export function currentFormats(): Formats {
  return source();
}

/** @param now the formats of the page that is being rendered */
export function followFormats(now: () => Formats): void {
  source = now;
}

/** In the browser: those with which the server rendered the page. */
export function applyFormats(): void {
  const formats = readFormats(document.cookie);
  source = () => formats;
}
