/** Computes prices on a market's tick grid from chart positions and keyboard steps. */
import { divide, formatDecimal, parseDecimal } from "#contract/decimal.ts";
import type { Decimal, Market } from "#contract/types.ts";

type Grid = Pick<Market, "tickSize" | "priceDecimals">;

/** The price on the tick grid that is nearest to a chart value; at least one tick. */
export function priceAt(value: number, market: Grid): Decimal | null {
  if (!Number.isFinite(value)) return null;
  const text = Math.max(0, value).toFixed(market.priceDecimals);
  return onGrid(parseDecimal(text, market.priceDecimals), market);
}

/** Moves a price by a number of ticks; at least one tick remains. */
export function movedPrice(price: Decimal, ticks: number, market: Grid): Decimal {
  const { priceDecimals, tickSize } = market;
  const tick = parseDecimal(tickSize, priceDecimals);
  return onGrid(parseDecimal(price, priceDecimals) + BigInt(ticks) * tick, market);
}

function onGrid(units: bigint, { priceDecimals, tickSize }: Grid): Decimal {
  const tick = parseDecimal(tickSize, priceDecimals);
  const rounded = divide(units, tick, "nearest") * tick;
  return formatDecimal(rounded < tick ? tick : rounded, priceDecimals);
}
