/** The time ranges of the equity curve. */
const DAY_MS = 86_400_000;

export const RANGES = [
  { range: "1d", label: "1D", name: "1 day", spanMs: DAY_MS },
  { range: "1w", label: "1W", name: "1 week", spanMs: 7 * DAY_MS },
  { range: "1m", label: "1M", name: "30 days", spanMs: 30 * DAY_MS },
  { range: "3m", label: "3M", name: "90 days", spanMs: 90 * DAY_MS },
  { range: "all", label: "All", name: "the whole time", spanMs: Number.POSITIVE_INFINITY },
] as const;
export type EquityRange = (typeof RANGES)[number]["range"];

interface Point {
  readonly time: number;
  readonly equity: number;
}

/**
 * The points of the curve within the range, which ends at the newest point; all points if the range
 * has fewer than two.
 */
export function pointsIn(curve: readonly Point[], range: EquityRange): readonly Point[] {
  const span = RANGES.find((each) => each.range === range)?.spanMs ?? Number.POSITIVE_INFINITY;
  const newest = curve.at(-1)?.time ?? 0;
  const inRange = curve.filter(({ time }) => newest - time <= span);
  return inRange.length < 2 ? curve : inRange;
}
