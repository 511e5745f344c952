/**
 * The ids that clients gave their orders. An id is unique per account among the account's open
 * orders and its orders placed within the last three days, so that placing an order twice, after a
 * lost answer, places it once. At most a million ended orders are remembered, the oldest go first.
 *
 * What has aged is dropped when a new id comes in, never by a lookup: a refused command leaves the
 * table as it was.
 */
import { packOrderFlags } from "./event-buffer.ts";
import type { OrderTerms } from "./commands.ts";
import { keptConditions } from "./order-checks.ts";
import { REMEMBERED_MAX, REMEMBERED_MS } from "./idempotency-keys.ts";
import type { SnapshotReader, SnapshotWriter } from "./snapshot.ts";
import type { StateHash } from "./state-hash.ts";

export interface ClientOrder {
  readonly key: string;
  readonly clientOrderId: string;
  readonly orderId: number;
  readonly sequence: number;
  readonly placedAtMs: number;
  readonly marketId: number;
  readonly flags: number;
  readonly priceTicks: number;
  readonly quantityLots: number;
  readonly quoteAmount: number;
  /** The conditions in their fixed form, "" where there are none. */
  readonly conditions: string;
  isOpen: boolean;
  /** No longer in the window: forgotten as soon as the order ends. */
  isAged: boolean;
  /** The one placed next. */
  next: ClientOrder | undefined;
}

export class ClientOrderIds {
  readonly #byKey = new Map<string, ClientOrder>();
  readonly #openByOrderId = new Map<number, ClientOrder>();
  #first: ClientOrder | undefined;
  #last: ClientOrder | undefined;
  #windowCount = 0;

  /** How many ids are remembered. */
  get size(): number {
    return this.#byKey.size;
  }

  /** The order that has this id now. */
  find(account: number, clientOrderId: string, nowMs: number): ClientOrder | undefined {
    const order = this.#byKey.get(keyOf(account, clientOrderId));
    if (order === undefined || order.isOpen || order.placedAtMs + REMEMBERED_MS > nowMs) {
      return order;
    }
    return undefined;
  }

  ofOpenOrder(orderId: number): ClientOrder | undefined {
    return this.#openByOrderId.get(orderId);
  }

  /** The order's terms name the id; the caller has found it free. */
  remember(
    account: number,
    marketId: number,
    terms: OrderTerms,
    orderId: number,
    sequence: number,
    placedAtMs: number,
    isOpen: boolean,
  ): void {
    this.#dropAged(placedAtMs);
    const order: ClientOrder = {
      key: keyOf(account, terms.clientOrderId),
      clientOrderId: terms.clientOrderId,
      orderId,
      sequence,
      placedAtMs,
      marketId,
      flags: flagsOf(terms),
      priceTicks: terms.priceTicks,
      quantityLots: terms.quantityLots,
      quoteAmount: terms.quoteAmount,
      conditions: conditionsText(terms),
      isOpen,
      isAged: false,
      next: undefined,
    };
    this.#keep(order);
    this.#appendToWindow(order);
  }

