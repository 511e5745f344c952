import { useCallback } from "react";
import { functions } from "#contract/functions.ts";
import type { Decimal, Market, PublicTrade } from "#contract/types.ts";
import { formatPrice, formatShare } from "../../format/money.ts";
import { useFrameQuery } from "../../session/use-frame-query.ts";
import { classNames } from "../../ui/class-names.ts";
import { DirectionMark } from "../../ui/direction-mark.tsx";
import { spreadOf } from "./book-view.ts";

interface SpreadRowProps {
  readonly market: Market;
  readonly bid: Decimal | undefined;
  readonly ask: Decimal | undefined;
}

/** The row between the sides: the last price with its taker's side, and the spread. */
export function SpreadRow({ market, bid, ask }: SpreadRowProps) {
  const newest = useCallback((trades: PublicTrade[]) => trades[0], []);
  const { data: last } = useFrameQuery(functions.markets.trades, { market: market.symbol }, newest);
  const spread = spreadOf(bid, ask);
  const isUp = last?.takerSide === "buy";
  return (
    <div className="relative flex h-10 shrink-0 items-center justify-between gap-2 border-y bg-raised/60 px-3">
      <span
        className={classNames(
          "figures shrink-0 whitespace-nowrap text-base font-semibold",
          last === undefined ? "text-muted" : isUp ? "text-buy" : "text-sell",
        )}
      >
        {formatPrice(last?.price ?? null, market.priceDecimals)}
        {last === undefined ? null : (
          <>
            <DirectionMark direction={isUp ? "up" : "down"} className="mb-0.5 ml-1.5" />
            <span className="sr-only">{isUp ? "bought" : "sold"}</span>
          </>
        )}
      </span>
      <span className="figures flex min-w-0 flex-wrap justify-end gap-x-2 text-2xs leading-4 text-muted">
        <span className="whitespace-nowrap">
          <span className="mr-1 font-sans text-faint">Spread</span>
          {formatPrice(spread?.amount ?? null, market.priceDecimals)}
        </span>
        <span>{formatShare(spread?.percent ?? null, 3)}</span>
      </span>
    </div>
  );
}
