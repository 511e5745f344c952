import { type RefObject, useState } from "react";
import type { PublicTrade } from "#contract/types.ts";
import { useShortcut } from "../../keyboard/use-shortcut.ts";
import { newerThan } from "./newer-trades.ts";

/**
 * Counts the trades that arrive above while older ones are being read.
 * @param list what scrolls
 */
export function useTapeScroll(
  list: RefObject<HTMLElement | null>,
  trades: readonly PublicTrade[] | undefined,
) {
  /** The newest trade when the list was scrolled away from it; null at the top. */
  const [leftAt, setLeftAt] = useState<number | null>(null);
  const newest = trades?.[0]?.tradeId;
  const onScroll = () => {
    const isAtTop = (list.current?.scrollTop ?? 0) <= 0;
    if (isAtTop) setLeftAt(null);
    else if (leftAt === null && newest !== undefined) setLeftAt(newest);
  };
  const showNewest = () => list.current?.scrollTo({ top: 0 });
  useShortcut("newestTrades", showNewest);
  return {
    isAway: leftAt !== null,
    newer: leftAt === null || trades === undefined ? 0 : newerThan(trades, leftAt),
    onScroll,
    showNewest,
  };
}
