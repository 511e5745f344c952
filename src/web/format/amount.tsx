import type { Decimal } from "#contract/types.ts";
import { Change } from "../ui/price-change.tsx";
import { formatExact, formatExactSigned, NO_VALUE } from "./decimal-text.ts";
import { directionOf, formatAmount, formatProfit } from "./money.ts";

interface AmountProps {
  readonly amount: Decimal | null;
  /** Decimals printed; the ledger may keep more. */
  readonly decimals?: number;
  readonly coin?: string;
}

/**
 * A balance or its value, truncated so that it never looks larger than it is. If digits were cut,
 * the title has the exact amount.
 */
export function Amount({ amount, decimals = 2, coin }: AmountProps) {
  if (amount === null) return <>{NO_VALUE}</>;
  const title = isCut(amount, decimals) ? withCoin(formatExact(amount), coin) : undefined;
  return <span title={title}>{formatAmount(amount, decimals, coin)}</span>;
}

/** A profit or loss, rounded to the nearest. If digits were cut, the title has the exact amount. */
export function ProfitAmount({ amount, decimals = 2, coin }: AmountProps) {
  if (amount === null) return <>{NO_VALUE}</>;
  const title = isCut(amount, decimals) ? withCoin(formatExactSigned(amount), coin) : undefined;
  return (
    <span title={title}>
      <Change text={formatProfit(amount, decimals, coin)} direction={directionOf(amount)} />
    </span>
  );
}

/** Whether the amount has more decimals than are printed. */
function isCut(amount: Decimal, decimals: number): boolean {
  return /[1-9]/.test((amount.split(".")[1] ?? "").slice(decimals));
}

function withCoin(text: string, coin: string | undefined): string {
  return coin === undefined ? text : `${text} ${coin}`;
}
