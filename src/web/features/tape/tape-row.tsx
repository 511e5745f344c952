import { memo } from "react";
import { multiplyDecimals } from "#contract/decimal.ts";
import type { Market, PublicTrade } from "#contract/types.ts";
import { formatNarrowQuantity, formatPrice } from "../../format/money.ts";
import { formatTime } from "../../format/time.ts";
import { classNames } from "../../ui/class-names.ts";
import { DirectionMark } from "../../ui/direction-mark.tsx";
import type { TapeUnit } from "./tape-choices.ts";

interface TapeRowProps {
  readonly trade: PublicTrade;
  readonly market: Market;
  readonly timeZone: string;
  readonly unit: TapeUnit;
  /** Whether the viewer was a party to the trade. */
  readonly isOwn: boolean;
}

/** One trade of the tape. Rerenders only if its trade changes. */
export const TapeRow = memo(function TapeRow({
  trade,
  market,
  timeZone,
  unit,
  isOwn,
}: TapeRowProps) {
  const isBuy = trade.takerSide === "buy";
  return (
    <tr className={classNames("h-5", isOwn && "bg-accent-soft")}>
      <td
        className={classNames("relative whitespace-nowrap pl-3", isBuy ? "text-buy" : "text-sell")}
      >
        {isOwn ? (
          <span className="absolute left-1 text-accent">
            <span aria-hidden>•</span>
            <span className="sr-only">Your trade at </span>
          </span>
        ) : null}
        {formatPrice(trade.price, market.priceDecimals)}
        <DirectionMark direction={isBuy ? "up" : "down"} className="ml-1" />
        <span className="sr-only">{isBuy ? "bought" : "sold"}</span>
      </td>
      <td className="truncate text-right">
        {unit === "base"
          ? formatNarrowQuantity(trade.quantity, market.quantityDecimals)
          : formatNarrowQuantity(
              multiplyDecimals(trade.price, trade.quantity),
              market.quoteDecimals,
            )}
      </td>
      <td className="pr-3 text-right text-muted">{formatTime(trade.time, timeZone)}</td>
    </tr>
  );
});
