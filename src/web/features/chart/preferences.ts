import { useSyncExternalStore } from "react";
import type { CandleInterval } from "#contract/types.ts";
import { DEFAULT_INTERVAL, isInterval } from "./intervals.ts";

export const INDICATORS = ["VOL", "MA", "EMA", "BOLL", "MACD", "RSI"] as const;
export type IndicatorName = (typeof INDICATORS)[number];

export const INDICATOR_LABELS: Record<IndicatorName, string> = {
  VOL: "Volume",
  MA: "Moving average (MA)",
  EMA: "Exponential average (EMA)",
  BOLL: "Bollinger bands",
  MACD: "MACD",
  RSI: "RSI",
};

export interface ChartPreferences {
  readonly interval: CandleInterval;
  readonly indicators: readonly IndicatorName[];
}

export const DEFAULT_PREFERENCES: ChartPreferences = {
  interval: DEFAULT_INTERVAL,
  indicators: ["VOL", "MA"],
};

const STORAGE_KEY = "openbell.trade.chart";

/** The stored preferences, as far as they are valid. */
export function readPreferences(text: string | null): ChartPreferences {
  let kept: unknown;
  try {
    kept = JSON.parse(text ?? "null");
  } catch {
    // Another program's text under our key: use the defaults.
    return DEFAULT_PREFERENCES;
  }
  if (typeof kept !== "object" || kept === null) return DEFAULT_PREFERENCES;
  const interval =
    "interval" in kept && isInterval(kept.interval) ? kept.interval : DEFAULT_INTERVAL;
  const names = "indicators" in kept && Array.isArray(kept.indicators) ? kept.indicators : null;
  return {
    interval,
    indicators:
      names === null
        ? DEFAULT_PREFERENCES.indicators
        : INDICATORS.filter((name) => names.includes(name)),
  };
}

let kept: ChartPreferences | null = null;
const listeners = new Set<() => void>();

export function savePreferences(preferences: ChartPreferences): void {
  kept = preferences;
  localStorage.setItem(STORAGE_KEY, JSON.stringify(preferences));
  for (const listener of listeners) listener();
}

/** null on the server, which cannot read the browser's storage. */
export function usePreferences(): ChartPreferences | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => (kept ??= readPreferences(localStorage.getItem(STORAGE_KEY))),
    () => null,
  );
}
