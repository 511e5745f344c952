/**
 * The recent records of each person: open orders, and the newest orders, fills, transfers, ledger
 * entries and rows of activity. Older records are in the history. Simulated participants are
 * excluded.
 *
 * The records of a person who has no open orders, and whose records were not read for a while, are
 * kept as bytes.
 */
import { deserialize, serialize } from "node:v8";
import type { EventOf, ExchangeEvent } from "#engine/events.ts";
import type { MarketAssets, Posting } from "#engine/accounts/postings.ts";
import {
  accountActivityOf,
  type AccountActivityEvent,
  type Activity,
  type ActivityRecord,
  type TransferRecord,
} from "../records/activity.ts";
import { type LedgerEntryRecord, ledgerEntryOf } from "../records/ledger-entries.ts";
import {
  applyChange,
  applyEnd,
  applyTrade,
  type OrderChange,
  type OrderRecord,
  type OrderState,
  placedOrder,
} from "../records/orders.ts";
import {
  PackedPerson,
  type PackedRecords,
  packRecords,
  type PersonItems,
} from "../records/packed-records.ts";
import { fillOf, type FillRecord } from "../records/trades.ts";
import type { OrderListRecord } from "../records/order-lists.ts";
import { TrailingStops } from "../records/trailing-stops.ts";

/** A person counts as idle after this long. */
const IDLE_MS = 5 * 60_000;
/** Maximum number of people to pack in one call: packing one takes up to a millisecond. */
const PACKED_PER_CALL = 5;
const SEEN_PER_CALL = 5_000;

/** Ended orders, fills, transfers and ledger entries kept per person. */
export const RECORDS_KEPT = 200;

/**
 * The newest items; grows to twice the kept number before it is cut, so that most pushes only
 * append. Earlier items may still be packed: these are only counted.
 */
class Latest<T> {
  #items: T[] = [];
  #packed: number;

  constructor(packed = 0) {
    this.#packed = packed;
  }

  push(item: T): void {
    this.#items.push(item);
    if (this.#packed + this.#items.length < 2 * RECORDS_KEPT) return;
    this.#items = this.#items.slice(-RECORDS_KEPT);
    this.#packed = RECORDS_KEPT - this.#items.length;
  }
  newestFirst(): T[] {
    return this.#items.slice(-RECORDS_KEPT).toReversed();
  }
  /** The newest item that is not packed. */
  newest(): T | undefined {
    return this.#items.at(-1);
  }
  all(): T[] {
    return this.#items;
  }
  /** Prepends the packed items that still count, which are the last of those unpacked. */
  unpack(items: readonly T[]): void {
    this.#items = [...items.slice(items.length - this.#packed), ...this.#items];
    this.#packed = 0;
  }
}

class Person {
  /** The time of the last use of the records, by the clock of `packIdle`. */
  usedAtMs = 0;
  /** Open orders in the order they were placed. */
  readonly open = new Map<number, OrderState>();
  /**
   * Open orders and the newest ended ones, in the order they were placed, without those still
   * packed.
   */
  orders = new Map<number, OrderState>();
  /** Ids of the kept ended orders, oldest first. */
  readonly ended: number[];
  readonly fills: Latest<FillRecord>;
  readonly transfers: Latest<TransferRecord>;
  readonly activity: Latest<ActivityRecord>;
  readonly ledgerEntries: Latest<LedgerEntryRecord>;
  #packed: PackedPerson | undefined;

  constructor(packed?: PackedPerson) {
    this.#packed = packed;
    this.ended = packed?.ended() ?? [];
    this.fills = new Latest(packed?.count("fills"));
    this.transfers = new Latest(packed?.count("transfers"));
    this.activity = new Latest(packed?.count("activity"));
    this.ledgerEntries = new Latest(packed?.count("ledgerEntries"));
    for (const order of packed?.openOrders() ?? []) this.open.set(order.orderId, order);
  }

  /** Whether most of the person's records are still in the columns of a snapshot. */
  get isPacked(): boolean {
    return this.#packed !== undefined;
  }

  /** This person with all kept records unpacked. */
  unpacked(): this {
    const packed = this.#packed;
    if (packed === undefined) return this;
    this.#packed = undefined;
    const { activity, fills, ledgerEntries, transfers } = packed.items();
    this.fills.unpack(fills);
    this.transfers.unpack(transfers);
    this.activity.unpack(activity);
    this.ledgerEntries.unpack(ledgerEntries);
    const ended = new Set(this.ended);
    const kept = packed
      .orders()
      .filter(({ orderId }) => this.open.has(orderId) || ended.has(orderId));
    const orders = [...kept, ...this.orders.values()];
    this.orders = new Map(orders.map((order) => [order.orderId, order]));
    return this;
  }

