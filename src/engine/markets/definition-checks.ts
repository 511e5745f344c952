/**
 * What makes the definition of a coin, a market or a plan acceptable in itself. Definitions arrive
 * from outside: every field is checked, its type included. Pure.
 */
import { AMOUNT_MAX, isAmount, parseUnits } from "../amount.ts";
import { DAY_MS } from "../time/calendar.ts";
import type {
  BreakerTerms,
  CoinDefinition,
  FeeRates,
  MarketDefinition,
  PlanDefinition,
  VolumeStep,
} from "../commands.ts";
import { isMarketStatus } from "./market-statuses.ts";

const SCALE_MAX = 15;
const FEE_BPS_MAX = 10_000;
const BPS_ONE = 10_000;
/** A hundred times the last price. */
const PASSIVE_BAND_BPS_MAX = 1_000_000;
const OPEN_ORDERS_PER_ACCOUNT_MAX = 1_000_000;
const NAME_LENGTH_MAX = 64;
const TEXT_LENGTH_MAX = 4096;
const FEATURES_MAX = 32;
const LADDER_STEPS_MAX = 32;
const COIN_SYMBOL = /^[A-Z0-9]{1,16}$/;
const PLAN_SLUG = /^[a-z0-9-]{1,32}$/;
const DECIMAL = /^\d{1,16}(\.\d{1,15})?$/;
const COIN_KINDS: ReadonlySet<string> = new Set(["crypto", "fiat", "token", "points", "simulated"]);
const COIN_STATUSES: ReadonlySet<string> = new Set([
  "listed",
  "depositOnly",
  "withdrawOnly",
  "delisting",
  "hidden",
]);
const SELF_TRADE_PREVENTIONS: ReadonlySet<string> = new Set([
  "expireTaker",
  "expireMaker",
  "expireBoth",
  "decrement",
]);
const PLAN_INTERVALS: ReadonlySet<string> = new Set(["none", "month"]);
const PLAN_ELIGIBILITIES: ReadonlySet<string> = new Set(["everyone", "volume", "paid", "assigned"]);

export function isCoin(coin: CoinDefinition): boolean {
  return (
    isObject(coin) &&
    isText(coin.symbol, NAME_LENGTH_MAX) &&
    COIN_SYMBOL.test(coin.symbol) &&
    isText(coin.name, NAME_LENGTH_MAX) &&
    COIN_KINDS.has(coin.kind) &&
    COIN_STATUSES.has(coin.status) &&
    isWithin(coin.scale, 0, SCALE_MAX) &&
    isWithin(coin.displayDecimals, 0, coin.scale) &&
    isText(coin.description, TEXT_LENGTH_MAX) &&
    isText(coin.website, TEXT_LENGTH_MAX) &&
    isText(coin.riskNote, TEXT_LENGTH_MAX)
  );
}

export function isMarket(market: MarketDefinition): boolean {
  return (
    isObject(market) &&
    isText(market.base, NAME_LENGTH_MAX) &&
    isText(market.quote, NAME_LENGTH_MAX) &&
    market.base !== market.quote &&
    market.symbol === `${market.base}-${market.quote}` &&
    isWithin(market.lotUnits, 1, AMOUNT_MAX) &&
    isWithin(market.tickLotUnits, 1, AMOUNT_MAX) &&
    isPowerOfTenApart(market.lotUnits, market.tickLotUnits) &&
    isAmount(market.notionalMin) &&
    // The largest order's base amount is exact.
    isWithin(market.quantityLotsMax, 1, Math.floor(AMOUNT_MAX / market.lotUnits)) &&
    isMarketStatus(market.status) &&
    typeof market.simulated === "boolean" &&
    (market.notionalMax === undefined ||
      isWithin(market.notionalMax, Math.max(1, market.notionalMin), AMOUNT_MAX)) &&
    // At a whole band down every price would be allowed: that is no band.
    (market.priceBandBps === undefined || isWithin(market.priceBandBps, 1, BPS_ONE - 1)) &&
    (market.passiveBandBps === undefined ||
      (market.priceBandBps !== undefined &&
        isWithin(market.passiveBandBps, market.priceBandBps, PASSIVE_BAND_BPS_MAX))) &&
    (market.referenceTicks === undefined || isWithin(market.referenceTicks, 1, AMOUNT_MAX)) &&
    (market.protectionBps === undefined || isWithin(market.protectionBps, 1, BPS_ONE)) &&
    (market.selfTradePrevention === undefined ||
      SELF_TRADE_PREVENTIONS.has(market.selfTradePrevention)) &&
    (market.feeOverride === undefined || isFeeRates(market.feeOverride)) &&
    (market.breaker === undefined || isBreaker(market.breaker))
  );
}

