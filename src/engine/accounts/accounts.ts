/**
 * The accounts that may trade: for each its kind, plan, freeze, traded volume and its open orders
 * in order of placement. Balances are in ledger.ts; which fees a volume earns is in fee-tiers.ts.
 */
import { AMOUNT_MAX } from "../amount.ts";
import { grown } from "../typed-arrays.ts";
import type { AccountKind } from "../commands.ts";
import { FIRST_USER_ACCOUNT } from "./postings.ts";
import type { SnapshotReader } from "../formats/snapshot.ts";
import type { PackedFees } from "./packed-fees.ts";
import type { OrderTable } from "../book/order-table.ts";
import type { StateWriter } from "../formats/state-writer.ts";

const ACCOUNTS_MAX = 1 << 20;
/**
 * The slot of no order. Declared here, not imported, so that the compiler treats it as a constant.
 */
const NONE = 0;

/** A row of an account has 2^4 Int32 fields: 64 bytes, one cache line. */
const ROW_SHIFT = 4;
const KIND = 0;
const PLAN = 1;
const OPEN_ORDERS = 2;
const FIRST_OPEN = 3;
const LAST_OPEN = 4;
/**
 * The UTC day (days since 1970) on which the account last took practice funds, plus 1; 0 if never.
 */
const PRACTICE_DAY = 5;
const FROZEN = 6;
/** The day on which the account last traded, numbered as in fee-tiers.ts; 0 if never. */
const VOLUME_DAY = 7;
/** The account's cached fees, valid while `FEES_KEY` matches; not part of the state. */
const FEES = 8;
const FEES_KEY = 9;
/**
 * The number of open orders that wait or are icebergs; derived from the list of orders, not part of
 * the state.
 */
const ALGO_ORDERS = 12;
/** The same row has 2^3 Float64 fields. */
const FLOATS_SHIFT = 3;
/** The volume traded on `VOLUME_DAY`, in units of the settlement coin. */
const VOLUME = 5;

/** How many full UTC days before today count towards an account's volume. */
export const VOLUME_DAYS = 30;

// The compiler loads and checks an imported constant at each use.
const FIRST_ACCOUNT: number = FIRST_USER_ACCOUNT;
const VOLUME_MAX: number = AMOUNT_MAX;

/** Kinds of accounts; 0 marks an unused row. */
const PERSON = 1;
const PARTICIPANT = 2;

export class Accounts {
  nextId = FIRST_USER_ACCOUNT;
  #floats = new Float64Array(64 << FLOATS_SHIFT);
  #rows = new Int32Array(this.#floats.buffer);
  /**
   * Past volumes by account: day, volume, day, volume … of the days before its `VOLUME_DAY`,
   * ascending.
   */
  readonly #pastVolumes: (number[] | undefined)[] = [];
  readonly #userIds: string[] = [];
  readonly #idsByUser = new Map<string, number>();
  readonly #orders: OrderTable;

  constructor(orders: OrderTable) {
    this.#orders = orders;
  }

  get isFull(): boolean {
    return this.nextId >= ACCOUNTS_MAX;
  }

  /** Whether the number is the id of an account that a user or participant owns. */
  exists(account: number): boolean {
    return account >= FIRST_ACCOUNT && account < this.nextId && (account | 0) === account;
  }

  ofUser(userId: string): number | undefined {
    return this.#idsByUser.get(userId);
  }

  userIdOf(account: number): string {
    return this.#userIds[account - FIRST_USER_ACCOUNT];
  }

  open(userId: string, kind: AccountKind, planId: number): number {
    const account = this.nextId++;
    if (this.nextId << ROW_SHIFT > this.#rows.length) {
      this.#floats = grown(this.#floats, this.#floats.length * 2);
      this.#rows = new Int32Array(this.#floats.buffer);
    }
    this.#rows[(account << ROW_SHIFT) | KIND] = kind === "person" ? PERSON : PARTICIPANT;
    this.#rows[(account << ROW_SHIFT) | PLAN] = planId;
    this.#userIds.push(userId);
    this.#idsByUser.set(userId, account);
    return account;
  }

  kindOf(account: number): AccountKind {
    return this.#rows[(account << ROW_SHIFT) | KIND] === PERSON ? "person" : "participant";
  }

  planOf(account: number): number {
    return this.#rows[(account << ROW_SHIFT) | PLAN];
  }

