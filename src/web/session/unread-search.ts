/**
 * For pages that parse their search parameters when shown: a route's own validation is part of what
 * every page loads.
 */
export function unreadSearch(given: Record<string, unknown>): Record<string, unknown> {
  return given;
}
