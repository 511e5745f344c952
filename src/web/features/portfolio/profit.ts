import {
  compareDecimals,
  divideDecimals,
  multiplyDecimals,
  subtractDecimals,
} from "#contract/decimal.ts";
import type { Decimal } from "#contract/types.ts";

/** Profit in percent of the cost, with two decimals; null if the cost is zero. */
export function profitPercent(profit: Decimal | null, value: Decimal | null): Decimal | null {
  if (profit === null || value === null) return null;
  const paid = subtractDecimals(value, profit);
  if (compareDecimals(paid, "0") <= 0) return null;
  return divideDecimals(multiplyDecimals(profit, "100"), paid, 2, "nearest");
}
