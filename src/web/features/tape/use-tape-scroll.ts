import { type RefObject, useState } from "react";
import type { PublicTrade } from "#contract/types.ts";
import { useShortcut } from "../../keyboard/use-shortcut.ts";
import { newerThan } from "./newer-trades.ts";

/**
 * Keeps the listed trades in place while the user reads older ones, and counts those that arrive in
 * the meantime.
 * @param list the scroll container
 */
export function useTapeScroll(
  list: RefObject<HTMLElement | null>,
  trades: readonly PublicTrade[] | undefined,
) {
  /**
   * The trades that were listed when the user scrolled away from the newest trade; null at the top.
   */
  const [kept, setKept] = useState<readonly PublicTrade[] | null>(null);
  const onScroll = () => {
    const isAtTop = (list.current?.scrollTop ?? 0) <= 0;
    if (isAtTop) setKept(null);
    else if (kept === null && trades !== undefined) setKept(trades);
  };
  const showNewest = () => list.current?.scrollTo({ top: 0 });
  useShortcut("newestTrades", showNewest);
  const newest = kept?.[0];
  return {
    listed: kept ?? trades,
    isAway: kept !== null,
    newer: newest === undefined ? 0 : newerThan(trades ?? [], newest.tradeId),
    onScroll,
    showNewest,
  };
}
