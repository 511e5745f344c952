/** Prices of a market's grid, from places on the chart and steps of the keyboard. */
import { divide, formatDecimal, parseDecimal } from "#contract/decimal.ts";
import type { Decimal, Market } from "#contract/types.ts";

type Grid = Pick<Market, "tickSize" | "priceDecimals">;

/** The price of the market's grid nearest to a place on the chart; at least one tick. */
export function priceAt(value: number, market: Grid): Decimal | null {
  if (!Number.isFinite(value)) return null;
  const text = Math.max(0, value).toFixed(market.priceDecimals);
  return onGrid(parseDecimal(text, market.priceDecimals), market);
}

/** The price some ticks away, at least one tick. */
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
