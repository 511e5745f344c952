/** Symbols and descriptions of markets in the trading API: BTC-USD is BTCUSD. */
import type { MarketStatus, SelfTradePrevention } from "#contract/enumerations.ts";
import { planOf } from "../functions/plan-offers.ts";
import type { Catalogue, MarketView } from "../views/catalogue.ts";
import type { Views } from "../views/views.ts";
import { badSymbol, otherStatus } from "./api-error.ts";
import { symbolFilters } from "./filters.ts";
import { ORDER_TYPES, SELF_TRADE_PREVENTION_MODES } from "./order-enumerations.ts";

interface SymbolIndex {
  readonly version: number;
  readonly bySymbol: ReadonlyMap<string, MarketView>;
}

/** The markets by symbol, rebuilt when the catalogue has changed. */
const indexes = new WeakMap<Catalogue, SymbolIndex>();

export function symbolOf({ base, quote }: MarketView): string {
  return base.symbol + quote.symbol;
}

/** @throws ApiError "Invalid symbol." */
export function marketOf(views: Views, symbol: string): MarketView {
  const market = findMarket(views, symbol);
  if (market === undefined) throw badSymbol();
  return market;
}

export function findMarket({ catalogue }: Views, symbol: string): MarketView | undefined {
  let listed = indexes.get(catalogue);
  if (listed?.version !== catalogue.version) {
    // If two markets have the same symbol, the one listed first keeps it.
    const markets = catalogue.markets().toReversed();
    const bySymbol = new Map(markets.map((market) => [symbolOf(market), market]));
    listed = { version: catalogue.version, bySymbol };
    indexes.set(catalogue, listed);
  }
  return listed.bySymbol.get(symbol);
}

/** The named markets, or all. @throws ApiError "Invalid symbol." */
export function marketsOf(views: Views, symbols: readonly string[] | undefined): MarketView[] {
  if (symbols === undefined) return [...views.catalogue.markets()];
  return symbols.map((symbol) => marketOf(views, symbol));
}

/** The values of the parameter `symbolStatus`. */
export type SymbolStatus = "TRADING" | "HALT" | "BREAK";

/** Whether the market has the requested status; true if none is requested. */
export function hasStatus(
  { marketStates }: Views,
  { marketId }: MarketView,
  status: SymbolStatus | undefined,
): boolean {
  return status === undefined || STATUS[marketStates.of(marketId).status] === status;
}

/** @throws ApiError "Invalid symbol.", or that the market does not have the requested status */
export function marketWithStatus(
  views: Views,
  symbol: string,
  status: SymbolStatus | undefined,
): MarketView {
  const market = marketOf(views, symbol);
  if (!hasStatus(views, market, status)) throw otherStatus();
  return market;
}

/** Binance's statuses. It has none for a market that accepts only resting orders. */
const STATUS: Readonly<Record<MarketStatus, string>> = {
  preOpen: "PRE_TRADING",
  auction: "AUCTION_MATCH",
  trading: "TRADING",
  postOnly: "TRADING",
  cancelOnly: "BREAK",
  halted: "HALT",
  closed: "END_OF_DAY",
};

const SELF_TRADE_PREVENTION: Readonly<
  Record<SelfTradePrevention, (typeof SELF_TRADE_PREVENTION_MODES)[number]>
> = {
  expireTaker: "EXPIRE_TAKER",
  expireMaker: "EXPIRE_MAKER",
  expireBoth: "EXPIRE_BOTH",
  decrement: "DECREMENT",
};

/** @param ofOrder the order's mode, or undefined for the market's default */
export function selfTradePreventionOf(
  { definition }: MarketView,
  ofOrder: SelfTradePrevention | undefined,
): string {
  return SELF_TRADE_PREVENTION[ofOrder ?? definition.selfTradePrevention ?? "expireTaker"];
}

/** An item of `symbols` of `GET /api/v3/exchangeInfo`. */
export function describeMarket(views: Views, market: MarketView) {
  const { definition: plan } = planOf(views, undefined);
  const { base, quote, marketId } = market;
  const { status } = views.marketStates.of(marketId);
  return {
    symbol: symbolOf(market),
    status: STATUS[status],
    baseAsset: base.symbol,
    baseAssetPrecision: base.scale,
    quoteAsset: quote.symbol,
    quotePrecision: quote.scale,
    quoteAssetPrecision: quote.scale,
    baseCommissionPrecision: base.scale,
    quoteCommissionPrecision: quote.scale,
    orderTypes: ORDER_TYPES,
    icebergAllowed: true,
    ocoAllowed: true,
    otoAllowed: true,
    opoAllowed: false,
    quoteOrderQtyMarketAllowed: true,
    allowTrailingStop: true,
    cancelReplaceAllowed: true,
    amendAllowed: true,
    pegInstructionsAllowed: false,
    isSpotTradingAllowed: true,
    isMarginTradingAllowed: false,
    filters: symbolFilters(market, plan),
    permissions: [],
    permissionSets: [["SPOT"]],
    defaultSelfTradePreventionMode: selfTradePreventionOf(market, undefined),
    allowedSelfTradePreventionModes: SELF_TRADE_PREVENTION_MODES,
  };
}
