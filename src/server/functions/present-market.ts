/** Converts coins and markets of the read models to the contract's types. */
import { divide, divideDecimals, formatDecimal, trimDecimal } from "#contract/decimal.ts";
import type { ScheduledStatus } from "#engine/commands.ts";
import { bandOf } from "#engine/markets/price-limits.ts";
import { PROTECTION_BPS } from "#engine/book/order-book.ts";
import { ASK, BID } from "#engine/book/price-ladder.ts";
import type { Plan } from "#contract/plans.ts";
import type {
  Book,
  Candle,
  Coin,
  Market,
  MarketState,
  PublicTrade,
  Ticker,
  VenueInfo,
} from "#contract/types.ts";
import type { PlanLimits } from "../catalogue/plans.ts";
import type { CandleRecord } from "../records/candles.ts";
import type { CoinView, MarketView, PlanView } from "../views/catalogue.ts";
import type { Level } from "../views/books.ts";
import type { PublicTradeRecord } from "../records/trades.ts";
import type { Views } from "../views/views.ts";
import { formatPrice, formatQuantity } from "./market-numbers.ts";

export function presentMarket(views: Views, market: MarketView): Market {
  const { definition, base, quote } = market;
  const { feeOverride, notionalMax, passiveBandBps, priceBandBps } = definition;
  const { protectionBps = PROTECTION_BPS } = definition;
  return {
    symbol: definition.symbol,
    base: base.symbol,
    quote: quote.symbol,
    baseName: base.name,
    tickSize: market.tickSize,
    lotSize: market.lotSize,
    notionalMin: trimDecimal(formatDecimal(definition.notionalMin, quote.scale)),
    quantityMax: formatQuantity(definition.quantityLotsMax, market),
    priceDecimals: market.priceDecimals,
    quantityDecimals: market.quantityDecimals,
    quoteDecimals: quote.displayDecimals,
    status: views.marketStates.of(market.marketId).status,
    closesAt: closesAt(views, market.marketId),
    simulated: definition.simulated,
    funds: fundsOfMarket(views, base),
    notionalMax:
      notionalMax === undefined ? null : trimDecimal(formatDecimal(notionalMax, quote.scale)),
    priceBand:
      priceBandBps === undefined
        ? null
        : { tradingBps: priceBandBps, restingBps: passiveBandBps ?? priceBandBps },
    protectionBps,
    fees: feeOverride === undefined ? null : { ...feeOverride },
  };
}

/** A market's two coins are of one kind. */
function fundsOfMarket(views: Views, { transfers }: MarketView["base"]): Market["funds"] {
  if (fundsOf(views) !== "both") return null;
  return transfers === undefined ? "practice" : "funded";
}

/** The kinds of coins that the exchange lists. */
export function fundsOf({ catalogue }: Views): VenueInfo["funds"] {
  const coins = catalogue.coins();
  const funded = coins.filter(({ definition }) => definition.transfers !== undefined).length;
  if (funded === 0) return "practice";
  return funded === coins.length ? "funded" : "both";
}

function closesAt({ marketStates }: Views, marketId: number): number | null {
  const closing = marketStates.scheduleOf(marketId).find(({ status }) => status === "closed");
  return closing?.atMs ?? null;
}

export function presentSchedule(steps: readonly ScheduledStatus[]): MarketState["scheduled"] {
  return steps.map(({ atMs, status, forMs }) => ({
    at: atMs,
    status,
    forSeconds: forMs === 0 ? null : forMs / 1000,
  }));
}

export function presentMarketState(views: Views, market: MarketView): MarketState {
  const { marketId, definition } = market;
  const { status, cause, sinceMs, untilMs } = views.marketStates.of(marketId);
  const centre = views.marketStates.lastTicks(marketId) || (definition.referenceTicks ?? 0);
  return {
    market: definition.symbol,
    status,
    cause,
    since: sinceMs,
    until: untilMs === 0 ? null : untilMs,
    scheduled: presentSchedule(views.marketStates.scheduleOf(marketId)),
    indicative: status === "auction" ? indicative(views, market, centre) : null,
    priceBand: priceBand(views, market, centre),
  };
}