  assignPlan(account: number, planId: number): void {
    this.#rows[(account << ROW_SHIFT) | PLAN] = planId;
    this.#rows[(account << ROW_SHIFT) | FEES_KEY] = 0;
  }

  isFrozen(account: number): boolean {
    return this.#rows[(account << ROW_SHIFT) | FROZEN] === 1;
  }

  setFrozen(account: number, isFrozen: boolean): void {
    this.#rows[(account << ROW_SHIFT) | FROZEN] = isFrozen ? 1 : 0;
  }

  /** Adds to the account's volume of today, in units of the settlement coin. */
  addVolume(account: number, today: number, units: number): void {
    if (this.#rows[(account << ROW_SHIFT) | VOLUME_DAY] !== today)
      this.#beginVolumeDay(account, today);
    const at = (account << FLOATS_SHIFT) | VOLUME;
    // The same money may be traded any number of times: the volume saturates at the largest exact
    // integer.
    this.#floats[at] = Math.min(this.#floats[at] + units, VOLUME_MAX);
  }

  /**
   * Stores the volume of the last day with one and drops the days that no longer count. At most
   * once a day.
   */
  #beginVolumeDay(account: number, today: number): void {
    const row = account << ROW_SHIFT;
    const at = (account << FLOATS_SHIFT) | VOLUME;
    const past = (this.#pastVolumes[account] ??= []);
    if (this.#floats[at] > 0) past.push(this.#rows[row | VOLUME_DAY], this.#floats[at]);
    let aged = 0;
    while (aged < past.length && past[aged] < today - VOLUME_DAYS) aged += 2;
    past.splice(0, aged);
    this.#rows[row | VOLUME_DAY] = today;
    this.#floats[at] = 0;
  }

  /** The account's volume of the 30 UTC days before today, in units of the settlement coin. */
  volumeBefore(account: number, today: number): number {
    let volume = 0;
    this.#forEachVolume(account, (day, units) => {
      if (day < today && day >= today - VOLUME_DAYS) volume = Math.min(volume + units, AMOUNT_MAX);
    });
    return volume;
  }

  /** Visits each stored day and its volume, oldest first. */
  #forEachVolume(account: number, visit: (day: number, units: number) => void): void {
    const past = this.#pastVolumes[account] ?? [];
    for (let at = 0; at < past.length; at += 2) visit(past[at], past[at + 1]);
    const day = this.#rows[(account << ROW_SHIFT) | VOLUME_DAY];
    if (day !== 0) visit(day, this.#floats[(account << FLOATS_SHIFT) | VOLUME]);
  }

  /** The fees cached under this key, 0 if they must be looked up. */
  keptFees(account: number, key: number): PackedFees {
    const row = account << ROW_SHIFT;
    const fees = this.#rows[row | FEES_KEY] === key ? this.#rows[row | FEES] : 0;
    return fees as PackedFees;
  }

  keepFees(account: number, key: number, fees: PackedFees): void {
    this.#rows[(account << ROW_SHIFT) | FEES_KEY] = key;
    this.#rows[(account << ROW_SHIFT) | FEES] = fees;
  }

  /** The UTC day (days since 1970) on which the account last took practice funds; -1 if never. */
  practiceDayOf(account: number): number {
    return this.#rows[(account << ROW_SHIFT) | PRACTICE_DAY] - 1;
  }

  setPracticeDay(account: number, day: number): void {
    this.#rows[(account << ROW_SHIFT) | PRACTICE_DAY] = day + 1;
  }

  openOrderCount(account: number): number {
    return this.#rows[(account << ROW_SHIFT) | OPEN_ORDERS];
  }

  algoOrderCount(account: number): number {
    return this.#rows[(account << ROW_SHIFT) | ALGO_ORDERS];
  }

  countAlgoOrders(account: number, change: 1 | -1): void {
    this.#rows[(account << ROW_SHIFT) | ALGO_ORDERS] += change;
  }

  /** The account's oldest open order, NO_ORDER if none; `nextOfAccount` continues from it. */
  firstOpenOrder(account: number): number {
    return this.#rows[(account << ROW_SHIFT) | FIRST_OPEN];
  }

