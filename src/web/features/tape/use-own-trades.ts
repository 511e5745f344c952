import { useMemo } from "react";
import { functions } from "#contract/functions.ts";
import type { Fill } from "#contract/types.ts";
import { useFrameQuery } from "../../session/use-frame-query.ts";
import { useIsSignedIn } from "../../session/use-is-signed-in.ts";

const NO_FILLS: readonly Fill[] = [];

/** Ids of the market's recent trades in which the viewer was a party. */
export function useOwnTrades(market: string): ReadonlySet<number> {
  const { data: fills = NO_FILLS } = useFrameQuery(
    functions.fills.recent,
    useIsSignedIn() ? { market } : "skip",
  );
  return useMemo(() => new Set(fills.map(({ tradeId }) => tradeId)), [fills]);
}
