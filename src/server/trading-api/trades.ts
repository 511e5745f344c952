/** Public trades in the trading API's format. */
import { formatDecimal } from "#contract/decimal.ts";
import { formatPrice, formatQuantity } from "../functions/market-numbers.ts";
import type { Services } from "../functions/services.ts";
import type { TradeRecord } from "../records/trades.ts";
import type { MarketView } from "../views/catalogue.ts";
import { conflictingParameters } from "./api-error.ts";

export interface TradeQuery {
  readonly limit: number;
  /** Id of the first trade. */
  readonly fromId?: number | undefined;
  /** Milliseconds since 1970 UTC, inclusive. */
  readonly startTime?: number | undefined;
  readonly endTime?: number | undefined;
}

/**
 * Trades from an id or a time on, or else the newest; oldest first. @throws ApiError if both are
 * given
 */
export async function readTrades(
  { history: { read } }: Services,
  { marketId }: MarketView,
  { limit, fromId, startTime, endTime = Number.MAX_SAFE_INTEGER }: TradeQuery,
): Promise<TradeRecord[]> {
  const bounded = startTime !== undefined || endTime !== Number.MAX_SAFE_INTEGER;
  if (fromId !== undefined && bounded) throw conflictingParameters();
  if (fromId !== undefined) return read.tradesFrom({ marketId, fromTradeId: fromId, limit });
  if (startTime !== undefined) {
    const first = await read.tradeIdFrom(marketId, startTime);
    if (first === undefined) return [];
    const found = await read.tradesFrom({ marketId, fromTradeId: first, limit });
    return found.filter(({ timestampMs }) => timestampMs <= endTime);
  }
  if (bounded) {
    const beyond = await read.tradeIdFrom(marketId, endTime + 1);
    if (beyond !== undefined) {
      const fromTradeId = Math.max(1, beyond - limit);
      const found = await read.tradesFrom({ marketId, fromTradeId, limit });
      return found.filter(({ tradeId }) => tradeId < beyond);
    }
  }
  const { items } = await read.trades({ marketId, limit });
  return items.toReversed();
}

/** An item of `trades` and `historicalTrades`. */
export function describeTrade(trade: TradeRecord, market: MarketView) {
  return {
    id: trade.tradeId,
    price: formatPrice(trade.priceTicks, market),
    qty: formatQuantity(trade.quantityLots, market),
    quoteQty: notionalOf(trade, market),
    time: trade.timestampMs,
    isBuyerMaker: trade.takerSide === "sell",
    isBestMatch: true,
  };
}

/** Trades of one order at one price. */
interface TradeGroup {
  readonly first: TradeRecord;
  lastId: number;
  lots: number;
}

/**
 * Groups the trades of one order at one price. The first and the last group may be incomplete,
 * because their other trades were not read.
 */
export function groupsOf(trades: readonly TradeRecord[]): readonly Readonly<TradeGroup>[] {
  const groups: TradeGroup[] = [];
  for (const trade of trades) {
    const group = groups.at(-1);
    if (group !== undefined && isSameOrder(group.first, trade)) {
      group.lastId = trade.tradeId;
      group.lots += trade.quantityLots;
    } else {
      groups.push({ first: trade, lastId: trade.tradeId, lots: trade.quantityLots });
    }
  }
  return groups;
}

/** An item of `aggTrades`; its id is that of its first trade. */
export function describeGroup({ first, lastId, lots }: Readonly<TradeGroup>, market: MarketView) {
  return {
    a: first.tradeId,
    p: formatPrice(first.priceTicks, market),
    q: formatQuantity(lots, market),
    f: first.tradeId,
    l: lastId,
    T: first.timestampMs,
    m: first.takerSide === "sell",
    M: true,
  };
}

/** A command has one taker, except in an auction. */
function isSameOrder(one: TradeRecord, other: TradeRecord): boolean {
  return (
    one.sequence === other.sequence &&
    one.priceTicks === other.priceTicks &&
    one.takerSide === other.takerSide
  );
}

function notionalOf({ priceTicks, quantityLots }: TradeRecord, market: MarketView): string {
  const units = BigInt(priceTicks) * BigInt(quantityLots) * BigInt(market.definition.tickLotUnits);
  return formatDecimal(units, market.quote.scale);
}