  /**
   * Inserts an order by its id: the waiting orders of a list are opened before the list's first
   * order.
   */
  addOpenOrder(account: number, slot: number): void {
    const rows = this.#rows;
    const orders = this.#orders;
    const row = account << ROW_SHIFT;
    const orderId = orders.idOf(slot);
    let previous = rows[row | LAST_OPEN];
    let next = NONE;
    while (previous !== NONE && orders.idOf(previous) > orderId) {
      next = previous;
      previous = orders.previousOfAccount(previous);
    }
    orders.setPreviousOfAccount(slot, previous);
    orders.setNextOfAccount(slot, next);
    if (previous === NONE) rows[row | FIRST_OPEN] = slot;
    else orders.setNextOfAccount(previous, slot);
    if (next === NONE) rows[row | LAST_OPEN] = slot;
    else orders.setPreviousOfAccount(next, slot);
    rows[row | OPEN_ORDERS]++;
  }

  /** Appends the newest of all orders, without reading the row of the order before it. */
  appendOpenOrder(account: number, slot: number): void {
    const rows = this.#rows;
    const orders = this.#orders;
    const row = account << ROW_SHIFT;
    const previous = rows[row | LAST_OPEN];
    orders.setPreviousOfAccount(slot, previous);
    orders.setNextOfAccount(slot, NONE);
    if (previous === NONE) rows[row | FIRST_OPEN] = slot;
    else orders.setNextOfAccount(previous, slot);
    rows[row | LAST_OPEN] = slot;
    rows[row | OPEN_ORDERS]++;
  }

  removeOpenOrder(account: number, slot: number): void {
    const rows = this.#rows;
    const orders = this.#orders;
    const row = account << ROW_SHIFT;
    const previous = orders.previousOfAccount(slot);
    const next = orders.nextOfAccount(slot);
    if (previous === NONE) rows[row | FIRST_OPEN] = next;
    else orders.setNextOfAccount(previous, next);
    if (next === NONE) rows[row | LAST_OPEN] = previous;
    else orders.setPreviousOfAccount(next, previous);
    rows[row | OPEN_ORDERS]--;
  }

  /** Writes an account except its open orders, which a snapshot restores with the books. */
  writeAccount(to: StateWriter, account: number): void {
    const kind = this.kindOf(account);
    to.text(this.userIdOf(account));
    if (to.isHash) to.text(kind);
    else to.flag(kind === "person");
    to.int(this.planOf(account));
    to.int(this.practiceDayOf(account));
    to.flag(this.isFrozen(account));
    this.#forEachVolume(account, (day, units) => {
      to.int(day);
      to.number(units);
    });
    if (!to.isHash) to.int(0);
  }

  /**
   * Writes which open orders the account has, in cancellation order; the orders themselves are
   * written with the books.
   */
  writeOpenOrders(to: StateWriter, account: number): void {
    const orders = this.#orders;
    to.int(this.openOrderCount(account));
    let slot = this.firstOpenOrder(account);
    while (slot !== NONE) {
      to.number(orders.idOf(slot));
      slot = orders.nextOfAccount(slot);
    }
  }

  readFrom(snapshot: SnapshotReader): void {
    const end = snapshot.int();
    for (let account = FIRST_USER_ACCOUNT; account < end; account++) {
      const userId = snapshot.text();
      const kind = snapshot.flag() ? "person" : "participant";
      this.open(userId, kind, snapshot.int());
      this.setPracticeDay(account, snapshot.int());
      this.setFrozen(account, snapshot.flag());
      // Added day by day, as traded, so that the last day ends up in the row.
      for (let day = snapshot.int(); day !== 0; day = snapshot.int()) {
        this.addVolume(account, day, snapshot.number());
      }
    }
  }

  readOpenOrdersFrom(snapshot: SnapshotReader): void {
    for (let account = FIRST_USER_ACCOUNT; account < this.nextId; account++) {
      const count = snapshot.count(8);
      let lastId = 0;
      for (let index = 0; index < count; index++) {
        const orderId = snapshot.number();
        // Ids ascend in order of placement; a duplicate would close the list into a ring.
        if (!(orderId > lastId)) snapshot.refuse("an account lists its orders in another order");
        lastId = orderId;
        const slot = this.#orders.find(orderId);
        if (slot === NONE) snapshot.refuse("an account lists an order that is not open");
        if (this.#orders.accountOf(slot) !== account) {
          snapshot.refuse("an account lists another's order");
        }
        this.addOpenOrder(account, slot);
      }
    }
  }
}
