/**
 * The engine's limits on orders as Binance's filters. Plans have their own limits; public answers
 * contain those of the default plan.
 */
import { formatDecimal, parseDecimal, trimDecimal } from "#contract/decimal.ts";
import { ICEBERG_PARTS_MAX } from "#contract/iceberg-parts.ts";
import { ORDER_LOTS_MAX } from "#engine/accounts/balance-limit.ts";
import { AMOUNT_MAX } from "#engine/amount.ts";
import type { PlanDefinition } from "#engine/commands.ts";
import { TRAIL_BPS_MAX } from "#engine/order-terms.ts";
import { formatPrice, formatQuantity } from "../functions/market-numbers.ts";
import type { MarketView } from "../views/catalogue.ts";

/** Limits over all markets: open orders are counted per account. */
export function exchangeFilters({ algoOrdersMax, openOrdersMax }: PlanDefinition) {
  return [
    { filterType: "EXCHANGE_MAX_NUM_ORDERS", maxNumOrders: openOrdersMax },
    {
      filterType: "EXCHANGE_MAX_NUM_ALGO_ORDERS",
      maxNumAlgoOrders: algoOrdersMax ?? openOrdersMax,
    },
  ];
}

export function symbolFilters(market: MarketView, plan: PlanDefinition) {
  const { definition, lotSize, quote, tickSize } = market;
  const maxQty = formatQuantity(Math.min(definition.quantityLotsMax, ORDER_LOTS_MAX), market);
  const quoteAmount = (units: number | bigint) => trimDecimal(formatDecimal(units, quote.scale));
  return [
    {
      filterType: "PRICE_FILTER",
      minPrice: tickSize,
      maxPrice: formatPrice(AMOUNT_MAX, market),
      tickSize,
    },
    { filterType: "LOT_SIZE", minQty: lotSize, maxQty, stepSize: lotSize },
    { filterType: "ICEBERG_PARTS", limit: ICEBERG_PARTS_MAX },
    { filterType: "MARKET_LOT_SIZE", minQty: lotSize, maxQty, stepSize: lotSize },
    {
      filterType: "TRAILING_DELTA",
      minTrailingAboveDelta: 1,
      maxTrailingAboveDelta: TRAIL_BPS_MAX,
      minTrailingBelowDelta: 1,
      maxTrailingBelowDelta: TRAIL_BPS_MAX,
    },
    {
      filterType: "NOTIONAL",
      minNotional: quoteAmount(definition.notionalMin),
      applyMinToMarket: true,
      maxNotional: quoteAmount(notionalMaxOf(market, plan)),
      applyMaxToMarket: true,
      avgPriceMins: 0,
    },
    ...priceBandOf(market),
  ];
}

/** The largest notional, in quote units. A plan's limit applies to markets quoted in its currency. */
function notionalMaxOf({ definition, quote }: MarketView, plan: PlanDefinition): bigint {
  const ofMarket = BigInt(definition.notionalMax ?? AMOUNT_MAX);
  const { currency, notionalMax } = plan;
  if (notionalMax === undefined || currency !== quote.symbol) return ofMarket;
  const ofPlan = parseDecimal(notionalMax, quote.scale);
  return ofPlan < ofMarket ? ofPlan : ofMarket;
}

/** A band around the last price, which Binance's filter calls an average over 0 minutes. */
function priceBandOf({ definition: { passiveBandBps, priceBandBps } }: MarketView) {
  if (priceBandBps === undefined) return [];
  const resting = passiveBandBps ?? priceBandBps;
  const up = (bps: number) => trimDecimal(formatDecimal(10_000 + bps, 4));
  const down = (bps: number) => trimDecimal(formatDecimal(Math.max(0, 10_000 - bps), 4));
  return [
    {
      filterType: "PERCENT_PRICE_BY_SIDE",
      bidMultiplierUp: up(priceBandBps),
      bidMultiplierDown: down(resting),
      askMultiplierUp: up(resting),
      askMultiplierDown: down(priceBandBps),
      avgPriceMins: 0,
    },
  ];
}
