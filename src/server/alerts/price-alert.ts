/** The rules by which price alerts fire. */
import type { PriceAlert } from "../records/price-alerts.ts";

/** A repeating alert on a price fires at most once in this time. */
const PAUSE_MS = 60_000;
const MINUTE_MS = 60_000;

export function isOnPrice({ priceTicks }: PriceAlert): boolean {
  return priceTicks > 0;
}

/**
 * How long a repeating alert pauses after it has fired; an alert on a change pauses for its full
 * window.
 */
export function pauseMsOf({ windowMinutes }: PriceAlert): number {
  return windowMinutes === 0 ? PAUSE_MS : windowMinutes * MINUTE_MS;
}
