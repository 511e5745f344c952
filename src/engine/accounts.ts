/**
 * Who may trade: the accounts, each with its kind, its plan and the list of its open orders in order
 * of placement. Never: balances (ledger.ts).
 */
import type { AccountKind } from "./commands.ts";
import { FIRST_USER_ACCOUNT } from "./postings.ts";
import type { SnapshotReader, SnapshotWriter } from "./snapshot.ts";
import {
  NO_ORDER,
  ORDER_ACCOUNT_NEXT,
  ORDER_ACCOUNT_PREVIOUS,
  ORDER_FLOATS,
  ORDER_ID,
  ORDER_INTS,
} from "./order-table.ts";
import type { OrderTable } from "./order-table.ts";

const ACCOUNTS_MAX = 1 << 20;

/** Int32 fields of an account's row; 32 bytes, half a cache line. */
const STRIDE = 8;
const KIND = 0;
const PLAN = 1;
const OPEN_ORDERS = 2;
const FIRST_OPEN = 3;
const LAST_OPEN = 4;
/** Days since 1970 UTC of the last practice funds, plus 1; 0 for never. */
const PRACTICE_DAY = 5;

/** 0 is a row not in use. */
const PERSON = 1;
const PARTICIPANT = 2;

export class Accounts {
  /** The id that the next account gets. */
  nextId = FIRST_USER_ACCOUNT;
  #rows = new Int32Array(64 * STRIDE);
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
    return account >= FIRST_USER_ACCOUNT && account < this.nextId && (account | 0) === account;
  }

  ofUser(userId: string): number | undefined {
    return this.#idsByUser.get(userId);
  }

  userIdOf(account: number): string {
    return this.#userIds[account - FIRST_USER_ACCOUNT];
  }

  open(userId: string, kind: AccountKind, planId: number): number {
    const account = this.nextId++;
    if (this.nextId * STRIDE > this.#rows.length) {
      const rows = new Int32Array(this.#rows.length * 2);
      rows.set(this.#rows);
      this.#rows = rows;
    }
    this.#rows[account * STRIDE + KIND] = kind === "person" ? PERSON : PARTICIPANT;
    this.#rows[account * STRIDE + PLAN] = planId;
    this.#userIds.push(userId);
    this.#idsByUser.set(userId, account);
    return account;
  }

  kindOf(account: number): AccountKind {
    return this.#rows[account * STRIDE + KIND] === PERSON ? "person" : "participant";
  }

  planOf(account: number): number {
    return this.#rows[account * STRIDE + PLAN];
  }

  assignPlan(account: number, planId: number): void {
    this.#rows[account * STRIDE + PLAN] = planId;
  }

  /** Days since 1970 UTC on which it took practice funds last, -1 for never. */
  practiceDayOf(account: number): number {
    return this.#rows[account * STRIDE + PRACTICE_DAY] - 1;
  }

  setPracticeDay(account: number, day: number): void {
    this.#rows[account * STRIDE + PRACTICE_DAY] = day + 1;
  }

  openOrderCount(account: number): number {
    return this.#rows[account * STRIDE + OPEN_ORDERS];
  }

  /** The account's oldest open order, NO_ORDER where it has none; follow ORDER_ACCOUNT_NEXT. */
  firstOpenOrder(account: number): number {
    return this.#rows[account * STRIDE + FIRST_OPEN];
  }

  addOpenOrder(account: number, slot: number): void {
    const rows = this.#rows;
    const { ints } = this.#orders;
    const row = account * STRIDE;
    const last = rows[row + LAST_OPEN];
    ints[slot * ORDER_INTS + ORDER_ACCOUNT_PREVIOUS] = last;
    ints[slot * ORDER_INTS + ORDER_ACCOUNT_NEXT] = NO_ORDER;
    if (last === NO_ORDER) rows[row + FIRST_OPEN] = slot;
    else ints[last * ORDER_INTS + ORDER_ACCOUNT_NEXT] = slot;
    rows[row + LAST_OPEN] = slot;
    rows[row + OPEN_ORDERS]++;
  }

  removeOpenOrder(account: number, slot: number): void {
    const rows = this.#rows;
    const { ints } = this.#orders;
    const row = account * STRIDE;
    const previous = ints[slot * ORDER_INTS + ORDER_ACCOUNT_PREVIOUS];
    const next = ints[slot * ORDER_INTS + ORDER_ACCOUNT_NEXT];
    if (previous === NO_ORDER) rows[row + FIRST_OPEN] = next;
    else ints[previous * ORDER_INTS + ORDER_ACCOUNT_NEXT] = next;
    if (next === NO_ORDER) rows[row + LAST_OPEN] = previous;
    else ints[next * ORDER_INTS + ORDER_ACCOUNT_PREVIOUS] = previous;
    rows[row + OPEN_ORDERS]--;
  }

  /** All but the lists of open orders, which need the orders first. */
  writeTo(snapshot: SnapshotWriter): void {
    snapshot.part("accounts");
    snapshot.int(this.nextId);
    for (let account = FIRST_USER_ACCOUNT; account < this.nextId; account++) {
      snapshot.text(this.userIdOf(account));
      snapshot.flag(this.kindOf(account) === "person");
      snapshot.int(this.planOf(account));
      snapshot.int(this.practiceDayOf(account));
    }
  }

  readFrom(snapshot: SnapshotReader): void {
    snapshot.part("accounts");
    const end = snapshot.int();
    for (let account = FIRST_USER_ACCOUNT; account < end; account++) {
      const userId = snapshot.text();
      const kind = snapshot.flag() ? "person" : "participant";
      this.open(userId, kind, snapshot.int());
      this.setPracticeDay(account, snapshot.int());
    }
  }

  writeOpenOrdersTo(snapshot: SnapshotWriter): void {
    snapshot.part("open orders of accounts");
    const { floats, ints } = this.#orders;
    for (let account = FIRST_USER_ACCOUNT; account < this.nextId; account++) {
      snapshot.int(this.openOrderCount(account));
      let slot = this.firstOpenOrder(account);
      while (slot !== NO_ORDER) {
        snapshot.number(floats[slot * ORDER_FLOATS + ORDER_ID]);
        slot = ints[slot * ORDER_INTS + ORDER_ACCOUNT_NEXT];
      }
    }
  }

  readOpenOrdersFrom(snapshot: SnapshotReader): void {
    snapshot.part("open orders of accounts");
    for (let account = FIRST_USER_ACCOUNT; account < this.nextId; account++) {
      const count = snapshot.count(8);
      for (let index = 0; index < count; index++) {
        const slot = this.#orders.find(snapshot.number());
        if (slot === NO_ORDER) snapshot.refuse("an account lists an order that is not open");
        this.addOpenOrder(account, slot);
      }
    }
  }
}
