/**
 * Icebergs: how much an order may show, and its next part, at the end of the queue, when what it
 * showed has traded. That only what is shown trades at once is in order-model-matching.ts and
 * order-model-auctions.ts, what hidden lots can fill in order-model-book.ts.
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
