/**
 * The viewer's watchlist: a user's is on the server, a visitor's in this browser. A change made
 * without a connection is sent once there is one, because a late change does no harm.
 */
import { useMutation } from "@tanstack/react-query";
import { useEffect, useMemo } from "react";
import { functions } from "#contract/functions.ts";
import { useIsReadOnly } from "./read-only.ts";
import { useBackend } from "./use-backend.ts";
import { useFrameQuery } from "./use-frame-query.ts";
import { useIsSignedIn } from "./use-is-signed-in.ts";
import {
  restoreVisitorWatchlist,
  takeVisitorWatchlist,
  toggleVisitorMarket,
  useVisitorWatchlist,
} from "./visitor-watchlist.ts";

export interface Watchlist {
  /** The watched markets' symbols in the viewer's order; null while they are being loaded. */
  readonly markets: readonly string[] | null;
  readonly has: (symbol: string) => boolean;
  /** Adds the market at the end, or removes it. */
  readonly toggle: (symbol: string) => void;
  /** Moves a watched market one place up (-1) or down (1). For signed-in users only. */
  readonly shift: (symbol: string, by: -1 | 1) => void;
}

export function useWatchlist(): Watchlist {
  const isSignedIn = useIsSignedIn();
  const backend = useBackend();
  const ofBrowser = useVisitorWatchlist();
  const { data } = useFrameQuery(functions.watchlist.list, isSignedIn ? {} : "skip");
  const ofAccount = data ?? null;
  useJoining(isSignedIn && ofAccount !== null);
  const { mutate: change } = useMutation({
    mutationFn: (send: () => Promise<null>) => send(),
  });
  return useMemo(() => {
    const markets = isSignedIn ? ofAccount : ofBrowser;
    const has = (symbol: string) => markets?.includes(symbol) === true;
    return {
      markets,
      has,
      toggle(symbol) {
        if (!isSignedIn) toggleVisitorMarket(symbol);
        else if (has(symbol)) {
          change(() => backend.mutation(functions.watchlist.remove, { market: symbol }));
        } else change(() => backend.mutation(functions.watchlist.add, { markets: [symbol] }));
      },
      shift(symbol, by) {
        const index = (markets?.indexOf(symbol) ?? 0) + by;
        change(() => backend.mutation(functions.watchlist.move, { market: symbol, index }));
      },
    };
  }, [isSignedIn, ofAccount, ofBrowser, backend, change]);
}

/** Merges the visitor's watchlist into the user's, once. */
function useJoining(isReady: boolean): void {
  const backend = useBackend();
  const isReadOnly = useIsReadOnly();
  useEffect(() => {
    if (!isReady || isReadOnly) return;
    const markets = [...takeVisitorWatchlist()];
    if (markets.length === 0) return;
    backend.mutation(functions.watchlist.add, { markets }).catch(() => {
      restoreVisitorWatchlist(markets);
    });
  }, [backend, isReady, isReadOnly]);
}
