/**
 * Passes search parameters through unparsed, for pages that parse them when shown: a route's own
 * validation would be part of the code that every page loads.
 */
export function unreadSearch(given: Record<string, unknown>): Record<string, unknown> {
  return given;
}
