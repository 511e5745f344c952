/**
 * Limits how much a plan's accounts withdraw per UTC day and UTC month. Withdrawals of all coins count
 * together, valued in the settlement coin, rounded up. Fees and withdrawals that did not happen do not
 * count.
 *
 * A user can move the last price by trades with an accomplice, and would withdraw more at a lower one.
 * The price is therefore the higher of the last one and the median of the last seven days' closes
 * (daily-closes.ts).
 */
import { AMOUNT_MAX } from "../amount.ts";
import type { RejectReason } from "../reject-reasons.ts";
import type { EngineState } from "../state.ts";

/**
 * An amount's value towards the limits. Undefined if the coin has no price: it is not the settlement
 * coin, and its market with that has neither a reference price nor a day that has ended with a price.
 */
export function withdrawalValue(
  { books, catalogue, dailyCloses }: Pick<EngineState, "books" | "catalogue" | "dailyCloses">,
  assetId: number,
  amount: number,
): number | undefined {
  if (assetId === catalogue.settlementId) return amount;
  for (const book of books) {
    if (book?.baseAssetId !== assetId || book.quoteAssetId !== catalogue.settlementId) continue;
    const { lotUnits, referenceTicks = 0, tickLotUnits } = catalogue.markets.get(book.marketId);
    const median = dailyCloses.medianOf(book.marketId, referenceTicks);
    if (median === 0) continue;
    const ticks = Math.max(median, book.lastTicks);
    const exact = BigInt(amount) * BigInt(ticks) * BigInt(tickLotUnits);
    // A value beyond the largest amount exceeds every limit.
    const value = (exact + BigInt(lotUnits) - 1n) / BigInt(lotUnits);
    return value > BigInt(AMOUNT_MAX) ? Infinity : Number(value);
  }
  return undefined;
}

/** Why the account may not withdraw this value now; null if it may. */
export function validateValue(
  { accounts, catalogue, nowMs, transfers }: EngineState,
  account: number,
  value: number | undefined,
): RejectReason | null {
  const { withdrawalDailyMax, withdrawalMonthlyMax } = catalogue.planTerms(
    accounts.planOf(account),
  );
  if (value === undefined) {
    const isUnlimited = withdrawalDailyMax === AMOUNT_MAX && withdrawalMonthlyMax === AMOUNT_MAX;
    return isUnlimited ? null : "noReferencePrice";
  }
  const { dayValue, monthValue } = transfers.withdrawn.of(account, nowMs);
  // Rounding is monotone: a sum beyond the exact range never rounds back below a limit.
  const isWithin =
    dayValue + value <= withdrawalDailyMax && monthValue + value <= withdrawalMonthlyMax;
  return isWithin ? null : "withdrawalLimitReached";
}
