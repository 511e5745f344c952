import {
  addDecimals,
  divide,
  formatDecimal,
  multiplyDecimals,
  parseDecimal,
} from "#contract/decimal.ts";
import type { Decimal } from "#contract/types.ts";
import { unitsOf } from "../../format/typed-number.ts";

/**
 * The price `steps` ticks away, on the tick grid and at least one tick. An invalid price starts
 * from `start`; null if there is no start.
 */
export function stepPrice(
  text: string,
  steps: number,
  tickSize: Decimal,
  decimals: number,
  start: Decimal | null,
): Decimal | null {
  const tick = parseDecimal(tickSize, decimals);
  const units = unitsOf(text, decimals);
  if (units === null) return start;
  const moved = units + BigInt(steps) * tick;
  // A price between two ticks snaps to the one in the direction of the step.
  const onGrid = divide(moved, tick, steps > 0 ? "down" : "up") * tick;
  return formatDecimal(onGrid < tick ? tick : onGrid, decimals);
}

/** The middle of the spread, rounded to the tick grid towards the bid. */
export function middlePrice(
  bid: Decimal,
  ask: Decimal,
  tickSize: Decimal,
  decimals: number,
): Decimal {
  const tick = parseDecimal(tickSize, decimals);
  const half = parseDecimal(multiplyDecimals(addDecimals(bid, ask), "0.5"), decimals + 1);
  return formatDecimal(divide(half, tick * 10n, "down") * tick, decimals);
}
