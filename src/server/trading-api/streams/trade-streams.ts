/** Streams of public trades: each trade, or the trades of one order at one price aggregated. */
import type { ExchangeEvent } from "#engine/events.ts";
import { tradeOf } from "../../records/trades.ts";
import type { MarketView } from "../../views/catalogue.ts";
import { symbolOf } from "../symbols.ts";
import { describeGroup, describeTrade, groupsOf } from "../trades.ts";
import type { StreamSource, TradesByMarket } from "./stream-source.ts";

/** Collected once per batch of events, for all streams. */
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
    *onCommands(trades) {
      for (const trade of trades.get(marketId) ?? []) {
        const { id, isBuyerMaker, price, qty, time } = describeTrade(trade, market);
        const payload = {
          e: "trade",
          E: time,
          s: symbol,
          t: id,
          p: price,
          q: qty,
          T: time,
          m: isBuyerMaker,
          M: true,
        };
        yield { payload, sequence: trade.sequence };
      }
    },
  };
}

export function aggregateTradeStream(market: MarketView): StreamSource {
  const { marketId } = market;
  const symbol = symbolOf(market);
  return {
    everyMs: 0,
    *onCommands(trades) {
      for (const group of groupsOf(trades.get(marketId) ?? [])) {
        const described = describeGroup(group, market);
        const payload = { e: "aggTrade", E: described.T, s: symbol, ...described };
        yield { payload, sequence: group.first.sequence };
      }
    },
  };
}
