/** Price alerts, as their owner sees them. */
import { groupThousands, trimDecimal } from "./decimal.ts";
import type { Decimal } from "./types.ts";

/** The windows, in minutes, within which a price must change. */
export const ALERT_WINDOWS = [5, 15, 60, 240, 1_440] as const;
export type AlertWindow = (typeof ALERT_WINDOWS)[number];

export type AlertCondition =
  /** Met when the last price crosses this price, from either side. */
  | { kind: "price"; price: Decimal }
  /**
   * Met when the last price is this percentage above its lowest or below its highest price of the
   * window.
   */
  | { kind: "change"; percent: Decimal; windowMinutes: number };

export interface PriceAlert {
  alertId: string;
  market: string;
  condition: AlertCondition;
  /** Whether the alert fires every time, with a pause after each; otherwise it fires once. */
  repeats: boolean;
  /** A "fired" alert does not repeat and is over. */
  status: "active" | "paused" | "fired";
  createdAt: number;
  /** When the alert last fired; null if never. */
  firedAt: number | null;
}

export interface PriceAlerts {
  /** The caller's alerts, newest first. */
  alerts: PriceAlert[];
  /** How many alerts one user may have. */
  alertsMax: number;
}

const WINDOW_WORDS: Readonly<Record<AlertWindow, string>> = {
  5: "5 min",
  15: "15 min",
  60: "1 h",
  240: "4 h",
  1_440: "24 h",
};

/** Prints a window: "15 min", "24 h". */
export function windowWords(minutes: number): string {
  return WINDOW_WORDS[minutes as AlertWindow] ?? `${minutes} min`;
}

/** Prints a condition: "Crosses 65,000.00", "Changes by 2.5 % within 15 min". */
export function conditionWords(
  condition: AlertCondition,
  print: (value: Decimal) => string = groupThousands,
): string {
  return condition.kind === "price"
    ? `Crosses ${print(condition.price)}`
    : `Changes by ${print(trimDecimal(condition.percent))} % within ${windowWords(condition.windowMinutes)}`;
}
