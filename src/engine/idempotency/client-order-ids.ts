/**
 * The ids that clients gave their orders. An id is unique per account among the account's open orders
 * and its orders placed within the last three days (the window), so that placing an order twice, after
 * a lost answer, places it once. At most a million ids are remembered, in addition to those of old
 * open orders. When full, the account with the most entries loses its oldest: with n accounts, each
 * keeps at least its newest million / n of three days, whatever the others do (docs/decisions/017).
 *
 * Aged entries are dropped when a new id arrives, never by a lookup: a refused command leaves the
 * table as it was.
 */
import { assert } from "../assert.ts";
import { packOrderFlags } from "../formats/order-flags.ts";
import type { OrderTerms } from "../commands.ts";
import { keptConditions } from "../order-terms.ts";
import { REMEMBERED_MAX, REMEMBERED_MS } from "./idempotency-keys.ts";
import type { KeyedHash } from "./keyed-hash.ts";
import { NO_TEXT, RememberedTexts } from "./remembered-texts.ts";
import { SlotIndex } from "./slot-index.ts";
import { RecordFormat } from "../formats/record-format.ts";
import type { SnapshotReader, SnapshotWriter } from "../formats/snapshot.ts";
import type { StateHash } from "../formats/state-hash.ts";
import type { StateWriter } from "../formats/state-writer.ts";

export interface ClientOrder {
  readonly account: number;
  readonly clientOrderId: string;
  readonly orderId: number;
  readonly sequence: number;
  readonly placedAtMs: number;
  readonly marketId: number;
  readonly flags: number;
  readonly priceTicks: number;
  readonly quantityLots: number;
  readonly quoteAmount: number;
  /** The order's conditions in canonical form, "" if none. */
  readonly conditions: string;
  readonly isOpen: boolean;
  /** True for an order older than the window: its id is forgotten as soon as the order ends. */
  readonly isAged: boolean;
}

/** The terms and time of the request; the account and the id are stored before them. */
type PlacedTerms = Omit<ClientOrder, "account" | "clientOrderId" | "isOpen" | "isAged">;
const PLACED_TERMS = new RecordFormat<PlacedTerms>({
  orderId: "number",
  sequence: "number",
  placedAtMs: "number",
  marketId: "number",
  flags: "number",
  priceTicks: "number",
  quantityLots: "number",
  quoteAmount: "number",
  conditions: "text",
});

// Fields of an order in the window: first those that every end of an order reads.
const IS_OPEN = 0;
const ORDER_ID = 1;
const SEQUENCE = 2;
const PLACED_AT_MS = 3;
const MARKET_ID = 4;
const FLAGS = 5;
const PRICE_TICKS = 6;
const QUANTITY_LOTS = 7;
const QUOTE_AMOUNT = 8;
const FIELD_COUNT = 9;

const NO_BYTES = new Uint8Array(0);

export class ClientOrderIds {
  /** The ids of orders placed within the window, in order of placement. */
  readonly #window: RememberedTexts;
  /** Conditions by slot, for the few orders in the window that have any. */
  readonly #conditions = new Map<number, string>();
  /** The slots of the open orders in the window, by order id. */
  readonly #open = new SlotIndex();
  readonly #hash: KeyedHash;
  /** Open orders that aged out of the window, by order id, oldest first. */
  readonly #aged = new Map<number, ClientOrder>();
  /** The aged orders by account and id. */
  readonly #agedByKey = new Map<string, ClientOrder>();

  readonly #rememberedMax: number;

  constructor(hash: KeyedHash, rememberedMax = REMEMBERED_MAX) {
    this.#hash = hash;
    this.#rememberedMax = rememberedMax;
    this.#window = new RememberedTexts(hash, FIELD_COUNT);
  }

  get size(): number {
    return this.#window.count + this.#aged.size;
  }

  find(account: number, clientOrderId: string, nowMs: number): ClientOrder | undefined {
    const window = this.#window;
    const slot = window.find(account, clientOrderId);
    if (slot === NO_TEXT) {
      const isNone = this.#agedByKey.size === 0;
      return isNone ? undefined : this.#agedByKey.get(keyOf({ account, clientOrderId }));
    }
    const isRemembered =
      window.number(slot, IS_OPEN) === 1 ||
      window.number(slot, PLACED_AT_MS) + REMEMBERED_MS > nowMs;
    return isRemembered ? this.#orderAt(slot) : undefined;
  }

  ofOpenOrder(orderId: number): ClientOrder | undefined {
    const slot = this.#slotOfOpen(orderId);
    return slot === NO_TEXT ? this.#aged.get(orderId) : this.#orderAt(slot);
  }

