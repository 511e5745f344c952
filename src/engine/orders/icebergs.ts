/** Shows the next part of an iceberg. */
import type { Lots } from "../amount.ts";
import type { OrderBook } from "../book/order-book.ts";
import { ASK } from "../book/price-ladder.ts";
import type { EngineState } from "../state.ts";

/** Appends the next part to the queue of its price; false if nothing of the order is hidden. */
export function showNextPart(state: EngineState, slot: number): boolean {
  const { orders } = state;
  if (!orders.hasDetails(slot)) return false;
  const details = state.details.at(slot);
  if (details.hiddenLots === 0) return false;
  const marketAndSide = orders.marketAndSideOf(slot);
  const side = marketAndSide & 1;
  const book = state.books[marketAndSide >> 1] as OrderBook;
  const priceTicks = book.priceOf(slot);
  const visibleLots = Math.min(details.displayLots, details.hiddenLots);
  book.remove(side, slot);
  details.hiddenLots -= visibleLots;
  book.append(side, slot, priceTicks, visibleLots);
  state.events.rare({
    type: "icebergRefilled",
    orderId: details.orderId,
    account: orders.accountOf(slot),
    marketId: book.marketId,
    side: side === ASK ? "sell" : "buy",
    priceTicks,
    visibleLots: visibleLots as Lots,
    remainingLots: (visibleLots + details.hiddenLots) as Lots,
  });
  return true;
}
