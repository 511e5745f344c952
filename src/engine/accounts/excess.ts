/**
 * Keeps balances exact beyond the range of a float64. The exchange's own accounts add up all that
 * users deposit, pay and lose, which no single account could own; the cell of such a balance saturates
 * at plus or minus AMOUNT_MAX, and the excess is kept here. Empty while no balance exceeds the range.
 */
import { AMOUNT_MAX } from "../amount.ts";
import { FIRST_USER_ACCOUNT } from "./postings.ts";

const EXACT_MAX = BigInt(AMOUNT_MAX);

export class Excess {
  readonly #byKey = new Map<number, bigint>();

  /** All excesses by ascending key; none is zero. */
  entries(): [number, bigint][] {
    return [...this.#byKey].toSorted(([a], [b]) => a - b);
  }

  /** A balance's excess over its saturated cell, with the same sign; 0 if none. */
  of(key: number): bigint {
    return this.#byKey.get(key) ?? 0n;
  }

  set(key: number, excess: bigint): void {
    if (excess === 0n) this.#byKey.delete(key);
    else this.#byKey.set(key, excess);
  }

  /** The value of a balance's cell after a change by `amount`; any excess is kept here. */
  add(key: number, cell: number, amount: number): number {
    const sum = cell + amount;
    // Rounding is monotone: a sum beyond the exact range never rounds back into it.
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

/** The key of the available balance of one of the exchange's own accounts. */
export function excessKey(account: number, assetId: number): number {
  return assetId * FIRST_USER_ACCOUNT + account;
}

export function assetOfKey(key: number): number {
  return Math.floor(key / FIRST_USER_ACCOUNT);
}
