import type { Decimal } from "#contract/types.ts";
import { Change } from "../ui/change.tsx";
import { formatExact, formatExactSigned, NO_VALUE } from "./decimal-text.ts";
import { directionOf, formatAmount, formatProfit } from "./money.ts";

interface AmountProps {
  readonly amount: Decimal | null;
  /** As many as pages show of the coin; the ledger may keep more. */
  readonly decimals?: number;
  readonly coin?: string;
}

/**
 * What is owned of a coin, or its value: cut, never rounded up, wherever it is printed. Where digits
 * were cut, the exact amount is in the title.
 */
export function Amount({ amount, decimals = 2, coin }: AmountProps) {
  if (amount === null) return <>{NO_VALUE}</>;
  const title = isCut(amount, decimals) ? withCoin(formatExact(amount), coin) : undefined;
  return <span title={title}>{formatAmount(amount, decimals, coin)}</span>;
}

/** A profit or a loss, to the nearest; where digits were left out, the exact one is in the title. */
export function ProfitAmount({ amount, decimals = 2, coin }: AmountProps) {
  if (amount === null) return <>{NO_VALUE}</>;
  const title = isCut(amount, decimals) ? withCoin(formatExactSigned(amount), coin) : undefined;
  return (
    <span title={title}>
      <Change text={formatProfit(amount, decimals, coin)} direction={directionOf(amount)} />
    </span>
  );
}

/** Whether there are digits beyond the decimals. */
function isCut(amount: Decimal, decimals: number): boolean {
  return /[1-9]/.test((amount.split(".")[1] ?? "").slice(decimals));
}

function withCoin(text: string, coin: string | undefined): string {
  return coin === undefined ? text : `${text} ${coin}`;
}
