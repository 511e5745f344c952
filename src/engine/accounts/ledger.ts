/**
 * Every account's balances. Each account has two balances per asset, available and held, in one flat
 * array of integers that float64 holds exactly. Money only moves between balances; it enters from
 * EXTERNAL and, by adjustments, from ADJUSTMENTS, so each asset always sums to zero.
 *
 * Invariants: no balance but those of EXTERNAL and ADJUSTMENTS is ever negative; a user's account has
 * at most AMOUNT_MAX of an asset, available and held together. All users together may own more: the
 * exchange's own accounts stay exact beyond that too (excess.ts). Every movement reads back its result
 * and asserts that each balance changed by the amount moved, which preserves the zero sum per asset at
 * every command; `sum` is the full check. The movements equal those of `postingsOf`.
 *
 * Every trade is settled by `settleMaker` and `settleTaker`. The ledger knows no prices and no
 * orders, and calculates no fees.
 */
import { AMOUNT_MAX, type Amount } from "../amount.ts";
import { assert, InvariantError } from "../assert.ts";
import { Excess, assetOfKey, excessKey } from "./excess.ts";
import {
  ADJUSTMENTS_ACCOUNT,
  EXTERNAL_ACCOUNT,
  FEES_ACCOUNT,
  FIRST_USER_ACCOUNT,
} from "./postings.ts";
import type { SnapshotReader, SnapshotWriter } from "../formats/snapshot.ts";
import type { StateWriter } from "../formats/state-writer.ts";

/** Balances of all accounts; 1 GB. Accounts or assets beyond that are refused with `limitReached`. */
const CELLS_MAX = 1 << 27;
const INITIAL_ACCOUNT_SHIFT = 6;
/** Splits balances into a multiple of this and a remainder, for exact sums. */
const LOW_PART = 2 ** 26;
const INITIAL_ASSETS = 16;
// The compiler loads and checks an imported constant at each use.
const BALANCE_MAX: number = AMOUNT_MAX;
const FEES: number = FEES_ACCOUNT;

export class Ledger {
  /**
   * Available at `index`, held at `index + 1`, for `index = index(account, asset)`. The accounts of
   * one asset are adjacent: every trade pays in one of few settlement coins, whose balances then
   * share cache lines and pages.
   */
  #cells = new Float64Array((INITIAL_ASSETS << INITIAL_ACCOUNT_SHIFT) * 2);
  /** Each asset's row has room for 2^shift accounts. */
  #accountShift = INITIAL_ACCOUNT_SHIFT;
  #assets = INITIAL_ASSETS;
  /** The amounts that makers have spent and received in trades whose taker has not settled yet. */
  readonly #unsettled = new Float64Array(2);
  /** The part of the exchange's own available balances that does not fit into their cells. */
  readonly #excess = new Excess();

  /** Saturates at AMOUNT_MAX for the exchange's own accounts; `exactAvailable` does not. */
  available(account: number, assetId: number): Amount {
    return this.#cells[this.#index(account, assetId)] as Amount;
  }

