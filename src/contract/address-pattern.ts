/**
 * What addresses of a network look like: a regular expression of literal characters and classes with
 * bounded repeats and nothing else, so that no pattern makes the check of a long address slow.
 */
const ATOM = /\[[A-Za-z0-9-]{1,40}\](?:\{\d{1,3}(?:,\d{1,3})?\})?|[A-Za-z0-9 :._-]/y;
/** Each may look at an address anew for every length that the one before can have. */
const REPEATS_MAX = 3;

export function isAddressPattern(pattern: string): boolean {
  ATOM.lastIndex = 0;
  let at = 0;
  let repeats = 0;
  while (at < pattern.length) {
    const atom = ATOM.exec(pattern)?.[0];
    if (atom === undefined) return false;
    if (atom.endsWith("}")) repeats++;
    at += atom.length;
    ATOM.lastIndex = at;
  }
  if (pattern === "" || repeats > REPEATS_MAX) return false;
  try {
    return new RegExp(pattern) instanceof RegExp;
  } catch {
    // A range that is the wrong way around.
    return false;
  }
}

/** @param pattern that `isAddressPattern` accepts; without one, every address fits */
export function fitsPattern(address: string, pattern: string | undefined): boolean {
  return pattern === undefined || new RegExp(`^(?:${pattern})$`).test(address);
}