  #keep(order: ClientOrder): void {
    this.#byKey.set(order.key, order);
    if (order.isOpen) this.#openByOrderId.set(order.orderId, order);
  }

  #appendToWindow(order: ClientOrder): void {
    if (this.#last === undefined) this.#first = order;
    else this.#last.next = order;
    this.#last = order;
    this.#windowCount++;
  }

  /** The order rests no longer. */
  orderEnded(orderId: number): void {
    const order = this.#openByOrderId.get(orderId);
    if (order === undefined) return;
    this.#openByOrderId.delete(orderId);
    order.isOpen = false;
    if (order.isAged) this.#byKey.delete(order.key);
  }

  #dropAged(nowMs: number): void {
    let oldest = this.#first;
    while (
      oldest !== undefined &&
      (oldest.placedAtMs + REMEMBERED_MS <= nowMs || this.#windowCount >= REMEMBERED_MAX)
    ) {
      if (oldest.isOpen) oldest.isAged = true;
      else this.#byKey.delete(oldest.key);
      this.#windowCount--;
      oldest = oldest.next;
    }
    this.#first = oldest;
    if (oldest === undefined) this.#last = undefined;
  }

  addTo(hash: StateHash): void {
    hash.number(this.#windowCount);
    for (let order = this.#first; order !== undefined; order = order.next) {
      addClientOrder(hash, order);
    }
  }

  /** The window in its order, then the orders that aged out of it and are still open. */
  writeTo(snapshot: SnapshotWriter): void {
    snapshot.part("client order ids");
    snapshot.int(this.#windowCount);
    for (let order = this.#first; order !== undefined; order = order.next) {
      writeClientOrder(snapshot, order);
    }
    const aged = [...this.#openByOrderId.values()].filter(({ isAged }) => isAged);
    snapshot.int(aged.length);
    for (const order of aged) writeClientOrder(snapshot, order);
  }

  readFrom(snapshot: SnapshotReader): void {
    snapshot.part("client order ids");
    const inWindow = snapshot.count(CLIENT_ORDER_BYTES_MIN);
    for (let index = 0; index < inWindow; index++) {
      const order = readClientOrder(snapshot, false);
      this.#keep(order);
      this.#appendToWindow(order);
    }
    const aged = snapshot.count(CLIENT_ORDER_BYTES_MIN);
    for (let index = 0; index < aged; index++) this.#keep(readClientOrder(snapshot, true));
  }
}

/** Of a client order in a snapshot; its texts are longer. */
const CLIENT_ORDER_BYTES_MIN = 4 + 6 * 8 + 4 + 4 + 4 + 1;

function writeClientOrder(snapshot: SnapshotWriter, order: ClientOrder): void {
  snapshot.text(order.key);
  snapshot.number(order.orderId);
  snapshot.number(order.sequence);
  snapshot.number(order.placedAtMs);
  snapshot.int(order.marketId);
  snapshot.int(order.flags);
  snapshot.number(order.priceTicks);
  snapshot.number(order.quantityLots);
  snapshot.number(order.quoteAmount);
  snapshot.text(order.conditions);
  snapshot.flag(order.isOpen);
}

function readClientOrder(snapshot: SnapshotReader, isAged: boolean): ClientOrder {
  const key = snapshot.text();
  return {
    key,
    // The key is the account, a space and the client's id.
    clientOrderId: key.slice(key.indexOf(" ") + 1),
    orderId: snapshot.number(),
    sequence: snapshot.number(),
    placedAtMs: snapshot.number(),
    marketId: snapshot.int(),
    flags: snapshot.int(),
    priceTicks: snapshot.number(),
    quantityLots: snapshot.number(),
    quoteAmount: snapshot.number(),
    conditions: snapshot.text(),
    isOpen: snapshot.flag(),
    isAged,
    next: undefined,
  };
}

export function addClientOrder(hash: StateHash, order: ClientOrder): void {
  hash.text(order.key);
  hash.number(order.orderId);
  hash.number(order.sequence);
  hash.number(order.placedAtMs);
  hash.number(order.marketId);
  hash.number(order.flags);
  hash.number(order.priceTicks);
  hash.number(order.quantityLots);
  hash.number(order.quoteAmount);
  hash.text(order.conditions);
  hash.number((order.isOpen ? 1 : 0) + (order.isAged ? 2 : 0));
}

/** Whether these terms ask for the very order that was placed. */
export function isSameRequest(order: ClientOrder, marketId: number, terms: OrderTerms): boolean {
  return (
    order.marketId === marketId &&
    order.flags === flagsOf(terms) &&
    order.priceTicks === terms.priceTicks &&
    order.quantityLots === terms.quantityLots &&
    order.quoteAmount === terms.quoteAmount &&
    order.conditions === conditionsText(terms)
  );
}

function flagsOf(terms: OrderTerms): number {
  return packOrderFlags(terms.side, terms.orderType, terms.timeInForce, terms.postOnly);
}

function conditionsText({ conditions }: OrderTerms): string {
  return conditions === undefined ? "" : JSON.stringify(keptConditions(conditions));
}

function keyOf(account: number, clientOrderId: string): string {
  return `${account} ${clientOrderId}`;
}
