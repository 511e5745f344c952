/** A new price alert that some part of the page asks for: the notification centre opens for it. */
import { useSyncExternalStore } from "react";

let market: string | null = null;
const listeners = new Set<() => void>();

function set(next: string | null): void {
  market = next;
  for (const listener of listeners) listener();
}

/** @param symbol the market to be watched */
export function wantAlert(symbol: string): void {
  set(symbol);
}

/** The notification centre was closed. */
export function forgetWantedAlert(): void {
  set(null);
}

/** The market for which an alert is wanted; null if none is. */
export function useWantedAlert(): string | null {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    () => market,
    () => null,
  );
}
