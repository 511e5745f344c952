/** A request by some part of the page to create a price alert; the notification centre opens for it. */
import { sharedValue, useSharedValue } from "../ui/shared-value.ts";

const wantedMarket = sharedValue<string | null>(null);

/**
 * Opens the notification centre to create an alert.
 * @param symbol the market to be watched
 */
export function wantAlert(symbol: string): void {
  wantedMarket.set(symbol);
}

/** Clears the request when the notification centre is closed. */
export function forgetWantedAlert(): void {
  wantedMarket.set(null);
}

/** The market of the requested alert; null if none is requested. */
export function useWantedAlert(): string | null {
  return useSharedValue(wantedMarket);
}
