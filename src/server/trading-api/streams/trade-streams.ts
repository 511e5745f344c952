/** Trades as they happen, each or those of one order at one price together. */
import type { ExchangeEvent } from "#engine/events.ts";
import { tradeOf } from "../../records/trades.ts";
import type { MarketView } from "../../views/catalogue.ts";
import { symbolOf } from "../symbols.ts";
import { aggregate, describeTrade } from "../trades.ts";
import type { StreamSource, TradesByMarket } from "./stream-source.ts";

/** Read once from the events of a batch, for all streams. */
export function tradesByMarket(events: readonly ExchangeEvent[]): TradesByMarket {
  const trades = new Map<number, ReturnType<typeof tradeOf>[]>();
  for (const event of events) {
    if (event.type !== "traded") continue;
    const ofMarket = trades.get(event.marketId);
    if (ofMarket === undefined) trades.set(event.marketId, [tradeOf(event)]);
    else ofMarket.push(tradeOf(event));
  }
  return trades;
}

export function tradeStream(market: MarketView): StreamSource {
  const { marketId } = market;
  const symbol = symbolOf(market);
  return {
    everyMs: 0,
    onCommands(trades, emit) {
      for (const trade of trades.get(marketId) ?? []) {
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
  const { marketId } = market;
  const symbol = symbolOf(market);
  return {
    everyMs: 0,
    onCommands(trades, emit) {
      for (const trade of aggregate(trades.get(marketId) ?? [], market)) {
        emit({ e: "aggTrade", E: trade.T, s: symbol, ...trade });
      }
    },
  };
}
