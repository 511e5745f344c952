/**
 * The markets of the default catalogue, all quoted in the settlement coin, with their behaviour in
 * the simulation.
 */
import type { Amount, Lots, Ticks } from "#engine/amount.ts";
import type { MarketDefinition } from "#engine/commands.ts";
import { COINS, SETTLEMENT_COIN } from "./coins.ts";

/** A market and its behaviour in the simulation. */
export interface SimulatedMarket {
  readonly symbol: string;
  /**
   * The price, in the settlement coin, at which the simulated history ends. Invented, not a real
   * quotation.
   */
  readonly referencePrice: number;
  /** Decimals of the tick and of the lot; never negative. */
  readonly priceDecimals: number;
  readonly quantityDecimals: number;
  /** Standard deviation of the daily log return. */
  readonly dailyVolatility: number;
  /** Share of the common factor in the market's moves, 0 to 1. */
  readonly correlation: number;
  /** Mean number of taker orders per second. */
  readonly takersPerSecond: number;
  /** Mean value of a taker order in the settlement coin. */
  readonly takerValue: number;
  /** Half of the usual spread between best bid and best ask, as a fraction of the price. */
  readonly halfSpread: number;
}

function defineMarket(
  base: string,
  referencePrice: number,
  priceDecimals: number,
  quantityDecimals: number,
  dailyVolatility: number,
  correlation: number,
  takersPerSecond: number,
  takerValue: number,
  halfSpread: number,
): SimulatedMarket {
  return {
    symbol: `${base}-${SETTLEMENT_COIN}`,
    referencePrice,
    priceDecimals,
    quantityDecimals,
    dailyVolatility,
    correlation,
    takersPerSecond,
    takerValue,
    halfSpread,
  };
}

export const SIMULATED_MARKETS: readonly SimulatedMarket[] = [
  defineMarket("BTC", 64_250, 2, 4, 0.026, 0.9, 2.6, 6_500, 0.000_05),
  defineMarket("ETH", 3_415, 2, 4, 0.033, 0.86, 1.4, 4_200, 0.000_07),
  defineMarket("SOL", 146, 2, 3, 0.042, 0.78, 0.9, 2_600, 0.000_15),
  defineMarket("BNB", 588, 2, 3, 0.027, 0.72, 0.4, 2_100, 0.000_14),
  defineMarket("XRP", 0.526, 4, 1, 0.036, 0.66, 0.6, 1_800, 0.000_25),
  defineMarket("ADA", 0.384, 4, 1, 0.039, 0.74, 0.3, 1_100, 0.000_35),
  defineMarket("DOGE", 0.1385, 5, 0, 0.048, 0.68, 0.5, 1_300, 0.000_2),
  defineMarket("AVAX", 27.4, 2, 2, 0.043, 0.78, 0.25, 1_200, 0.000_4),
  defineMarket("LINK", 13.62, 3, 2, 0.04, 0.76, 0.25, 1_100, 0.000_25),
  defineMarket("DOT", 5.18, 3, 2, 0.039, 0.77, 0.2, 900, 0.000_35),
  defineMarket("LTC", 72.3, 2, 3, 0.031, 0.71, 0.2, 1_000, 0.000_25),
  defineMarket("UNI", 8.46, 3, 2, 0.046, 0.69, 0.15, 850, 0.000_35),
  defineMarket("ATOM", 6.07, 3, 2, 0.039, 0.72, 0.15, 800, 0.000_35),
  defineMarket("XLM", 0.1052, 5, 0, 0.037, 0.65, 0.15, 700, 0.000_3),
];

/**
 * No trade is further than 5 % from the previous trade, and none further than 10 % from where a
 * five-minute window began: there the market halts for a minute and reopens with an auction.
 * Resting orders may be far away: buys at any lower price, sells up to ten times the last price.
 */
const PRICE_LIMITS = {
  priceBandBps: 500,
  passiveBandBps: 90_000,
  breaker: { bps: 1_000, windowMs: 300_000, haltMs: 60_000, auctionMs: 30_000 },
} as const;

/** Value of the largest and the smallest order, in the settlement coin. */
const ORDER_VALUE_MAX = 5_000_000;
const ORDER_VALUE_MIN = 1;

function scaleOf(symbol: string): number {
  const coin = COINS.find((candidate) => candidate.symbol === symbol);
  if (coin === undefined) throw new Error(`the catalogue has no coin ${symbol}`);
  return coin.scale;
}

/** The engine's definition of a catalogue market, with steps converted to integer ledger units. */
export function marketDefinition(
  market: SimulatedMarket,
  simulatedVenue: boolean,
): MarketDefinition {
  const [base, quote] = market.symbol.split("-");
  const quoteScale = scaleOf(quote);
  const quantityMax = (ORDER_VALUE_MAX / market.referencePrice) * 10 ** market.quantityDecimals;
  return {
    symbol: market.symbol,
    base,
    quote,
    lotUnits: 10 ** (scaleOf(base) - market.quantityDecimals),
    tickLotUnits: 10 ** (quoteScale - market.priceDecimals - market.quantityDecimals),
    notionalMin: (ORDER_VALUE_MIN * 10 ** quoteScale) as Amount,
    quantityLotsMax: roundToOneDigit(quantityMax) as Lots,
    status: "trading",
    simulated: simulatedVenue,
    notionalMax: (ORDER_VALUE_MAX * 10 ** quoteScale) as Amount,
    ...PRICE_LIMITS,
    // If only real users trade, the invented price would keep them from the true price.
    ...(simulatedVenue && {
      referenceTicks: Math.round(market.referencePrice * 10 ** market.priceDecimals) as Ticks,
    }),
  };
}

/** Rounds limits for readability: 778_210 becomes 800_000. */
function roundToOneDigit(value: number): number {
  const magnitude = 10 ** Math.floor(Math.log10(value));
  return Math.max(1, Math.round(value / magnitude)) * magnitude;
}
