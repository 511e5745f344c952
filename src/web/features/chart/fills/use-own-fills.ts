import { useEffect, useMemo, useState } from "react";
import { functions } from "#contract/functions.ts";
import type { Fill } from "#contract/types.ts";
import { useBackend } from "../../../session/use-backend.ts";
import { useFrameQuery } from "../../../session/use-frame-query.ts";
import { mergeFills } from "./fill-marks.ts";

const NO_FILLS: readonly Fill[] = [];
const PAGE_SIZE = 100;

interface History {
  readonly fills: readonly Fill[];
  /** Cursor of the next page; undefined before the first page, null after the last. */
  readonly cursor: string | null | undefined;
}

/**
 * The viewer's fills in a market back to a time: the newest fills are live, older fills come from
 * the history once the chart is scrolled to them. The market must not change between renders.
 */
export function useOwnFills(market: string, from: number | null): readonly Fill[] {
  const backend = useBackend();
  const { data: live = NO_FILLS } = useFrameQuery(functions.fills.recent, { market });
  const [history, setHistory] = useState<History>({ fills: NO_FILLS, cursor: undefined });
  const fills = useMemo(() => mergeFills(live, history.fills), [live, history.fills]);
  const oldest = fills.at(-1)?.time ?? Number.POSITIVE_INFINITY;
  // A live answer that is not full has all fills.
  const hasMore = live.length >= PAGE_SIZE && history.cursor !== null;
  const isWanted = hasMore && from !== null && from < oldest;
  useEffect(() => {
    if (!isWanted) return undefined;
    let isGone = false;
    const { cursor } = history;
    const load = async () => {
      const page = await backend.action(functions.fills.history, {
        market,
        limit: PAGE_SIZE,
        ...(cursor && { cursor }),
      });
      if (isGone) return;
      setHistory({ fills: [...history.fills, ...page.items], cursor: page.cursor });
    };
    // A failure is ignored: the chart works without older fills.
    load().catch(() => undefined);
    return () => {
      isGone = true;
    };
  }, [backend, market, isWanted, history]);
  return fills;
}
