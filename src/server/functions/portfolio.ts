import type { Holding, Portfolio } from "#contract/types.ts";
import { compareDecimals, divideDecimals, formatDecimal } from "#contract/decimal.ts";
import type { PortfolioView } from "../views/portfolios.ts";
import type { CoinView } from "../views/catalogue.ts";
import type { Views } from "../views/views.ts";
import { followAccount } from "./caller.ts";
import type { Handlers } from "./handlers.ts";
import { formatPrice } from "./market-numbers.ts";
import { COST_DECIMALS_MORE } from "./profits.ts";
import { formatSettlement, percentOf } from "./present-market.ts";

const EMPTY_PORTFOLIO: PortfolioView = {
  equity: 0n,
  deposited: 0n,
  feesPaid: 0n,
  positions: [],
  dayChange: 0n,
  dayBase: 0n,
};

export const summary: Handlers["portfolio"]["summary"] = (context): Portfolio => {
  const { views } = context.services;
  const account = followAccount(context)?.account ?? 0;
  context.dependsOn("prices");
  const portfolio = views.portfolios.portfolio(account) ?? EMPTY_PORTFOLIO;
  const { equity, deposited, feesPaid, dayChange, dayBase } = portfolio;
  return {
    settlementCoin: views.settlementCoin,
    equity: formatSettlement(views, equity),
    profit: formatSettlement(views, equity - deposited),
    deposited: formatSettlement(views, deposited),
    dayChange: formatSettlement(views, dayChange),
    dayChangePercent: dayBase === 0n ? null : percentOf(dayChange, dayBase),
    feesPaid: formatSettlement(views, feesPaid),
    holdings: views.catalogue
      .coins()
      .flatMap((coin) => holdingOf(views, account, coin, portfolio) ?? [])
      .toSorted((left, right) => compareDecimals(right.value ?? "0", left.value ?? "0")),
    curve: views.portfolios.curve(account).map(({ time, equity: value }) => ({
      time,
      equity: value,
    })),
  };
};

/** The account's holding of a coin; undefined if it never owned any. */
function holdingOf(
  views: Views,
  account: number,
  coin: CoinView,
  portfolio: PortfolioView,
): Holding | undefined {
  const { assetId, definition } = coin;
  const position = portfolio.positions.find((candidate) => candidate.assetId === assetId);
  const units = views.accounts.total(account, assetId);
  if (units === 0 && position === undefined) return undefined;
  const value = views.valuation.valueOf(assetId, units);
  const market = views.valuation.marketOf(assetId);
  const lastTicks = market === undefined ? 0 : views.tickers.lastTicks(market.marketId);
  const isSettlementCoin = assetId === views.valuation.settlementAssetId;
  const quantity = formatDecimal(units, definition.scale);
  const share =
    value === undefined || portfolio.equity === 0n ? null : percentOf(value, portfolio.equity);
  return {
    coin: definition.symbol,
    name: definition.name,
    quantity,
    displayDecimals: definition.displayDecimals,
    price: isSettlementCoin
      ? "1"
      : market === undefined || lastTicks === 0
        ? null
        : formatPrice(lastTicks, market),
    value: value === undefined ? null : formatSettlement(views, value),
    share,
    averageCost:
      position === undefined || units === 0
        ? null
        : divideDecimals(
            formatSettlement(views, position.cost),
            quantity,
            (market?.priceDecimals ?? 0) + COST_DECIMALS_MORE,
            "nearest",
          ),
    unrealisedProfit:
      position === undefined || value === undefined
        ? null
        : formatSettlement(views, value - position.cost),
    realisedProfit: formatSettlement(views, position?.realisedProfit ?? 0n),
  };
}
