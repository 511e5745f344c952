/**
 * The cost of an account's holding of a coin, and the profit realised by selling it, in settlement
 * units: by average cost, or first in, first out. Exact: the amount paid is either still part of the
 * cost or has left with the sold coins, so both methods have the same sum of realised and unrealised
 * profit.
 */
import { divide } from "#contract/decimal.ts";

/** A holding by average cost: plain data that snapshots store. */
export interface Position {
  /** Units owned, available and held. */
  quantity: number;
  /** The total cost of these units, in settlement units. */
  cost: bigint;
  realisedProfit: bigint;
}

export function acquireUnits(position: Position, units: number, cost: bigint): void {
  position.quantity += units;
  position.cost += cost;
  closeWhenEmpty(position);
}

export function disposeOfUnits(position: Position, units: number, proceeds: bigint): void {
  const cost = shareOfCost(position.cost, units, position.quantity);
  position.quantity -= units;
  position.cost -= cost;
  position.realisedProfit += proceeds - cost;
  closeWhenEmpty(position);
}

function closeWhenEmpty(position: Position): void {
  // A fee can consume all of a tiny purchase, whose cost is then a loss.
  if (position.quantity !== 0) return;
  position.realisedProfit -= position.cost;
  position.cost = 0n;
}

/**
 * The share of a cost, rounded down: the remainder stays with the units that are left, and leaves
 * with the last one.
 */
function shareOfCost(cost: bigint, units: number, of: number): bigint {
  return units >= of ? cost : divide(cost * BigInt(units), BigInt(of), "down");
}

interface Purchase {
  units: number;
  cost: bigint;
}

/** A holding whose oldest units are sold first. */
export class FifoPosition {
  quantity = 0;
  cost = 0n;
  realisedProfit = 0n;
  /** Purchases, oldest first; those before `#first` are sold. */
  #purchases: Purchase[] = [];
  #first = 0;

  acquire(units: number, cost: bigint): void {
    // A fee has consumed all of a tiny purchase, whose cost is a loss.
    if (units === 0) {
      this.realisedProfit -= cost;
      return;
    }
    this.#purchases.push({ units, cost });
    this.quantity += units;
    this.cost += cost;
  }

  dispose(units: number, proceeds: bigint): void {
    let left = units;
    let cost = 0n;
    while (left > 0 && this.#first < this.#purchases.length) {
      const purchase = this.#purchases[this.#first];
      const taken = Math.min(left, purchase.units);
      const share = shareOfCost(purchase.cost, taken, purchase.units);
      purchase.units -= taken;
      purchase.cost -= share;
      cost += share;
      left -= taken;
      if (purchase.units === 0) this.#first += 1;
    }
    this.quantity -= units;
    this.cost -= cost;
    this.realisedProfit += proceeds - cost;
    // Sold purchases are removed once they are more than half of the array.
    if (this.#first * 2 <= this.#purchases.length) return;
    this.#purchases = this.#purchases.slice(this.#first);
    this.#first = 0;
  }
}
