/** An item of `myPreventedMatches`. */
import { formatPrice, formatQuantity } from "../../functions/market-numbers.ts";
import type { PreventedMatchRecord } from "../../records/prevented-matches.ts";
import type { MarketView } from "../../views/catalogue.ts";
import { selfTradePreventionOf, symbolOf } from "../symbols.ts";

export function describePreventedMatch(match: PreventedMatchRecord, market: MarketView) {
  const { makerLots, makerOrderId, matchId, mode, priceTicks, takerLots, takerOrderId } = match;
  const symbol = symbolOf(market);
  return {
    symbol,
    preventedMatchId: matchId,
    takerOrderId,
    makerSymbol: symbol,
    makerOrderId,
    // Each account is a group of its own.
    tradeGroupId: -1,
    selfTradePreventionMode: selfTradePreventionOf(market, mode),
    price: formatPrice(priceTicks, market),
    ...(makerLots > 0 && { makerPreventedQuantity: formatQuantity(makerLots, market) }),
    ...(takerLots > 0 && { takerPreventedQuantity: formatQuantity(takerLots, market) }),
    transactTime: match.timestampMs,
  };
}
