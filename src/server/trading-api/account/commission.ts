/**
 * The caller's commission on trades: the effective rate in each market, by the caller's plan and
 * volume.
 */
import { formatDecimal, trimDecimal } from "#contract/decimal.ts";
import type { FeeRates } from "#engine/commands.ts";
import { feesNow } from "../../functions/plan-offers.ts";
import type { MarketView } from "../../views/catalogue.ts";
import type { Views } from "../../views/views.ts";
import { symbolOf } from "../symbols.ts";

const RATE_DECIMALS = 8;
/** Decimals of a rate in basis points. */
const BPS_DECIMALS = 4;
const NO_RATE = rateOf(0);

/** The rates of orders that the account places now, in markets without fees of their own. */
export function ratesOfPlan(views: Views, account: number): FeeRates {
  return feesNow(views, views.accounts.account(account));
}

/** The market's own fees, or else the plan's, as in the engine. */
function ratesIn(views: Views, account: number, { definition }: MarketView): FeeRates {
  return definition.feeOverride ?? ratesOfPlan(views, account);
}

/**
 * `commissionRates` of `GET /api/v3/account`. The buyer and seller rates, which come on top, are 0.
 */
export function describeRates({ makerFeeBps, takerFeeBps }: FeeRates) {
  return {
    maker: rateOf(makerFeeBps),
    taker: rateOf(takerFeeBps),
    buyer: NO_RATE,
    seller: NO_RATE,
  };
}

/** `GET /api/v3/account/commission`. */
export function describeCommission(views: Views, account: number, market: MarketView) {
  const none = describeRates({ makerFeeBps: 0, takerFeeBps: 0 });
  return {
    symbol: symbolOf(market),
    standardCommission: describeRates(ratesIn(views, account, market)),
    specialCommission: none,
    taxCommission: none,
    discount: noDiscount(market),
  };
}

/** The commission that an order would pay, for `POST /api/v3/order/test`. */
export function describeCommissionOfOrder(views: Views, account: number, market: MarketView) {
  const { makerFeeBps, takerFeeBps } = ratesIn(views, account, market);
  const none = { maker: NO_RATE, taker: NO_RATE };
  return {
    standardCommissionForOrder: { maker: rateOf(makerFeeBps), taker: rateOf(takerFeeBps) },
    specialCommissionForOrder: none,
    taxCommissionForOrder: none,
    discount: noDiscount(market),
  };
}

/** No coin gives a discount on fees. */
function noDiscount(market: MarketView) {
  return {
    enabledForAccount: false,
    enabledForSymbol: false,
    discountAsset: market.quote.symbol,
    discount: NO_RATE,
  };
}

/** An item of `GET /sapi/v1/asset/tradeFee`. */
export function describeTradeFee(views: Views, account: number, market: MarketView) {
  const { makerFeeBps, takerFeeBps } = ratesIn(views, account, market);
  return {
    symbol: symbolOf(market),
    makerCommission: trimDecimal(rateOf(makerFeeBps)),
    takerCommission: trimDecimal(rateOf(takerFeeBps)),
  };
}

/** A fraction as a decimal, such as "0.00250000" for 25 basis points. */
function rateOf(bps: number): string {
  return formatDecimal(bps * 10 ** (RATE_DECIMALS - BPS_DECIMALS), RATE_DECIMALS);
}
