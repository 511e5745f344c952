/** The market that was looked at last, kept in this browser for every way to the page that names none. */
import { useSyncExternalStore } from "react";
import { readMarketSymbol } from "./market-symbol.ts";

const STORAGE_KEY = "openbell.trade.market";
const never = () => () => undefined;

export function rememberMarket(symbol: string): void {
  localStorage.setItem(STORAGE_KEY, symbol);
}

function lastMarket(): string | undefined {
  return readMarketSymbol(localStorage.getItem(STORAGE_KEY));
}

/** undefined if none was, and on the page as it comes from the server. */
export function useLastMarket(): string | undefined {
  return useSyncExternalStore(never, lastMarket, () => undefined);
}
