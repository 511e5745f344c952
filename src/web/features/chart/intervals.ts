import { CANDLE_INTERVALS, type CandleInterval } from "#contract/types.ts";
import type { Period } from "klinecharts";

/** Intervals with a button of their own; the others are in a menu. */
export const COMMON_INTERVALS: readonly CandleInterval[] = [
  "1m",
  "5m",
  "15m",
  "1h",
  "4h",
  "1d",
  "1w",
];
export const DEFAULT_INTERVAL: CandleInterval = "15m";

const UNITS = {
  s: { type: "second", name: "second" },
  m: { type: "minute", name: "minute" },
  h: { type: "hour", name: "hour" },
  d: { type: "day", name: "day" },
  w: { type: "week", name: "week" },
  M: { type: "month", name: "month" },
} as const;

function partsOf(interval: CandleInterval) {
  const unit = interval.at(-1) as keyof typeof UNITS;
  return { span: Number(interval.slice(0, -1)), unit: UNITS[unit] };
}

export function periodOf(interval: CandleInterval): Period {
  const { span, unit } = partsOf(interval);
  return { type: unit.type, span };
}

/** The interval's name for screen readers: "15 minutes". */
export function intervalName(interval: CandleInterval): string {
  const { span, unit } = partsOf(interval);
  return `${span} ${unit.name}${span === 1 ? "" : "s"}`;
}

export function isInterval(value: unknown): value is CandleInterval {
  return (CANDLE_INTERVALS as readonly unknown[]).includes(value);
}
