/**
 * The 90 days of one-minute candles before the start of a simulated market: a pure function of the
 * seed, the market and the start time, so that every read model and every rebuild derives the same
 * candles. Prices move with a common factor and have calm and volatile hours.
 */
import { SIMULATED_MARKETS } from "../catalogue/markets.ts";
import { createRandom } from "./random.ts";

/** One entry per minute, oldest first; prices in ticks, volumes in lots. */
export interface CandleColumns {
  /** Milliseconds since 1970 UTC, full minutes. */
  readonly openTime: Float64Array;
  readonly open: Float64Array;
  readonly high: Float64Array;
  readonly low: Float64Array;
  readonly close: Float64Array;
  readonly volume: Float64Array;
}

export const HISTORY_DAYS = 90;
const MINUTES_PER_DAY = 1_440;
const MINUTE_MS = 60_000;
/** Persistence of volatility: the share of it that remains after a minute. */
const LIVELINESS_MEMORY = 0.998;
const LIVELINESS_SPREAD = 0.032;

/**
 * The candles of a simulated market up to the minute before `startedAtMs`, from which live trades
 * follow. Empty for a market that is not simulated.
 */
export function simulatedCandles(
  seed: number,
  marketSymbol: string,
  startedAtMs: number,
): CandleColumns {
  const market = SIMULATED_MARKETS.find((candidate) => candidate.symbol === marketSymbol);
  const count = market === undefined ? 0 : HISTORY_DAYS * MINUTES_PER_DAY;
  const columns: CandleColumns = {
    openTime: new Float64Array(count),
    open: new Float64Array(count),
    high: new Float64Array(count),
    low: new Float64Array(count),
    close: new Float64Array(count),
    volume: new Float64Array(count),
  };
  if (market === undefined) return columns;

  const firstMs = Math.floor(startedAtMs / MINUTE_MS) * MINUTE_MS - count * MINUTE_MS;
  const ticksPerCoin = 10 ** market.priceDecimals;
  const lotsPerCoin = 10 ** market.quantityDecimals;
  const logPrices = logPricePath(seed, market, count);
  const random = createRandom(seed, `${marketSymbol} candles`);
  const minuteVolatility = market.dailyVolatility / Math.sqrt(MINUTES_PER_DAY);
  const lotsPerMinute =
    ((market.takersPerSecond * 60 * market.takerValue) / market.referencePrice) * lotsPerCoin;
  const ticks = (logPrice: number) =>
    Math.max(1, Math.round(Math.exp(logPrice) * market.referencePrice * ticksPerCoin));

  for (let minute = 0; minute < count; minute += 1) {
    const openTime = firstMs + minute * MINUTE_MS;
    const openLog = logPrices[minute];
    const closeLog = logPrices[minute + 1];
    const wickUp = Math.abs(random.normal()) * minuteVolatility * 0.5;
    const wickDown = Math.abs(random.normal()) * minuteVolatility * 0.5;
    const effort = Math.abs(closeLog - openLog) / minuteVolatility;
    const lots = lotsPerMinute * timeOfDay(openTime) * (0.4 + 0.6 * effort);
    columns.openTime[minute] = openTime;
    columns.open[minute] = ticks(openLog);
    columns.close[minute] = ticks(closeLog);
    columns.high[minute] = ticks(Math.max(openLog, closeLog) + wickUp);
    columns.low[minute] = ticks(Math.min(openLog, closeLog) - wickDown);
    columns.volume[minute] = Math.max(1, Math.round(lots * Math.exp(0.5 * random.normal())));
  }
  return columns;
}

/** `count + 1` log prices relative to the reference price, ending at exactly 0. */
function logPricePath(
  seed: number,
  market: { symbol: string; dailyVolatility: number; correlation: number },
  count: number,
): Float64Array {
  const { steps, liveliness } = commonFactor(seed, count);
  const own = createRandom(seed, market.symbol);
  const volatility = market.dailyVolatility / Math.sqrt(MINUTES_PER_DAY);
  const ownShare = Math.sqrt(1 - market.correlation ** 2);
  const path = new Float64Array(count + 1);
  for (let minute = 1; minute <= count; minute += 1) {
    const step = market.correlation * steps[minute - 1] + ownShare * own.normal();
    path[minute] = path[minute - 1] + step * volatility * liveliness[minute - 1];
  }
  const end = path[count];
  for (let minute = 0; minute <= count; minute += 1) path[minute] -= end;
  return path;
}

interface CommonFactor {
  readonly seed: number;
  /** The common part of all markets' moves per minute, standard normal. */
  readonly steps: Float64Array;
  /** The volatility of each minute relative to the usual. */
  readonly liveliness: Float64Array;
}

/** Cached, because all markets of a seed share it and are generated one after another. */
let lastFactor: CommonFactor | undefined;

function commonFactor(seed: number, count: number): CommonFactor {
  if (lastFactor?.seed === seed && lastFactor.steps.length === count) return lastFactor;
  const random = createRandom(seed, "common factor");
  const steps = new Float64Array(count);
  const liveliness = new Float64Array(count);
  let logLiveliness = 0;
  for (let minute = 0; minute < count; minute += 1) {
    logLiveliness = logLiveliness * LIVELINESS_MEMORY + LIVELINESS_SPREAD * random.normal();
    liveliness[minute] = Math.exp(logLiveliness);
    steps[minute] = random.normal();
  }
  lastFactor = { seed, steps, liveliness };
  return lastFactor;
}

/** Relative volatility by time of day: lowest around 03 UTC, highest at 15 UTC. */
function timeOfDay(timeMs: number): number {
  const hour = (timeMs / 3_600_000) % 24;
  return 1 + 0.45 * Math.cos(((hour - 15) / 24) * 2 * Math.PI);
}