  items(): PersonItems {
    return {
      orders: [...this.orders.values()],
      ended: this.ended,
      fills: this.fills.all(),
      transfers: this.transfers.all(),
      activity: this.activity.all(),
      ledgerEntries: this.ledgerEntries.all(),
    };
  }
}

export class PersonRecords {
  /** Each person's records by account; as bytes while idle. */
  readonly #people: (Person | Uint8Array | undefined)[] = [];
  readonly #trailingStops = new TrailingStops();
  /** The time last passed to `packIdle`. */
  #nowMs = 0;
  /** The account at which `packIdle` continues. */
  #next = 0;

  /** The memory that the records of idle people take, in bytes. */
  get packedBytes(): number {
    const packed = this.#people.filter((person) => person instanceof Uint8Array);
    return packed.reduce((sum, { byteLength }) => sum + byteLength, 0);
  }

  /**
   * Packs some of the idle people; call it every second or so, but never in the middle of a
   * command.
   * @param nowMs of a monotonic clock
   */
  packIdle(nowMs: number): void {
    this.#nowMs = nowMs;
    let left = PACKED_PER_CALL;
    const seenMax = Math.min(SEEN_PER_CALL, this.#people.length);
    for (let seen = 0; seen < seenMax && left > 0; seen += 1) {
      const account = this.#next;
      this.#next = (account + 1) % this.#people.length;
      const person = this.#people[account];
      if (!(person instanceof Person) || person.isPacked || person.open.size > 0) continue;
      if (nowMs - person.usedAtMs < IDLE_MS) continue;
      const records = packRecords(new Map([[account, person.unpacked().items()]]));
      this.#people[account] = serialize(records);
      left -= 1;
    }
  }

  /** Open orders of an account, oldest first. */
  openOrders(account: number): OrderRecord[] {
    return [...(this.#openOf(account)?.values() ?? [])];
  }
  openOrderCount(account: number): number {
    return this.#openOf(account)?.size ?? 0;
  }
  /** Open orders and at least the newest 200 ended ones, newest first. */
  recentOrders(account: number): OrderRecord[] {
    return [...(this.#unpacked(account)?.orders.values() ?? [])].toReversed();
  }
  /** The sequence after which every order that ended is in `recentOrders`; 0 if all orders are. */
  endedKeptAfter(account: number): number {
    const person = this.#unpacked(account);
    if (person === undefined || person.ended.length < RECORDS_KEPT) return 0;
    return person.orders.get(person.ended[0])?.updatedSequence ?? 0;
  }
  /**
   * An open or recently ended order of this account; undefined if it belongs to another account.
   */
  order(account: number, orderId: number): OrderRecord | undefined {
    return this.#unpacked(account)?.orders.get(orderId);
  }
  /** The newest open or recently ended order with this client order id. */
  orderByClientId(account: number, clientOrderId: string): OrderRecord | undefined {
    let newest: OrderRecord | undefined;
    for (const order of this.#unpacked(account)?.orders.values() ?? []) {
      if (order.clientOrderId === clientOrderId) newest = order;
    }
    return newest;
  }
  /**
   * The last sequence in which anything happened to the account's orders or money, 0 if none: a
   * history that has reached it has all of the account's records.
   */
  lastSequence(account: number): number {
    const person = this.#unpacked(account);
    if (person === undefined) return 0;
    const { activity, ledgerEntries, orders } = person;
    let last = Math.max(activity.newest()?.sequence ?? 0, ledgerEntries.newest()?.sequence ?? 0);
    for (const { updatedSequence } of orders.values()) last = Math.max(last, updatedSequence);
    return last;
  }
  /** Fills of an account, newest first, as in all functions below. */
  fills(account: number): FillRecord[] {
    return this.#unpacked(account)?.fills.newestFirst() ?? [];
  }
  transfers(account: number): TransferRecord[] {
    return this.#unpacked(account)?.transfers.newestFirst() ?? [];
  }
  activity(account: number): ActivityRecord[] {
    return this.#unpacked(account)?.activity.newestFirst() ?? [];
  }
  ledgerEntries(account: number): LedgerEntryRecord[] {
    return this.#unpacked(account)?.ledgerEntries.newestFirst() ?? [];
  }
  /**
   * The entries of one sequence in order; undefined if that is so old that some may be missing
   * here.
   */
  ledgerEntriesOf(account: number, sequence: number): LedgerEntryRecord[] | undefined {
    const entries = this.ledgerEntries(account).toReversed();
    if (entries.length === RECORDS_KEPT && sequence <= entries[0].sequence) return undefined;
    return entries.filter((entry) => entry.sequence === sequence);
  }

  foldOpened(event: EventOf<"accountOpened">): void {
    const person = new Person();
    person.usedAtMs = this.#nowMs;
    this.#people[event.account] = person;
  }

  state(): PackedRecords {
    const people = new Map<number, PersonItems>();
    this.#people.forEach((person, account) => {
      if (person !== undefined) people.set(account, decodedPerson(person).unpacked().items());
    });
    return packRecords(people);
  }

  restore(state: PackedRecords): void {
    for (let row = 0; row < state.people.account.length; row += 1) {
      const packed = new PackedPerson(state, row);
      const person = new Person(packed);
      this.#people[packed.account] = person;
      for (const order of person.open.values()) this.#trailingStops.note(order);
    }
  }

  #unpacked(account: number): Person | undefined {
    return this.#person(account)?.unpacked();
  }

  #person(account: number): Person | undefined {
    const known = this.#people[account];
    if (known === undefined) return undefined;
    const person = decodedPerson(known);
    person.usedAtMs = this.#nowMs;
    if (person !== known) this.#people[account] = person;
    return person;
  }

  /** The open orders of a person, without unpacking an idle person, who has none. */
  #openOf(account: number): ReadonlyMap<number, OrderState> | undefined {
    const person = this.#people[account];
    return person instanceof Person ? person.open : undefined;
  }

