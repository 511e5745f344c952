import type { Decimal } from "#contract/types.ts";

const HUNDREDTHS = 100;

/** Profit in percent of the cost, with two decimals; null if nothing was paid. For display. */
export function profitPercent(profit: Decimal | null, value: Decimal | null): Decimal | null {
  if (profit === null || value === null) return null;
  const paid = Number(value) - Number(profit);
  if (!(paid > 0)) return null;
  const percent = Math.round((Number(profit) / paid) * HUNDREDTHS * HUNDREDTHS) / HUNDREDTHS;
  return percent.toFixed(2);
}
