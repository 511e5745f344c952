import { compareDecimals, divideDecimals, formatDecimal } from "#contract/decimal.ts";
import type { CoinProfit, CostMethod } from "#contract/types.ts";
import type { CoinProfitSums, ProfitSums } from "../history/readers/profit-reader.ts";
import type { Views } from "../views/views.ts";
import { requireUser } from "./caller.ts";
import type { Handlers } from "./handlers.ts";
import { formatSettlement } from "./present-market.ts";
import type { Services } from "./services.ts";

const NO_SUMS: ProfitSums = { coins: [], planFees: 0n, deposited: new Map() };
/** Decimals of an average cost in addition to the price's. */
export const COST_DECIMALS_MORE = 2;

export const profits: Handlers["portfolio"]["profits"] = async (context, { method, from }) => {
  const { views } = context.services;
  const account = views.accounts.ofUser(requireUser(context))?.account;
  const sums =
    account === undefined ? NO_SUMS : await sumsOf(context.services, account, method, from);
  const coins = sums.coins.map((coin) => ({ coin, value: valueOf(views, coin) }));
  const sumOf = (amounts: readonly bigint[]) =>
    formatSettlement(
      views,
      amounts.reduce((sum, amount) => sum + amount, 0n),
    );
  const held = Array.from(sums.deposited, ([assetId, units]) => valueNow(views, assetId, units));
  return {
    settlementCoin: views.settlementCoin,
    method,
    coins: coins
      .map(({ coin, value }) => presentCoin(views, coin, value))
      .toSorted((left, right) => compareDecimals(right.value ?? "0", left.value ?? "0")),
    total: {
      unrealisedProfit: sumOf(coins.map(({ coin, value = 0n }) => value - coin.cost)),
      realisedProfit: sumOf(sums.coins.map(({ realisedProfit }) => realisedProfit)),
      feesPaid: sumOf(sums.coins.map(({ feesPaid }) => feesPaid)),
    },
    planFees: formatSettlement(views, sums.planFees),
    equity: formatSettlement(views, account === undefined ? 0n : views.portfolios.equity(account)),
    heldValue: sumOf(held),
  };
};

interface CachedSums {
  /** The sequence of the account's newest posting at that time. */
  readonly sequence: number;
  readonly fromMs: number;
  readonly sums: ProfitSums;
}

/**
 * Sums by account and method. Pages query again as prices move, but the sums change only with the
 * account's postings. There is one entry for each account and method, so that a caller who varies
 * other arguments does not evict other users' entries.
 */
const cachedSums = new WeakMap<Services["history"], Map<string, CachedSums>>();
const CACHED_SUMS_MAX = 500;

async function sumsOf(
  { views, history }: Services,
  account: number,
  method: CostMethod,
  fromMs: number,
): Promise<ProfitSums> {
  const sequence = views.people.ledgerEntries(account)[0]?.sequence ?? 0;
  const ofHistory = cachedSums.get(history) ?? new Map<string, CachedSums>();
  cachedSums.set(history, ofHistory);
  const key = `${account} ${method}`;
  const before = ofHistory.get(key);
  if (before?.sequence === sequence && before.fromMs === fromMs) return before.sums;
  // Sums over only part of the postings would be wrong, and would be cached.
  const reads = await history.readsCaughtUpTo(views.people.lastSequence(account));
  const { settlementAssetId } = views.valuation;
  const markets = views.catalogue.markets();
  const sums = await reads.profits({ account, method, fromMs, settlementAssetId, markets });
  ofHistory.delete(key);
  ofHistory.set(key, { sequence, fromMs, sums });
  const [oldest] = ofHistory.keys();
  if (ofHistory.size > CACHED_SUMS_MAX && oldest !== undefined) ofHistory.delete(oldest);
  return sums;
}

function valueOf(views: Views, { assetId, quantity }: CoinProfitSums): bigint | undefined {
  return views.valuation.valueOf(assetId, quantity);
}

/** The units may be negative: adjustments may have taken out more than was paid in. */
function valueNow(views: Views, assetId: number, units: bigint): bigint {
  const value = views.valuation.valueOf(assetId, units < 0n ? -units : units) ?? 0n;
  return units < 0n ? -value : value;
}

function presentCoin(views: Views, sums: CoinProfitSums, value: bigint | undefined): CoinProfit {
  const { symbol, name, scale, displayDecimals } = views.catalogue.coin(sums.assetId).definition;
  const quantity = formatDecimal(sums.quantity, scale);
  const cost = formatSettlement(views, sums.cost);
  const decimals =
    (views.valuation.marketOf(sums.assetId)?.priceDecimals ?? 0) + COST_DECIMALS_MORE;
  return {
    coin: symbol,
    name,
    quantity,
    displayDecimals,
    cost,
    averageCost: sums.quantity === 0 ? null : divideDecimals(cost, quantity, decimals, "nearest"),
    value: value === undefined ? null : formatSettlement(views, value),
    unrealisedProfit: value === undefined ? null : formatSettlement(views, value - sums.cost),
    realisedProfit: formatSettlement(views, sums.realisedProfit),
    feesPaid: formatSettlement(views, sums.feesPaid),
    bought: formatDecimal(sums.bought, scale),
    sold: formatDecimal(sums.sold, scale),
  };
}