  /** Remembers the client order id of a new order; the id must be free. */
  remember(
    account: number,
    marketId: number,
    terms: OrderTerms,
    orderId: number,
    sequence: number,
    placedAtMs: number,
    isOpen: boolean,
  ): void {
    this.#makeRoom(placedAtMs);
    const window = this.#window;
    const slot = window.append(account, terms.clientOrderId);
    window.setNumber(slot, ORDER_ID, orderId);
    window.setNumber(slot, SEQUENCE, sequence);
    window.setNumber(slot, PLACED_AT_MS, placedAtMs);
    window.setNumber(slot, MARKET_ID, marketId);
    window.setNumber(slot, FLAGS, packOrderFlags(terms));
    window.setNumber(slot, PRICE_TICKS, terms.priceTicks);
    window.setNumber(slot, QUANTITY_LOTS, terms.quantityLots);
    window.setNumber(slot, QUOTE_AMOUNT, terms.quoteAmount);
    window.setNumber(slot, IS_OPEN, isOpen ? 1 : 0);
    const conditions = conditionsText(terms);
    if (conditions !== "") this.#conditions.set(slot, conditions);
    if (isOpen) this.#open.add(this.#hashOf(orderId), slot);
  }

  orderEnded(orderId: number): void {
    const slot = this.#slotOfOpen(orderId);
    if (slot === NO_TEXT) {
      const aged = this.#aged.get(orderId);
      if (aged !== undefined) this.#agedByKey.delete(keyOf(aged));
      this.#aged.delete(orderId);
    } else {
      this.#open.remove(this.#hashOf(orderId), slot);
      this.#window.setNumber(slot, IS_OPEN, 0);
    }
  }

  #makeRoom(nowMs: number): void {
    const window = this.#window;
    while (window.count > 0 && window.number(window.first, PLACED_AT_MS) + REMEMBERED_MS <= nowMs) {
      this.#drop(window.first);
    }
    if (window.count >= this.#rememberedMax) this.#drop(window.firstOfLargest);
  }

  /** Removes an order from the window. */
  #drop(slot: number): void {
    const window = this.#window;
    if (window.number(slot, IS_OPEN) === 1) {
      const order = this.#orderAt(slot);
      this.#open.remove(this.#hashOf(order.orderId), slot);
      this.#keepAged({ ...order, isAged: true });
    }
    if (this.#conditions.size > 0) this.#conditions.delete(slot);
    window.drop(slot);
  }

