/** The viewer's chart preferences, stored in this browser by user. */
import { useCallback, useSyncExternalStore } from "react";
import type { CandleInterval } from "#contract/types.ts";
import { DEFAULT_INTERVAL, isInterval } from "./intervals.ts";
import {
  type ChosenIndicator,
  INITIAL_INDICATORS,
  parseChosenIndicator,
  withDefaults,
} from "./indicators/indicator-names.ts";

export const CHART_TYPES = ["candles", "hollow", "bars", "line", "area", "heikinAshi"] as const;
export type ChartType = (typeof CHART_TYPES)[number];
export const SCALES = ["linear", "logarithmic", "percent"] as const;
export type Scale = (typeof SCALES)[number];

export interface ChartPreferences {
  readonly interval: CandleInterval;
  readonly type: ChartType;
  readonly scale: Scale;
  readonly indicators: readonly ChosenIndicator[];
  /** Whether dragging an order's line asks for confirmation before the order is amended. */
  readonly asksBeforeAmending: boolean;
}

export const DEFAULT_PREFERENCES: ChartPreferences = {
  interval: DEFAULT_INTERVAL,
  type: "candles",
  scale: "linear",
  indicators: INITIAL_INDICATORS.map(withDefaults),
  asksBeforeAmending: true,
};

/** Parses stored preferences; invalid parts are replaced by the defaults. */
export function parsePreferences(text: string | null): ChartPreferences {
  let stored: unknown;
  try {
    stored = JSON.parse(text ?? "null");
  } catch {
    // Not JSON, so another program's text under our key: use the defaults.
    return DEFAULT_PREFERENCES;
  }
  if (typeof stored !== "object" || stored === null) return DEFAULT_PREFERENCES;
  const { interval, type, scale, indicators, asksBeforeAmending } = stored as Record<
    string,
    unknown
  >;
  return {
    interval: isInterval(interval) ? interval : DEFAULT_PREFERENCES.interval,
    type: CHART_TYPES.find((each) => each === type) ?? DEFAULT_PREFERENCES.type,
    scale: SCALES.find((each) => each === scale) ?? DEFAULT_PREFERENCES.scale,
    indicators: Array.isArray(indicators)
      ? parseIndicators(indicators)
      : DEFAULT_PREFERENCES.indicators,
    asksBeforeAmending: asksBeforeAmending !== false,
  };
}

function parseIndicators(stored: readonly unknown[]): readonly ChosenIndicator[] {
  const byName = new Map(
    stored
      .map(parseChosenIndicator)
      .filter((indicator) => indicator !== null)
      .map((indicator) => [indicator.name, indicator]),
  );
  return [...byName.values()];
}

const kept = new Map<string, ChartPreferences>();
const listeners = new Set<() => void>();

function storageKey(userId: string | null): string {
  return userId === null ? "openbell.trade.chart" : `openbell.trade.chart.${userId}`;
}

/** A user's preferences; if none are stored, those that were set in this browser before signing in. */
function preferencesOf(userId: string | null): ChartPreferences {
  const key = storageKey(userId);
  let preferences = kept.get(key);
  if (preferences === undefined) {
    preferences = parsePreferences(
      localStorage.getItem(key) ?? localStorage.getItem(storageKey(null)),
    );
    kept.set(key, preferences);
  }
  return preferences;
}

export function savePreferences(userId: string | null, preferences: ChartPreferences): void {
  kept.set(storageKey(userId), preferences);
  localStorage.setItem(storageKey(userId), JSON.stringify(preferences));
  for (const listener of listeners) listener();
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener);
  return () => listeners.delete(listener);
}

/** The user's preferences; null on the server, which cannot read the browser's storage. */
export function usePreferences(userId: string | null): ChartPreferences | null {
  return useSyncExternalStore(
    subscribe,
    useCallback(() => preferencesOf(userId), [userId]),
    () => null,
  );
}
