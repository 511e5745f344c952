/** A request by some part of the page to create a price alert; the notification centre opens for it. */
import { useSyncExternalStore } from "react";

let market: string | null = null;
const listeners = new Set<() => void>();

function set(next: string | null): void {
  market = next;
  for (const listener of listeners) listener();
}

/**
 * Opens the notification centre to create an alert.
 * @param symbol the market to be watched
 */
export function wantAlert(symbol: string): void {
  set(symbol);
}

/** Clears the request when the notification centre is closed. */
export function forgetWantedAlert(): void {
  set(null);
}

/** The market of the requested alert; null if none is requested. */
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
