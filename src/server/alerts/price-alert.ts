/** The rules by which price alerts fire. */
import type { PriceAlert } from "../records/price-alerts.ts";

/** A repeating alert on a price fires at most once in this time. */
const QUIET_MS = 60_000;
const MINUTE_MS = 60_000;

export function isOnPrice({ priceTicks }: PriceAlert): boolean {
  return priceTicks > 0;
}

/**
 * How long a repeating alert is quiet after it has fired: for an alert on a change, its full
 * window.
 */
export function quietMsOf({ windowMinutes }: PriceAlert): number {
  return windowMinutes === 0 ? QUIET_MS : windowMinutes * MINUTE_MS;
}
