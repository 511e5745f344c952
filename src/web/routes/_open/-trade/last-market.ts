/** The last market viewed, stored in this browser for links to the page that name none. */
import { useSyncExternalStore } from "react";
import { usePreferences } from "../../../format/preferences.ts";
import { readMarketSymbol } from "./market-symbol.ts";

const STORAGE_KEY = "openbell.trade.market";
const never = () => () => undefined;

export function rememberMarket(symbol: string): void {
  localStorage.setItem(STORAGE_KEY, symbol);
}

function lastMarket(): string | undefined {
  return readMarketSymbol(localStorage.getItem(STORAGE_KEY));
}

/**
 * The market that the viewer prefers, else the last one; undefined if there is neither, and in the
 * server-rendered page.
 */
export function useLastMarket(): string | undefined {
  const { defaultMarket } = usePreferences();
  const last = useSyncExternalStore(never, lastMarket, () => undefined);
  return defaultMarket ?? last;
}
