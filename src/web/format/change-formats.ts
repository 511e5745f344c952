import { type Formats, formatsCookie } from "#contract/formats.ts";
import { currentFormats, followFormats } from "./formats.ts";

/** In the browser: pages print so from the next time that they print. */
export function changeFormats(change: Partial<Formats>): void {
  const formats = { ...currentFormats(), ...change };
  document.cookie = formatsCookie(formats);
  followFormats(() => formats);
}
