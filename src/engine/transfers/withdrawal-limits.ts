/**
 * Limits how much a plan's accounts withdraw per UTC day and UTC month. Withdrawals of all coins count
 * together, valued in the settlement coin at the last price of the coin's market, rounded up. Fees and
 * withdrawals that did not happen do not count.
 */
import { AMOUNT_MAX } from "../amount.ts";
import type { RejectReason } from "../reject-reasons.ts";
import type { EngineState } from "../state.ts";

/**
 * An amount's value towards the limits. Undefined if the coin has no price: it is not the settlement
 * coin, and its market with that has neither a last nor a reference price.
 */
export function withdrawalValue(
  { books, catalogue }: Pick<EngineState, "books" | "catalogue">,
  assetId: number,
  amount: number,
): number | undefined {
  if (assetId === catalogue.settlementId) return amount;
  for (const book of books) {
    if (book?.baseAssetId !== assetId || book.quoteAssetId !== catalogue.settlementId) continue;
    const { lotUnits, referenceTicks = 0, tickLotUnits } = catalogue.markets.get(book.marketId);
    const ticks = book.lastTicks === 0 ? referenceTicks : book.lastTicks;
    if (ticks === 0) continue;
    const exact = BigInt(amount) * BigInt(ticks) * BigInt(tickLotUnits);
    // A value beyond the largest amount exceeds every limit.
    const value = (exact + BigInt(lotUnits) - 1n) / BigInt(lotUnits);
    return value > BigInt(AMOUNT_MAX) ? Infinity : Number(value);
  }
  return undefined;
}

/** Why the account may not withdraw this value now; null if it may. */
export function refuseValue(
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
