/**
 * The number and date formats in effect. The browser has one viewer; the server renders for many at
 * once, so it looks up the formats of the page being rendered each time.
 */
import { DEFAULT_FORMATS, type Formats, parseFormats } from "#contract/formats.ts";

let source: () => Formats = () => DEFAULT_FORMATS;

export function currentFormats(): Formats {
  return source();
}

/**
 * Sets how the formats in effect are found.
 * @param now returns the formats of the page that is being rendered
 */
export function followFormats(now: () => Formats): void {
  source = now;
}

/** In the browser, applies the formats with which the server rendered the page. */
export function applyFormats(): void {
  const formats = parseFormats(document.cookie);
  source = () => formats;
}
