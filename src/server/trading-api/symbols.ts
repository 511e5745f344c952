/** Markets as the trading API names and describes them: BTC-USD is BTCUSD. */
import type { MarketStatus, SelfTradePrevention } from "#contract/enumerations.ts";
import { planOf } from "../functions/plan-offers.ts";
import type { Catalogue, MarketView } from "../views/catalogue.ts";
import type { Views } from "../views/views.ts";
import { badSymbol, otherStatus } from "./api-error.ts";
import { symbolFilters } from "./filters.ts";
import { ORDER_TYPES, SELF_TRADE_PREVENTION_MODES } from "./order-enumerations.ts";

interface Known {
  readonly version: number;
  readonly bySymbol: ReadonlyMap<string, MarketView>;
}

/** Made anew when the catalogue has changed. */
const known = new WeakMap<Catalogue, Known>();

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
  let listed = known.get(catalogue);
  if (listed?.version !== catalogue.version) {
    // Of two markets with one name the first listed has it.
    const markets = catalogue.markets().toReversed();
    const bySymbol = new Map(markets.map((market) => [symbolOf(market), market]));
    listed = { version: catalogue.version, bySymbol };
    known.set(catalogue, listed);
  }
  return listed.bySymbol.get(symbol);
}

/** Those named, or all. */
export function marketsOf(views: Views, symbols: readonly string[] | undefined): MarketView[] {
  if (symbols === undefined) return [...views.catalogue.markets()];
  return symbols.map((symbol) => marketOf(views, symbol));
}

/** As `symbolStatus` names states. */
export type SymbolStatus = "TRADING" | "HALT" | "BREAK";

/** Whether the market is in the state that a request names, if it names one. */
export function isIn(
  { marketStates }: Views,
  { marketId }: MarketView,
  status: SymbolStatus | undefined,
): boolean {
  return status === undefined || STATUS[marketStates.of(marketId).status] === status;
}

/** @throws ApiError "Invalid symbol.", or that the market is in another state than the one named */
export function marketIn(
  views: Views,
  symbol: string,
  status: SymbolStatus | undefined,
): MarketView {
  const market = marketOf(views, symbol);
  if (!isIn(views, market, status)) throw otherStatus();
  return market;
}

/** What a market does in the terms of Binance, which has no state in which resting orders alone are taken. */
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

/** @param ofOrder undefined for the market's own */
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
