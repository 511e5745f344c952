import { type Formats, formatsCookie } from "#contract/formats.ts";
import { currentFormats, followFormats } from "./formats.ts";

/**
 * Changes the viewer's formats in the browser; text that is already on the page changes at its next
 * rendering.
 */
export function changeFormats(change: Partial<Formats>): void {
  const formats = { ...currentFormats(), ...change };
  document.cookie = formatsCookie(formats);
  followFormats(() => formats);
}
