/**
 * Who owns what. Each account has two balances per asset, available and held, in one flat array of
 * integers that float64 holds exactly. Money moves between balances only; it enters from EXTERNAL,
 * whose balance is minus everything that everybody owns, so each asset sums to zero at any time.
 *
 * Invariants: no balance but EXTERNAL's is ever negative; what an asset's owners have together is
 * at most AMOUNT_MAX, so no sum of balances can leave the exact range. The movements here are those
 * of `postingsOf`. Never: prices, orders, fees' arithmetic.
 */
import { AMOUNT_MAX, type Amount } from "./amount.ts";
import { assert } from "./assert.ts";
import { EXTERNAL_ACCOUNT, FEES_ACCOUNT, FIRST_USER_ACCOUNT } from "./postings.ts";
import type { SnapshotReader, SnapshotWriter } from "./snapshot.ts";

/** Balances of all accounts; 1 GB. A new account or asset beyond is refused with `limitReached`. */
const CELLS_MAX = 1 << 27;
const INITIAL_ACCOUNT_SHIFT = 6;
const INITIAL_ASSETS = 16;

export class Ledger {
  /**
   * Available at `index`, held at `index + 1`, for `index = index(account, asset)`. The accounts of
   * one asset stand side by side: every trade pays in one of few settlement coins, whose balances
   * then share their cache lines and pages.
   */
  #cells = new Float64Array((INITIAL_ASSETS << INITIAL_ACCOUNT_SHIFT) * 2);
  /** There is room for 2^shift accounts in each asset's row. */
  #accountShift = INITIAL_ACCOUNT_SHIFT;
  #assets = INITIAL_ASSETS;

  available(account: number, assetId: number): Amount {
    return this.#cells[this.#index(account, assetId)] as Amount;
  }

  held(account: number, assetId: number): Amount {
    return this.#cells[this.#index(account, assetId) + 1] as Amount;
  }

  /** What everybody owns of an asset together. */
  supply(assetId: number): Amount {
    return (0 - this.#cells[this.#index(EXTERNAL_ACCOUNT, assetId)]) as Amount;
  }

  /** Whether there is room for accounts and assets with ids up to these. */
  hasRoomFor(accountMax: number, assetMax: number): boolean {
    const { shift, assets } = this.#sizeFor(accountMax, assetMax);
    return assets * 2 ** shift * 2 <= CELLS_MAX;
  }

  /** Makes room; only after `hasRoomFor`. */
  makeRoomFor(accountMax: number, assetMax: number): void {
    assert(this.hasRoomFor(accountMax, assetMax), "the ledger grows within its bound");
    const { shift, assets } = this.#sizeFor(accountMax, assetMax);
    if (shift === this.#accountShift && assets === this.#assets) return;
    const cells = new Float64Array((assets << shift) * 2);
    const rowLength = 2 << this.#accountShift;
    for (let assetId = 0; assetId < this.#assets; assetId++) {
      const row = this.#cells.subarray(assetId * rowLength, (assetId + 1) * rowLength);
      cells.set(row, assetId * (2 << shift));
    }
    this.#cells = cells;
    this.#accountShift = shift;
    this.#assets = assets;
  }

  #sizeFor(accountMax: number, assetMax: number): { shift: number; assets: number } {
    let shift = this.#accountShift;
    let assets = this.#assets;
    while (2 ** shift <= accountMax) shift++;
    while (assets <= assetMax) assets *= 2;
    return { shift, assets };
  }

  /** New money from outside; the caller has checked that the supply stays in the exact range. */
  deposit(account: number, assetId: number, amount: number): void {
    const cells = this.#cells;
    const external = this.#index(EXTERNAL_ACCOUNT, assetId);
    cells[external] -= amount;
    assert(cells[external] >= -AMOUNT_MAX, "an asset's supply is exact");
    cells[this.#index(account, assetId)] += amount;
  }

  /** Sets aside what an order may spend. */
  hold(account: number, assetId: number, amount: number): void {
    const cells = this.#cells;
    const at = this.#index(account, assetId);
    const available = cells[at] - amount;
    assert(available >= 0, "a hold is covered");
    cells[at] = available;
    cells[at + 1] += amount;
  }

  /** Gives back what was held. */
  release(account: number, assetId: number, amount: number): void {
    const cells = this.#cells;
    const at = this.#index(account, assetId);
    const held = cells[at + 1] - amount;
    assert(held >= 0, "a release is held");
    cells[at + 1] = held;
    cells[at] += amount;
  }

  /**
   * One asset of a trade changes hands: the payer spends `amount` of what it held and gets
   * `released` of its hold back, the receiver gets the amount less its fee, which is collected.
   */
  pay(
    assetId: number,
    payer: number,
    receiver: number,
    amount: number,
    released: number,
    fee: number,
  ): void {
    const cells = this.#cells;
    const from = this.#index(payer, assetId);
    const held = cells[from + 1] - amount - released;
    assert(held >= 0, "a payment is held");
    assert(fee <= amount, "a fee is part of what is received");
    cells[from + 1] = held;
    cells[from] += released;
    cells[this.#index(receiver, assetId)] += amount - fee;
    cells[this.#index(FEES_ACCOUNT, assetId)] += fee;
  }

  /** The sum of an asset over all accounts; zero unless the engine is broken. */
  sum(assetId: number): number {
    let sum = 0;
    for (let account = 0; account < 1 << this.#accountShift; account++) {
      const at = this.#index(account, assetId);
      sum += this.#cells[at] + this.#cells[at + 1];
    }
    return sum;
  }

  /** Balances that are not zero, of accounts below `accountEnd` in assets up to `assetMax`. */
  writeTo(snapshot: SnapshotWriter, accountEnd: number, assetMax: number): void {
    snapshot.part("ledger");
    for (let assetId = 1; assetId <= assetMax; assetId++) {
      for (let account = EXTERNAL_ACCOUNT; account < accountEnd; account++) {
        const available = this.available(account, assetId);
        const held = this.held(account, assetId);
        if (available === 0 && held === 0) continue;
        snapshot.int(account);
        snapshot.number(available);
        snapshot.number(held);
      }
      snapshot.int(0);
    }
  }

  readFrom(snapshot: SnapshotReader, accountEnd: number, assetMax: number): void {
    snapshot.part("ledger");
    this.makeRoomFor(accountEnd - 1, assetMax);
    for (let assetId = 1; assetId <= assetMax; assetId++) {
      for (let account = snapshot.int(); account !== 0; account = snapshot.int()) {
        const isSystem = account === EXTERNAL_ACCOUNT || account === FEES_ACCOUNT;
        if (!isSystem && (account < FIRST_USER_ACCOUNT || account >= accountEnd)) {
          snapshot.refuse("a balance of nobody");
        }
        this.#cells[this.#index(account, assetId)] = snapshot.number();
        this.#cells[this.#index(account, assetId) + 1] = snapshot.number();
      }
    }
  }

  #index(account: number, assetId: number): number {
    return ((assetId << this.#accountShift) + account) << 1;
  }
}
