/** Streams of an order book's changes and of its best levels. */
import { formatPrice, formatQuantity } from "../../functions/market-numbers.ts";
import type { MarketView } from "../../views/catalogue.ts";
import type { Views } from "../../views/views.ts";
import { symbolOf } from "../symbols.ts";
import type { Speed } from "./stream-name.ts";
import type { StreamSource } from "./stream-source.ts";

/**
 * Every changed level with its current quantity: changes of a level between two messages are
 * merged, and none is lost. `U` and `u` are the first and last update id of a message, numbered as
 * in the call `depth`: each message begins where the previous one ended.
 */
export function depthStream(views: Views, market: MarketView, everyMs: Speed): StreamSource {
  const { books } = views;
  const { marketId } = market;
  const symbol = symbolOf(market);
  const changes = books.watch(marketId);
  let sentId = books.updateId(marketId);
  return {
    everyMs,
    tick(emit) {
      const updateId = books.updateId(marketId);
      if (updateId === sentId) return;
      const levelsOf = (side: "buy" | "sell") => {
        const levels = [...changes[side]].map((priceTicks) => [
          formatPrice(priceTicks, market),
          formatQuantity(books.lotsAt(marketId, side, priceTicks), market),
        ]);
        changes[side].clear();
        return levels;
      };
      emit({
        e: "depthUpdate",
        E: views.nowMs(),
        s: symbol,
        U: sentId + 1,
        u: updateId,
        b: levelsOf("buy"),
        a: levelsOf("sell"),
      });
      sentId = updateId;
    },
    close: () => books.unwatch(marketId, changes),
  };
}

/** The best levels of both sides, sent when the book has changed. */
export function partialDepthStream(
  views: Views,
  market: MarketView,
  { everyMs, levels: count }: { readonly everyMs: Speed; readonly levels: number },
): StreamSource {
  const { books } = views;
  const { marketId } = market;
  let sentId = -1;
  return {
    everyMs,
    tick(emit) {
      const lastUpdateId = books.updateId(marketId);
      if (lastUpdateId === sentId) return;
      sentId = lastUpdateId;
      const levelsOf = (side: "buy" | "sell") =>
        books
          .levels(marketId, side, count)
          .map(({ priceTicks, quantityLots }) => [
            formatPrice(priceTicks, market),
            formatQuantity(quantityLots, market),
          ]);
      emit({ lastUpdateId, bids: levelsOf("buy"), asks: levelsOf("sell") });
    },
  };
}

/** The best level of both sides, sent when either has changed. */
export function bookTickerStream(views: Views, market: MarketView): StreamSource {
  const { books } = views;
  const { marketId } = market;
  let readId = -1;
  let sent = "";
  const best = (side: "buy" | "sell") => {
    const [level] = books.levels(marketId, side, 1);
    return level === undefined
      ? ["0", "0"]
      : [formatPrice(level.priceTicks, market), formatQuantity(level.quantityLots, market)];
  };
  return {
    everyMs: 0,
    *onCommands() {
      const updateId = books.updateId(marketId);
      if (updateId === readId) return;
      readId = updateId;
      const [b, B] = best("buy");
      const [a, A] = best("sell");
      const key = [b, B, a, A].join();
      if (key === sent) return;
      sent = key;
      const payload = { u: updateId, s: symbolOf(market), b, B, a, A };
      yield { payload, sequence: views.sequence };
    },
  };
}