function indicative(
  views: Views,
  market: MarketView,
  centreTicks: number,
): MarketState["indicative"] {
  const found = views.auctions.of(market.marketId, centreTicks);
  if (found === undefined) return null;
  return {
    price: formatPrice(found.priceTicks, market),
    quantity: formatQuantity(found.volumeLots, market),
    surplus: formatQuantity(found.surplusLots, market),
  };
}

/**
 * The price band by the engine's rule: around the last price, kept within the spread if resting
 * orders have a band of their own.
 */
function priceBand(views: Views, market: MarketView, lastTicks: number): MarketState["priceBand"] {
  const { marketId, definition } = market;
  const { priceBandBps, passiveBandBps } = definition;
  if (priceBandBps === undefined || lastTicks === 0) return null;
  let centreTicks = lastTicks;
  if (passiveBandBps !== undefined && views.marketStates.of(marketId).status === "trading") {
    const [bid, ask] = [views.books.bestBid(marketId), views.books.bestAsk(marketId)];
    centreTicks = Math.max(bid, Math.min(ask || Infinity, lastTicks));
  }
  const range = (side: number) => {
    const { lowestTicks, highestTicks } = bandOf(
      side,
      centreTicks,
      priceBandBps,
      passiveBandBps ?? priceBandBps,
    );
    return {
      lowest: formatPrice(Math.max(1, lowestTicks), market),
      highest: formatPrice(highestTicks, market),
    };
  };
  return { buy: range(BID), sell: range(ASK) };
}

export function presentTicker(views: Views, market: MarketView): Ticker {
  const { marketId, base, quote } = market;
  const price = (ticks: number) => (ticks === 0 ? null : formatPrice(ticks, market));
  const ticker = views.tickers.ticker(marketId, views.nowMs());
  return {
    market: market.definition.symbol,
    last: price(ticker?.lastTicks ?? 0),
    bid: price(views.books.bestBid(marketId)),
    ask: price(views.books.bestAsk(marketId)),
    open24h: price(ticker?.openTicks ?? 0),
    high24h: price(ticker?.highTicks ?? 0),
    low24h: price(ticker?.lowTicks ?? 0),
    change24h: ticker === undefined ? null : percentChange(ticker.openTicks, ticker.lastTicks),
    baseVolume24h: formatDecimal(ticker?.baseVolume ?? 0n, base.scale),
    quoteVolume24h: formatDecimal(ticker?.quoteVolume ?? 0n, quote.scale),
  };
}

/** A percentage with two decimals, such as "-1.25". */
function percentChange(from: number | bigint, to: number | bigint): string {
  return percentOf(BigInt(to) - BigInt(from), BigInt(from));
}

/** `part` of `whole` as a percentage with two decimals; `whole` must not be 0. */
export function percentOf(part: bigint, whole: bigint): string {
  return formatDecimal(divide(part * 10_000n, whole, "nearest"), 2);
}

export function presentBook(
  views: Views,
  market: MarketView,
  levels: number,
  groupTicks: number,
): Book {
  const { books } = views;
  const flat = (side: readonly Level[]) =>
    side.flatMap(({ priceTicks, quantityLots }) => [
      formatPrice(priceTicks, market),
      formatQuantity(quantityLots, market),
    ]);
  return {
    market: market.definition.symbol,
    updateId: books.updateId(market.marketId),
    bids: flat(books.levels(market.marketId, "buy", levels, groupTicks)),
    asks: flat(books.levels(market.marketId, "sell", levels, groupTicks)),
  };
}

export function presentTrade(trade: PublicTradeRecord, market: MarketView): PublicTrade {
  return {
    tradeId: trade.tradeId,
    price: formatPrice(trade.priceTicks, market),
    quantity: formatQuantity(trade.quantityLots, market),
    takerSide: trade.takerSide,
    time: trade.timestampMs,
  };
}

