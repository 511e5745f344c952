/**
 * Defines which texts describe the form of a network's addresses: regular expressions of literal
 * characters and character classes with bounded repeats, so that no pattern makes matching a long
 * address slow.
 */
const ATOM = /\[[A-Za-z0-9-]{1,40}\](?:\{\d{1,3}(?:,\d{1,3})?\})?|[A-Za-z0-9 :._-]/y;
/** Repeats per pattern: matching may backtrack over every length of each earlier repeat. */
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
    // A character range in descending order.
    return false;
  }
}

/**
 * Whether an address matches the pattern; every address does if there is none.
 * @param pattern accepted by `isAddressPattern`
 */
export function fitsPattern(address: string, pattern: string | undefined): boolean {
  return pattern === undefined || new RegExp(`^(?:${pattern})$`).test(address);
}
