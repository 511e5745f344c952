/** Months in page URLs, such as "2026-11", which begin in UTC. */

/** Parses a month of a page URL; undefined unless it has the form YYYY-MM. */
export function parseMonth(given: unknown): string | undefined {
  return typeof given === "string" && /^\d{4}-(0[1-9]|1[0-2])$/.test(given) ? given : undefined;
}

export function nameOfMonth(monthMs: number): string {
  return new Date(monthMs).toISOString().slice(0, "2026-11".length);
}