function isBreaker(breaker: BreakerTerms): boolean {
  return (
    isObject(breaker) &&
    isWithin(breaker.bps, 1, BPS_ONE - 1) &&
    isWithin(breaker.windowMs, 1000, DAY_MS) &&
    isWithin(breaker.haltMs, 1000, DAY_MS) &&
    isWithin(breaker.auctionMs, 1000, DAY_MS)
  );
}

export function isPlan(plan: PlanDefinition): boolean {
  return (
    isObject(plan) &&
    isText(plan.slug, NAME_LENGTH_MAX) &&
    PLAN_SLUG.test(plan.slug) &&
    isText(plan.name, NAME_LENGTH_MAX) &&
    isText(plan.description, TEXT_LENGTH_MAX) &&
    isWithin(plan.position, 0, AMOUNT_MAX) &&
    isFeeRates(plan) &&
    isDecimal(plan.price) &&
    PLAN_INTERVALS.has(plan.interval) &&
    PLAN_ELIGIBILITIES.has(plan.eligibility) &&
    isDecimal(plan.volumeMin) &&
    isWithin(plan.openOrdersMax, 0, OPEN_ORDERS_PER_ACCOUNT_MAX) &&
    Array.isArray(plan.features) &&
    plan.features.length <= FEATURES_MAX &&
    plan.features.every((feature) => isText(feature, TEXT_LENGTH_MAX)) &&
    (plan.algoOrdersMax === undefined ||
      isWithin(plan.algoOrdersMax, 0, OPEN_ORDERS_PER_ACCOUNT_MAX)) &&
    (plan.currency === undefined
      ? // Without a currency there is nothing to count in.
        plan.notionalMax === undefined && plan.volumeLadder === undefined
      : isText(plan.currency, NAME_LENGTH_MAX) &&
        COIN_SYMBOL.test(plan.currency) &&
        (plan.notionalMax === undefined || isDecimal(plan.notionalMax)) &&
        (plan.volumeLadder === undefined || isLadder(plan.volumeLadder)))
  );
}

/** Whether what a plan counts in its currency is exact in units of that coin, and its steps ascend. */
export function isExactIn(plan: PlanDefinition, scale: number): boolean {
  const amounts = [plan.price, plan.volumeMin, plan.notionalMax ?? "1"];
  if (amounts.some((amount) => parseUnits(amount, scale) === undefined)) return false;
  let last = 0;
  for (const { volumeMin } of plan.volumeLadder ?? []) {
    const units = parseUnits(volumeMin, scale);
    if (units === undefined || units <= last) return false;
    last = units;
  }
  return true;
}

function isLadder(ladder: readonly VolumeStep[]): boolean {
  return (
    Array.isArray(ladder) &&
    ladder.length <= LADDER_STEPS_MAX &&
    ladder.every((step) => isObject(step) && isFeeRates(step) && isDecimal(step.volumeMin))
  );
}

function isFeeRates(fees: FeeRates): boolean {
  return (
    isObject(fees) &&
    isWithin(fees.makerFeeBps, 0, FEE_BPS_MAX) &&
    isWithin(fees.takerFeeBps, 0, FEE_BPS_MAX)
  );
}

function isDecimal(value: string): boolean {
  return isText(value, NAME_LENGTH_MAX) && DECIMAL.test(value);
}

function isObject(value: unknown): boolean {
  return typeof value === "object" && value !== null;
}

function isText(value: unknown, lengthMax: number): boolean {
  return typeof value === "string" && value.length <= lengthMax;
}

function isWithin(value: number, min: number, max: number): boolean {
  return Number.isSafeInteger(value) && value >= min && value <= max;
}

function isPowerOfTenApart(a: number, b: number): boolean {
  const smaller = Math.min(a, b);
  let larger = Math.max(a, b);
  while (larger > smaller && larger % 10 === 0) larger /= 10;
  return larger === smaller;
}
