import { useMemo } from "react";
import { functions } from "#contract/functions.ts";
import type { Decimal, Market, Order, Side } from "#contract/types.ts";
import { useFrameQuery } from "../../session/use-frame-query.ts";
import { useIsSignedIn } from "../../session/use-is-signed-in.ts";
import { levelOf } from "./book-view.ts";

const NO_ORDERS: readonly Order[] = [];

interface OwnLevels {
  readonly bids: ReadonlySet<Decimal>;
  readonly asks: ReadonlySet<Decimal>;
}

/** Keys of the levels with resting orders of the viewer, in a book grouped by `step`. */
export function useOwnLevels(market: Market, step: Decimal): OwnLevels {
  const { data: orders = NO_ORDERS } = useFrameQuery(
    functions.orders.open,
    useIsSignedIn() ? { market: market.symbol } : "skip",
  );
  return useMemo(
    () => ({ bids: levelsOf(orders, "buy", step), asks: levelsOf(orders, "sell", step) }),
    [orders, step],
  );
}

function levelsOf(orders: readonly Order[], side: Side, step: Decimal): ReadonlySet<Decimal> {
  const levels = new Set<Decimal>();
  for (const order of orders) {
    const isResting = order.special?.waitsFor === undefined;
    if (isResting && order.side === side && order.price !== null) {
      levels.add(levelOf(order.price, side, step));
    }
  }
  return levels;
}
