/** Months in addresses, "2026-11", and the moments at which they begin, in UTC. */

/** Undefined unless it is one of the account's months. */
export function readMonth(given: unknown): string | undefined {
  return typeof given === "string" && /^\d{4}-(0[1-9]|1[0-2])$/.test(given) ? given : undefined;
}

export function nameOfMonth(monthMs: number): string {
  return new Date(monthMs).toISOString().slice(0, "2026-11".length);
}
