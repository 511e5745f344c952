/** Trades as they happen, each or those of one order at one price together. */
import type { EventOf, ExchangeEvent } from "#engine/events.ts";
import { tradeOf } from "../../records/trades.ts";
import type { MarketView } from "../../views/catalogue.ts";
import { symbolOf } from "../symbols.ts";
import { aggregate, describeTrade } from "../trades.ts";
import type { StreamSource } from "./stream-source.ts";

function tradesOf(events: readonly ExchangeEvent[], { marketId }: MarketView) {
  return events
    .filter((event): event is EventOf<"traded"> => event.type === "traded")
    .filter((trade) => trade.marketId === marketId)
    .map(tradeOf);
}

export function tradeStream(market: MarketView): StreamSource {
  const symbol = symbolOf(market);
  return {
    everyMs: 0,
    onEvents(events, emit) {
      for (const trade of tradesOf(events, market)) {
        const { id, isBuyerMaker, price, qty, time } = describeTrade(trade, market);
        emit({
          e: "trade",
          E: time,
          s: symbol,
          t: id,
          p: price,
          q: qty,
          T: time,
          m: isBuyerMaker,
          M: true,
        });
      }
    },
  };
}

export function aggregateTradeStream(market: MarketView): StreamSource {
  const symbol = symbolOf(market);
  return {
    everyMs: 0,
    onEvents(events, emit) {
      for (const trade of aggregate(tradesOf(events, market), market)) {
        emit({ e: "aggTrade", E: trade.T, s: symbol, ...trade });
      }
    },
  };
}
