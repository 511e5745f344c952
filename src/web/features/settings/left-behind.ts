import type { Balance, Coin } from "#contract/types.ts";
import { formatAmount } from "../../format/money.ts";

const NAMED_MAX = 4;
const DECIMALS_OF_UNKNOWN_COINS = 8;

/**
 * Describes the balances that a deleted user leaves in the ledger, most valuable first: "1,250.00
 * USD, 0.5 BTC and 2 more coins"; null if none.
 */
export function leftBehind(
  balances: readonly Balance[],
  coins: readonly Pick<Coin, "symbol" | "displayDecimals">[],
): string | null {
  const owned = balances
    .filter(({ total }) => /[1-9]/.test(total))
    .toSorted((left, right) => Number(right.value ?? 0) - Number(left.value ?? 0));
  if (owned.length === 0) return null;
  const named = owned.slice(0, NAMED_MAX).map(({ coin, total }) => {
    const decimals = coins.find(({ symbol }) => symbol === coin)?.displayDecimals;
    return formatAmount(total, decimals ?? DECIMALS_OF_UNKNOWN_COINS, coin);
  });
  const others = owned.length - named.length;
  if (others > 0) named.push(others === 1 ? "1 more coin" : `${others} more coins`);
  const last = named.at(-1);
  return named.length === 1 ? named[0] : `${named.slice(0, -1).join(", ")} and ${last}`;
}
