/**
 * Icebergs: how much an order may show, and its next visible part, placed at the end of the queue when
 * the previous one has traded. See order-model-matching.ts and order-model-auctions.ts for the rule that
 * only visible lots trade at once, order-model-book.ts for the fills that hidden lots allow.
 */
import { naming, type ModelExchange, type ModelOrder } from "./order-model-exchange.ts";

export const isDisplay = (display: bigint, total: bigint): boolean =>
  display >= 1n && display < total && total <= display * 100n;

export function refill(exchange: ModelExchange, order: ModelOrder): void {
  const display = BigInt(order.terms.conditions?.displayLots ?? 0);
  order.shown = display < order.left ? display : order.left;
  order.rank = ++exchange.rank;
  exchange.events.push({
    type: "icebergRefilled",
    ...naming(order),
    priceTicks: Number(order.price),
    visibleLots: Number(order.shown),
    remainingLots: Number(order.left),
  });
}
