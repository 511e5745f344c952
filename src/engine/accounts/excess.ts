/**
 * Keeps exact what lies beyond the range of a float64. The exchange's own accounts add up what all
 * users bring, pay and lose, which no single account could own; such a balance stops at AMOUNT_MAX or
 * minus AMOUNT_MAX in its cell, and the rest of it stands here. Empty until a balance gets there.
 */
import { AMOUNT_MAX } from "../amount.ts";
import { FIRST_USER_ACCOUNT } from "./postings.ts";

const EXACT_MAX = BigInt(AMOUNT_MAX);

export class Excess {
  readonly #byKey = new Map<number, bigint>();

  /** By key, ascending; none of them zero. */
  entries(): [number, bigint][] {
    return [...this.#byKey].toSorted(([a], [b]) => a - b);
  }

  /** What the balance has beside its cell, with the same sign. */
  of(key: number): bigint {
    return this.#byKey.get(key) ?? 0n;
  }

  set(key: number, excess: bigint): void {
    if (excess === 0n) this.#byKey.delete(key);
    else this.#byKey.set(key, excess);
  }

  /** The cell's next value when the balance changes by an amount; what it cannot say is kept. */
  add(key: number, cell: number, amount: number): number {
    const sum = cell + amount;
    // Rounding is monotone: a sum beyond the exact range never comes back inside it.
    const isExact = sum <= AMOUNT_MAX && sum >= 0 - AMOUNT_MAX;
    if (isExact && (this.#byKey.size === 0 || !this.#byKey.has(key))) return sum;
    const exact = BigInt(cell) + this.of(key) + BigInt(amount);
    let kept = exact;
    if (exact > EXACT_MAX) kept = EXACT_MAX;
    else if (exact < -EXACT_MAX) kept = -EXACT_MAX;
    this.set(key, exact - kept);
    return Number(kept);
  }
}

/** Of what one of the exchange's own accounts has available of an asset. */
export function excessKey(account: number, assetId: number): number {
  return assetId * FIRST_USER_ACCOUNT + account;
}

export function assetOfKey(key: number): number {
  return Math.floor(key / FIRST_USER_ACCOUNT);
}
