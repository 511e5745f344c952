import type { Decimal } from "#contract/types.ts";

const HUNDREDTHS = 100;

/** A profit in percent of what was paid, with two decimals; null where nothing was paid. For display. */
export function profitPercent(profit: Decimal | null, value: Decimal | null): Decimal | null {
  if (profit === null || value === null) return null;
  const paid = Number(value) - Number(profit);
  if (!(paid > 0)) return null;
  const percent = Math.round((Number(profit) / paid) * HUNDREDTHS * HUNDREDTHS) / HUNDREDTHS;
  return percent.toFixed(2);
}
