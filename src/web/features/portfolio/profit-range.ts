/** The time ranges over which profits are counted. */
const DAY_MS = 86_400_000;
const MINUTE_MS = 60_000;

export const PROFIT_RANGES = [
  { value: "all", label: "All time", spanMs: Number.POSITIVE_INFINITY },
  { value: "1d", label: "24 hours", spanMs: DAY_MS },
  { value: "7d", label: "7 days", spanMs: 7 * DAY_MS },
  { value: "30d", label: "30 days", spanMs: 30 * DAY_MS },
  { value: "365d", label: "365 days", spanMs: 365 * DAY_MS },
] as const;
export type ProfitRange = (typeof PROFIT_RANGES)[number]["value"];

/**
 * Start of a range that ends now, in milliseconds since 1970; a whole minute, so that the query key
 * stays the same for a while.
 */
export function startOfRange(range: ProfitRange, nowMs: number): number {
  const span = PROFIT_RANGES.find(({ value }) => value === range)?.spanMs ?? nowMs;
  return Math.max(0, Math.floor((nowMs - span) / MINUTE_MS) * MINUTE_MS);
}
