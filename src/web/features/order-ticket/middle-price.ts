import {
  addDecimals,
  divide,
  formatDecimal,
  multiplyDecimals,
  parseDecimal,
} from "#contract/decimal.ts";
import type { Decimal } from "#contract/types.ts";

/** The mid price, rounded to a tick towards the bid. */
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
