/** A price alert of a user, and what it tells when it fires. Prices are in ticks of its market. */

export interface PriceAlert {
  readonly id: string;
  readonly userId: string;
  readonly marketId: number;
  /** The price that must be crossed; 0 for an alert on a change. */
  readonly priceTicks: number;
  /** How much the price must change within the window, in basis points; 0 for one on a price. */
  readonly changeBps: number;
  readonly windowMinutes: number;
  /** Fires every time, with a pause after each; otherwise once. */
  readonly repeats: boolean;
  readonly createdAtMs: number;
  status: "active" | "paused" | "fired";
  /** What an alert on a price waits for: a rise or a fall to it. */
  direction: "rise" | "fall";
  /** After firing: evaluated again from then on, on the side on which the price is then. 0 if none. */
  quietUntilMs: number;
  /** The last time, 0 if never. */
  firedAtMs: number;
}

export interface Firing {
  readonly id: string;
  readonly userId: string;
  readonly alertId: string;
  readonly atMs: number;
  readonly marketId: number;
  /** Of the trade that it fired on. */
  readonly priceTicks: number;
  /** Of a change: the price that it is counted from; else 0. */
  readonly fromTicks: number;
  /** The price that was crossed; 0 for a change. */
  readonly targetTicks: number;
  readonly windowMinutes: number;
  readonly direction: "rise" | "fall";
}

/** A repeating alert on a price fires at most once in this time. */
const PAUSE_MS = 60_000;
const MINUTE_MS = 60_000;

export function isOnPrice({ priceTicks }: PriceAlert): boolean {
  return priceTicks > 0;
}

/** How long a repeating alert rests after it fired: one on a change for its whole window. */
export function pauseMsOf({ windowMinutes }: PriceAlert): number {
  return windowMinutes === 0 ? PAUSE_MS : windowMinutes * MINUTE_MS;
}