export function presentCandle(candle: CandleRecord, market: MarketView): Candle {
  const tick = Number(market.tickSize) * 10 ** market.priceDecimals;
  const price = (ticks: number) => (ticks * Math.round(tick)) / 10 ** market.priceDecimals;
  return {
    openTime: candle.openTime,
    open: price(candle.openTicks),
    high: price(candle.highTicks),
    low: price(candle.lowTicks),
    close: price(candle.closeTicks),
    volume: (candle.volumeLots * market.definition.lotUnits) / 10 ** market.base.scale,
  };
}

export function presentCoin(views: Views, coin: CoinView): Coin {
  const { definition, assetId } = coin;
  // The icon is served at its own URL.
  const { icon: _, ...fields } = definition;
  const market = views.valuation.marketOf(assetId);
  const isSettlementCoin = assetId === views.valuation.settlementAssetId;
  const nowMs = views.nowMs();
  const ticker = market && views.tickers.ticker(market.marketId, nowMs);
  const hasPrice = market !== undefined && ticker !== undefined;
  return {
    ...fields,
    price: isSettlementCoin ? "1" : hasPrice ? formatPrice(ticker.lastTicks, market) : null,
    priceSource: isSettlementCoin
      ? "settlement"
      : !hasPrice
        ? "none"
        : market.definition.simulated
          ? "simulated"
          : "market",
    change24h: hasPrice ? percentChange(ticker.openTicks, ticker.lastTicks) : null,
    volume24h: volumeOf(views, coin, nowMs),
    markets: views.catalogue
      .markets()
      .filter(({ baseAssetId, quoteAssetId }) => [baseAssetId, quoteAssetId].includes(assetId))
      .map((listed) => listed.definition.symbol),
    sparkline: hasPrice
      ? views.tickers
          .sparkline(market.marketId, nowMs)
          .map((ticks) => Number(formatPrice(ticks, market)))
      : [],
  };
}

/** Volume of the markets with this base coin, in the settlement coin. */
function volumeOf(views: Views, coin: CoinView, nowMs: number): string {
  let volume = 0n;
  for (const market of views.catalogue.markets()) {
    if (market.baseAssetId !== coin.assetId) continue;
    const traded = views.tickers.ticker(market.marketId, nowMs)?.quoteVolume ?? 0n;
    volume += views.valuation.valueOf(market.quoteAssetId, traded) ?? 0n;
  }
  return formatSettlement(views, volume);
}

/** A number of settlement units as a decimal with all decimals of the settlement coin. */
export function formatSettlement(views: Views, units: bigint | number): string {
  return formatDecimal(units, settlementScale(views));
}

export function settlementScale(views: Views): number {
  return views.catalogue.coinBySymbol(views.settlementCoin)?.definition.scale ?? 0;
}

export function presentPlan(plan: PlanView, defaultPlan: PlanView, limits: PlanLimits): Plan {
  const { position: _, currency: _currency, ...definition } = plan.definition;
  return {
    ...definition,
    algoOrdersMax: definition.algoOrdersMax ?? definition.openOrdersMax,
    notionalMax: definition.notionalMax ?? null,
    volumeLadder: (definition.volumeLadder ?? []).map((tier) => ({ ...tier })),
    ...limits,
    features: [...definition.features],
    breakEvenVolume: breakEvenVolume(plan, defaultPlan),
  };
}

/**
 * The monthly volume at which the lower taker fee saves the plan's price, rounded up to a full unit
 * of the second decimal; null if the plan is free or its fee is not lower.
 */
function breakEvenVolume(plan: PlanView, defaultPlan: PlanView): string | null {
  const { price, takerFeeBps } = plan.definition;
  const savedBps = defaultPlan.definition.takerFeeBps - takerFeeBps;
  if (savedBps <= 0 || /^0*(\.0*)?$/.test(price)) return null;
  return divideDecimals(price, formatDecimal(savedBps, 4), 2, "up");
}