  foldAccountActivity(event: AccountActivityEvent): void {
    const activity = accountActivityOf(event);
    if (activity === undefined) return;
    if (activity.kind === "transfer") {
      this.#person(event.account)?.transfers.push(activity.transfer);
    }
    this.#addActivity(event, event.account, activity);
  }

  /** @param list the list to which the order belongs; undefined if none */
  foldPlaced(event: EventOf<"orderPlaced">, list: OrderListRecord | undefined): void {
    const person = this.#person(event.account);
    if (person === undefined) return;
    const order = placedOrder(event, list);
    person.open.set(order.orderId, order);
    person.orders.set(order.orderId, order);
    this.#addActivity(event, order.account, { kind: "order", order });
  }

  foldChanged(event: OrderChange): void {
    const order = this.#openOf(event.account)?.get(event.orderId);
    if (order === undefined) return;
    applyChange(order, event);
    this.#trailingStops.note(order);
  }

  /** @returns the accounts whose trailing stops the trade has moved */
  followTrade(event: EventOf<"traded">): readonly number[] {
    return this.#trailingStops.follow(event).map(({ account }) => account);
  }

  foldTraded(event: EventOf<"traded">, market: MarketAssets): void {
    const maker = this.#openOf(event.makerAccount)?.get(event.makerOrderId);
    const taker = this.#openOf(event.takerAccount)?.get(event.takerOrderId);
    if (maker !== undefined) this.#addFill(event, maker, "maker", market);
    if (taker !== undefined) this.#addFill(event, taker, "taker", market);
  }

  foldEnded(event: EventOf<"orderEnded">): void {
    const person = this.#person(event.account);
    const order = person?.open.get(event.orderId);
    if (person === undefined || order === undefined) return;
    applyEnd(order, event);
    this.#trailingStops.note(order);
    person.open.delete(event.orderId);
    person.ended.push(event.orderId);
    if (person.ended.length >= 2 * RECORDS_KEPT) {
      for (const orderId of person.ended.splice(0, RECORDS_KEPT)) person.orders.delete(orderId);
    }
  }

  /** Folds the postings that concern users' accounts as ledger entries. */
  foldPostings(event: ExchangeEvent, postings: readonly Posting[]): void {
    for (const posting of postings) {
      this.#addLedgerEntry(event, posting, "debit", posting.debitAccount);
      this.#addLedgerEntry(event, posting, "credit", posting.creditAccount);
    }
  }

  #addLedgerEntry(
    event: ExchangeEvent,
    posting: Posting,
    entered: "debit" | "credit",
    account: number,
  ): void {
    const entries = this.#person(account)?.ledgerEntries;
    if (entries === undefined) return;
    const position = positionAfter(entries.newest(), event.sequence);
    entries.push(ledgerEntryOf(event, posting, entered, position));
  }

  #addFill(
    event: EventOf<"traded">,
    order: OrderState,
    role: "maker" | "taker",
    market: MarketAssets,
  ): void {
    applyTrade(order, event);
    const fill = fillOf(event, order, role, market);
    this.#person(order.account)?.fills.push(fill);
    this.#addActivity(event, order.account, { kind: "fill", fill });
  }

  #addActivity(event: ExchangeEvent, account: number, what: Activity): void {
    const activity = this.#person(account)?.activity;
    if (activity === undefined) return;
    const { sequence, timestampMs } = event;
    const position = positionAfter(activity.newest(), sequence);
    activity.push({ ...what, sequence, position, timestampMs });
  }
}

function decodedPerson(person: Person | Uint8Array): Person {
  if (person instanceof Person) return person;
  return new Person(new PackedPerson(deserialize(person) as PackedRecords, 0));
}

/** The position of the next row within its sequence; no packed row has the same sequence. */
function positionAfter(
  newest: { readonly sequence: number; readonly position: number } | undefined,
  sequence: number,
): number {
  return newest?.sequence === sequence ? newest.position + 1 : 0;
}
