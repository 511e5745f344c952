/**
 * For pages that read their address when they are shown: what a route checks by itself is part of
 * what every page loads.
 */
export function unreadSearch(given: Record<string, unknown>): Record<string, unknown> {
  return given;
}
