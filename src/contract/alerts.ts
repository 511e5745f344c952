/** Price alerts, as their owner sees them. */
import { groupThousands, trimDecimal } from "./decimal.ts";
import type { Decimal } from "./types.ts";

/** The time within which a price must change, in minutes. */
export const ALERT_WINDOWS = [5, 15, 60, 240, 1_440] as const;
export type AlertWindow = (typeof ALERT_WINDOWS)[number];

export type AlertCondition =
  /** The last price crosses this one, from either side. */
  | { kind: "price"; price: Decimal }
  /** It is that much above its lowest or below its highest price within the last minutes. */
  | { kind: "change"; percent: Decimal; windowMinutes: number };

export interface PriceAlert {
  alertId: string;
  market: string;
  condition: AlertCondition;
  /** Fires every time, with a pause after each; otherwise once. */
  repeats: boolean;
  /** "fired" is over: it fired, and does not repeat. */
  status: "active" | "paused" | "fired";
  createdAt: number;
  /** The last time; null if never. */
  firedAt: number | null;
}

export interface PriceAlerts {
  /** Newest first. */
  alerts: PriceAlert[];
  /** How many one user may have. */
  alertsMax: number;
}

const WINDOW_WORDS: Readonly<Record<AlertWindow, string>> = {
  5: "5 min",
  15: "15 min",
  60: "1 h",
  240: "4 h",
  1_440: "24 h",
};

/** "15 min", "24 h". */
export function windowWords(minutes: number): string {
  return WINDOW_WORDS[minutes as AlertWindow] ?? `${minutes} min`;
}

/** "Crosses 65,000.00", "Changes by 2.5 % within 15 min". */
export function conditionWords(
  condition: AlertCondition,
  print: (value: Decimal) => string = groupThousands,
): string {
  return condition.kind === "price"
    ? `Crosses ${print(condition.price)}`
    : `Changes by ${print(trimDecimal(condition.percent))} % within ${windowWords(condition.windowMinutes)}`;
}