  #keepAged(order: ClientOrder): void {
    this.#aged.set(order.orderId, order);
    this.#agedByKey.set(keyOf(order), order);
  }

  /** The slot of an open order in the window; NO_TEXT if there is none. */
  #slotOfOpen(orderId: number): number {
    const open = this.#open;
    const hash = this.#hashOf(orderId);
    for (let cell = open.start(hash); open.isTaken(cell); cell = open.after(cell)) {
      if (open.hashAt(cell) !== hash) continue;
      const slot = open.slotAt(cell);
      if (this.#window.number(slot, ORDER_ID) === orderId) return slot;
    }
    return NO_TEXT;
  }

  #hashOf(orderId: number): number {
    return this.#hash.of(orderId, NO_BYTES, 0, 0);
  }

  #orderAt(slot: number): ClientOrder {
    const window = this.#window;
    return {
      account: window.ownerOf(slot),
      clientOrderId: window.textOf(slot),
      orderId: window.number(slot, ORDER_ID),
      sequence: window.number(slot, SEQUENCE),
      placedAtMs: window.number(slot, PLACED_AT_MS),
      marketId: window.number(slot, MARKET_ID),
      flags: window.number(slot, FLAGS),
      priceTicks: window.number(slot, PRICE_TICKS),
      quantityLots: window.number(slot, QUANTITY_LOTS),
      quoteAmount: window.number(slot, QUOTE_AMOUNT),
      conditions: this.#conditionsAt(slot),
      isOpen: window.number(slot, IS_OPEN) === 1,
      isAged: false,
    };
  }

  #conditionsAt(slot: number): string {
    return this.#conditions.size === 0 ? "" : (this.#conditions.get(slot) ?? "");
  }

  /** Adds the window to the hash; an aged order hashes its id with its row in the book. */
  addTo(hash: StateHash): void {
    const window = this.#window;
    hash.number(window.count);
    let open = 0;
    for (let slot = window.first; slot !== NO_TEXT; slot = window.next(slot)) {
      window.addTo(hash, keyPrefixOf(window.ownerOf(slot)), slot, ORDER_ID);
      hash.text(this.#conditionsAt(slot));
      const isOpen = window.number(slot, IS_OPEN);
      hash.number(isOpen);
      open += isOpen;
    }
    assert(open === this.#open.count, "every open order is found by its number");
  }

  /** Writes the window in order of placement, then the aged orders, which are still open. */
  writeTo(snapshot: SnapshotWriter): void {
    const window = this.#window;
    snapshot.part("client order ids");
    window.writeTo(snapshot);
    snapshot.int(this.#open.count);
    this.#forEachByAge((slot, index) => {
      if (window.number(slot, IS_OPEN) === 1) snapshot.int(index);
    });
    snapshot.int(this.#conditions.size);
    if (this.#conditions.size > 0) {
      this.#forEachByAge((slot, index) => {
        const conditions = this.#conditions.get(slot);
        if (conditions === undefined) return;
        snapshot.int(index);
        snapshot.text(conditions);
      });
    }
    snapshot.int(this.#aged.size);
    for (const order of this.#aged.values()) {
      snapshot.int(order.account);
      snapshot.text(order.clientOrderId);
      PLACED_TERMS.writeTo(snapshot, order);
    }
  }

  /** Visits the orders of the window in order of placement, each with its index, 0 for the oldest. */
  #forEachByAge(visit: (slot: number, index: number) => void): void {
    const window = this.#window;
    let index = 0;
    for (let slot = window.first; slot !== NO_TEXT; slot = window.next(slot)) visit(slot, index++);
  }

  readFrom(snapshot: SnapshotReader): void {
    const window = this.#window;
    snapshot.part("client order ids");
    window.readFrom(snapshot);
    const open = snapshot.count(4);
    for (let index = 0; index < open; index++) {
      const slot = this.#readSlot(snapshot);
      if (window.number(slot, IS_OPEN) !== 1) snapshot.refuse("an open order that has ended");
      this.#open.add(this.#hashOf(window.number(slot, ORDER_ID)), slot);
    }
    const withConditions = snapshot.count(CONDITIONS_BYTES_MIN);
    for (let index = 0; index < withConditions; index++) {
      this.#conditions.set(this.#readSlot(snapshot), snapshot.text());
    }
    const aged = snapshot.count(AGED_BYTES_MIN);
    for (let index = 0; index < aged; index++) {
      const [account, clientOrderId] = [snapshot.int(), snapshot.text()];
      const terms = PLACED_TERMS.readFrom(snapshot);
      this.#keepAged({ account, clientOrderId, ...terms, isOpen: true, isAged: true });
    }
  }

  /** Reads an index into the window and returns the slot of its order. */
  #readSlot(snapshot: SnapshotReader): number {
    const index = snapshot.int();
    if (index < 0 || index >= this.#window.count) snapshot.refuse("an index beyond the last order");
    // Just after restoring, slots and indexes are the same.
    return index;
  }
}

/**
 * Minimum number of bytes of an order's conditions in a snapshot: its index and the length of their
 * text.
 */
const CONDITIONS_BYTES_MIN = 4 + 4;
/**
 * Minimum number of bytes of an aged order in a snapshot: the account, the length of its id, its
 * terms.
 */
const AGED_BYTES_MIN = 4 + 4 + PLACED_TERMS.bytesMin;

/** Adds the client order id of an open order, and the terms of its request, to the hash. */
export function addClientOrder(hash: StateWriter, order: ClientOrder): void {
  hash.text(keyOf(order));
  PLACED_TERMS.writeTo(hash, order);
  hash.number((order.isOpen ? 1 : 0) + (order.isAged ? 2 : 0));
}

/** Whether these terms repeat the request that placed the order. */
export function isSameRequest(order: ClientOrder, marketId: number, terms: OrderTerms): boolean {
  return (
    order.marketId === marketId &&
    order.flags === packOrderFlags(terms) &&
    order.priceTicks === terms.priceTicks &&
    order.quantityLots === terms.quantityLots &&
    order.quoteAmount === terms.quoteAmount &&
    order.conditions === conditionsText(terms)
  );
}

/** Empty conditions and none are the same request. */
function conditionsText({ conditions }: OrderTerms): string {
  if (conditions === undefined) return "";
  const text = JSON.stringify(keptConditions(conditions));
  return text === "{}" ? "" : text;
}

function keyOf({ account, clientOrderId }: Pick<ClientOrder, "account" | "clientOrderId">): string {
  return keyPrefixOf(account) + clientOrderId;
}

/** The prefix of a client order id in the state hash: its account and a space. */
function keyPrefixOf(account: number): string {
  return `${account} `;
}
