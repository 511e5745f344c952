import { memo } from "react";
import { functions } from "#contract/functions.ts";
import type { Market, PublicTrade } from "#contract/types.ts";
import { formatNarrowQuantity, formatPrice } from "../../format/money.ts";
import { formatTime, useTimeZone } from "../../format/time.ts";
import { DataAge } from "../../session/data-age.tsx";
import { useFrameQuery } from "../../session/use-frame-query.ts";
import { classNames } from "../../ui/class-names.ts";
import { DirectionMark } from "../../ui/direction-mark.tsx";
import { Skeleton } from "../../ui/skeleton.tsx";

const SKELETON_ROWS = Array.from({ length: 12 }, (_, row) => row);
const COLUMN = "px-3 font-normal";

/** A market's latest trades, newest first. */
export function Tape({ market }: { readonly market: Market }) {
  const { data: trades, error } = useFrameQuery(functions.markets.trades, {
    market: market.symbol,
  });
  const timeZone = useTimeZone();
  return (
    <section aria-label="Trades" className="flex h-full min-h-0 flex-col">
      <header className="flex h-9 shrink-0 items-center justify-between gap-2 border-b px-3">
        <h2 className="text-xs font-semibold">Trades</h2>
        <DataAge />
      </header>
      <section
        aria-label="Last trades"
        // oxlint-disable-next-line jsx-a11y/no-noninteractive-tabindex -- what scrolls must be in reach of the keyboard
        tabIndex={0}
        className="live-data relative min-h-0 flex-1 overflow-y-auto [scrollbar-width:thin] focus-visible:-outline-offset-2"
      >
        {error !== null && trades === undefined ? (
          <p className="p-4 text-center text-xs text-muted">The trades could not be loaded.</p>
        ) : trades?.length === 0 ? (
          <p className="p-4 text-center text-xs text-muted">
            No trades yet. The first one appears here.
          </p>
        ) : (
          <table className="w-full table-fixed border-collapse text-xs">
            <thead className="sticky top-0 z-10 bg-surface text-2xs text-faint">
              <tr className="h-6">
                <th scope="col" className={classNames(COLUMN, "w-[38%] text-left")}>
                  Price ({market.quote})
                </th>
                <th scope="col" className={classNames(COLUMN, "px-0! text-right")}>
                  Quantity
                </th>
                <th scope="col" className={classNames(COLUMN, "w-[32%] text-right")}>
                  Time
                </th>
              </tr>
            </thead>
            <tbody className="figures">
              {trades === undefined
                ? SKELETON_ROWS.map((row) => (
                    <tr key={row}>
                      <td colSpan={3} className="px-3 py-0.5">
                        <Skeleton className="h-4" />
                      </td>
                    </tr>
                  ))
                : trades.map((trade) => (
                    <Row key={trade.tradeId} trade={trade} market={market} timeZone={timeZone} />
                  ))}
            </tbody>
          </table>
        )}
      </section>
    </section>
  );
}

interface RowProps {
  readonly trade: PublicTrade;
  readonly market: Market;
  readonly timeZone: string;
}

/** Trades never change, so each row renders once. */
const Row = memo(function Row({ trade, market, timeZone }: RowProps) {
  const isBuy = trade.takerSide === "buy";
  return (
    <tr className="h-5">
      <td className={classNames("px-3", isBuy ? "text-buy" : "text-sell")}>
        {formatPrice(trade.price, market.priceDecimals)}
        <DirectionMark direction={isBuy ? "up" : "down"} className="ml-1.5" />
        <span className="sr-only">{isBuy ? "bought" : "sold"}</span>
      </td>
      <td className="truncate text-right">
        {formatNarrowQuantity(trade.quantity, market.quantityDecimals)}
      </td>
      <td className="px-3 text-right text-muted">{formatTime(trade.time, timeZone)}</td>
    </tr>
  );
});