  /** The exact balance of any account, however large. */
  exactAvailable(account: number, assetId: number): bigint {
    const isHouse = account < FIRST_USER_ACCOUNT;
    const excess = isHouse ? this.#excess.of(excessKey(account, assetId)) : 0n;
    return BigInt(this.#cells[this.#index(account, assetId)]) + excess;
  }

  held(account: number, assetId: number): Amount {
    return this.#cells[this.#index(account, assetId) + 1] as Amount;
  }

  /** A user account's balance of an asset, available and held together. */
  total(account: number, assetId: number): Amount {
    const at = this.#index(account, assetId);
    return (this.#cells[at] + this.#cells[at + 1]) as Amount;
  }

  /** The sum of all positive balances of an asset. */
  supply(assetId: number): bigint {
    const external = this.exactAvailable(EXTERNAL_ACCOUNT, assetId);
    const adjustments = this.exactAvailable(ADJUSTMENTS_ACCOUNT, assetId);
    return -external - (adjustments < 0n ? adjustments : 0n);
  }

  /** Whether there is room for accounts and assets with ids up to these. */
  hasRoomFor(accountMax: number, assetMax: number): boolean {
    const { shift, assets } = this.#sizeFor(accountMax, assetMax);
    return assets * 2 ** shift * 2 <= CELLS_MAX;
  }

  /** Grows the cells; requires `hasRoomFor`. */
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

  /** Brings in money from outside; the caller has checked that the account may own it. */
  deposit(account: number, assetId: number, amount: number): void {
    this.transfer(EXTERNAL_ACCOUNT, account, assetId, amount);
  }

  /** Moves from the payer's available balance to the receiver's; the caller has checked both. */
  transfer(payer: number, receiver: number, assetId: number, amount: number): void {
    assert(amount >= 0, "money moves forwards");
    this.#change(payer, assetId, 0 - amount);
    this.#change(receiver, assetId, amount);
  }

  /** Changes the account's available balance; `amount` may be negative. */
  #change(account: number, assetId: number, amount: number): void {
    const at = this.#index(account, assetId);
    const before = this.exactAvailable(account, assetId);
    if (account < FIRST_USER_ACCOUNT) {
      const key = excessKey(account, assetId);
      this.#cells[at] = this.#excess.add(key, this.#cells[at], amount);
      const mayOwe = account === EXTERNAL_ACCOUNT || account === ADJUSTMENTS_ACCOUNT;
      assert(mayOwe || this.#cells[at] >= 0, "a transfer is covered");
    } else {
      this.#cells[at] += amount;
      assert(this.#cells[at] >= 0, "a transfer is covered");
      assert(this.total(account, assetId) <= AMOUNT_MAX, "an account's balance is exact");
    }
    const change = this.exactAvailable(account, assetId) - before;
    assert(change === BigInt(amount), "what leaves a balance arrives in another");
  }

  hold(account: number, assetId: number, amount: number): void {
    const at = this.#index(account, assetId);
    this.#move(at, at + 1, amount);
    if (!(this.#cells[at] >= 0)) throw new InvariantError("a hold is covered");
  }

  release(account: number, assetId: number, amount: number): void {
    const at = this.#index(account, assetId);
    this.#move(at + 1, at, amount);
    if (!(this.#cells[at + 1] >= 0)) throw new InvariantError("a release is held");
  }

  /** Moves from the payer's held balance to the receiver's available one. */
  spendHeld(payer: number, receiver: number, assetId: number, amount: number): void {
    this.release(payer, assetId, amount);
    this.transfer(payer, receiver, assetId, amount);
  }

  #move(from: number, to: number, amount: number): void {
    const cells = this.#cells;
    if (!(amount >= 0)) throw new InvariantError("money moves forwards");
    const before = cells[from] + cells[to];
    cells[from] -= amount;
    cells[to] += amount;
    if (cells[from] + cells[to] !== before)
      throw new InvariantError("what leaves a balance arrives in another");
  }

  /** Adds to the collected fees; returns by how much the balance grew, as read back. */
  #collect(assetId: number, fee: number): number {
    const cells = this.#cells;
    const fees = this.#index(FEES, assetId);
    const before = cells[fees];
    const after = before + fee;
    if (after < BALANCE_MAX) {
      cells[fees] = after;
      return cells[fees] - before;
    }
    cells[fees] = this.#excess.add(excessKey(FEES, assetId), before, fee);
    // A saturated cell does not change; the excess does.
    return cells[fees] === BALANCE_MAX ? fee : cells[fees] - before;
  }

  /**
   * Settles a maker's side of a trade: the maker spends `spent` of its hold and receives `received`,
   * net of its fee. The taker settles after it, or after the last of several makers, by `settleTaker`.
   */
  settleMaker(
    maker: number,
    spentAssetId: number,
    spent: number,
    receivedAssetId: number,
    received: number,
  ): void {
    const cells = this.#cells;
    const unsettled = this.#unsettled;
    const from = this.#index(maker, spentAssetId) + 1;
    const to = this.#index(maker, receivedAssetId);
    const held = cells[from] - spent;
    const before = cells[to];
    const after = before + received;
    if (!(held >= 0)) throw new InvariantError("a payment is held");
    if (!(received >= 0)) throw new InvariantError("a fee is part of what is received");
    if (!(after + cells[to + 1] <= BALANCE_MAX))
      throw new InvariantError("an account's balance is exact");
    cells[from] = held;
    cells[to] = after;
    unsettled[0] += spent;
    unsettled[1] += after - before;
  }

  /**
   * Settles the taker's side of all trades that makers have settled since the last call: the taker
   * spends `spent` of its hold, gets `released` of it back and receives `received`, net of fees; both
   * sides' fees are collected. Asserts that makers and fees together received exactly the amount that
   * the taker spent, and the taker and fees the amount that the makers spent.
   */
  settleTaker(
    taker: number,
    spentAssetId: number,
    spent: number,
    released: number,
    makerFees: number,
    receivedAssetId: number,
    received: number,
    takerFees: number,
  ): void {
    const cells = this.#cells;
    const unsettled = this.#unsettled;
    const from = this.#index(taker, spentAssetId);
    const to = this.#index(taker, receivedAssetId);
    const available = cells[from];
    const held = cells[from + 1];
    const owned = cells[to];
    const heldAfter = held - spent - released;
    if (!(heldAfter >= 0)) throw new InvariantError("a payment is held");
    if (!(received >= 0)) throw new InvariantError("a fee is part of what is received");
    cells[from + 1] = heldAfter;
    cells[from] += released;
    cells[to] += received;
    if (!(cells[to] + cells[to + 1] <= BALANCE_MAX))
      throw new InvariantError("an account's balance is exact");
    // Differences of exact balances are exact, however large the totals are.
    const left = held - cells[from + 1] - (cells[from] - available);
    if (left !== unsettled[1] + this.#collect(spentAssetId, makerFees))
      throw new InvariantError("what a taker spends its makers and the fees get");
    const arrived = cells[to] - owned + this.#collect(receivedAssetId, takerFees);
    if (arrived !== unsettled[0])
      throw new InvariantError("what makers spend the taker and the fees get");
    unsettled[0] = 0;
    unsettled[1] = 0;
  }

  /** The sum of an asset over all accounts; zero unless the engine is broken. */
  sum(assetId: number): bigint {
    // Summed in two parts, each exact over the maximum number of cells.
    let high = 0;
    let low = 0;
    const end = this.#index(1 << this.#accountShift, assetId);
    for (let at = this.#index(0, assetId); at < end; at++) {
      const units = this.#cells[at];
      const part = Math.floor(units / LOW_PART);
      high += part;
      low += units - part * LOW_PART;
    }
    let sum = BigInt(high) * BigInt(LOW_PART) + BigInt(low);
    for (const [key, excess] of this.#excess.entries()) {
      if (assetOfKey(key) === assetId) sum += excess;
    }
    return sum;
  }

  /** Writes the non-zero balances of accounts below `accountEnd` in assets up to `assetMax`. */
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

  /** Writes the excess over the cells; a hash omits it if empty, so that earlier hashes stay valid. */
  writeExcessTo(to: StateWriter): void {
    const entries = this.#excess.entries();
    if (!to.isHash) to.int(entries.length);
    for (const [key, excess] of entries) {
      to.int(key);
      to.text(String(excess));
    }
  }

  /** Requires a ledger whose balances have been read. */
  readExcessFrom(snapshot: SnapshotReader): void {
    const count = snapshot.count(8);
    for (let index = 0; index < count; index++) {
      const key = snapshot.int();
      const text = snapshot.text();
      if (!/^-?[1-9][0-9]*$/.test(text)) snapshot.refuse("a balance that is no number");
      this.#excess.set(key, BigInt(text));
    }
  }

  readFrom(snapshot: SnapshotReader, accountEnd: number, assetMax: number): void {
    snapshot.part("ledger");
    this.makeRoomFor(accountEnd - 1, assetMax);
    for (let assetId = 1; assetId <= assetMax; assetId++) {
      for (let account = snapshot.int(); account !== 0; account = snapshot.int()) {
        // The exchange's own accounts have the numbers from EXTERNAL to ADJUSTMENTS.
        const isHouse = account >= EXTERNAL_ACCOUNT && account <= ADJUSTMENTS_ACCOUNT;
        if (!isHouse && (account < FIRST_USER_ACCOUNT || account >= accountEnd)) {
          snapshot.refuse("a balance of no account");
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
