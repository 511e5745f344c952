/** The last viewed market, stored in this browser for links to the trading page that name no market. */
import { useSyncExternalStore } from "react";
import { usePreferences } from "../../../format/preferences.ts";
import { parseMarketSymbol } from "./market-symbol.ts";

const STORAGE_KEY = "openbell.trade.market";
const neverChanges = () => () => undefined;

export function rememberMarket(symbol: string): void {
  localStorage.setItem(STORAGE_KEY, symbol);
}

function lastMarket(): string | undefined {
  return parseMarketSymbol(localStorage.getItem(STORAGE_KEY));
}

/**
 * The viewer's preferred market, else the last viewed one; undefined if there is neither, and on the
 * server.
 */
export function useLastMarket(): string | undefined {
  const { defaultMarket } = usePreferences();
  const last = useSyncExternalStore(neverChanges, lastMarket, () => undefined);
  return defaultMarket ?? last;
}
