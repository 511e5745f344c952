import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Amount, Lots, Ticks } from "../amount.ts";
import {
  ClientOrderIds,
  addClientOrder,
  type ClientOrder,
  isSameRequest,
} from "./client-order-ids.ts";
import type { OrderTerms } from "../commands.ts";
import { REMEMBERED_MAX, REMEMBERED_MS } from "./idempotency-keys.ts";
import { KeyedHash } from "./keyed-hash.ts";
import { SnapshotReader, SnapshotWriter } from "../formats/snapshot.ts";
import { StateHash } from "../formats/state-hash.ts";

/** All orders hash to one place, and so do the ids of an account. */
class CrowdedHash extends KeyedHash {
  override of(): number {
    return 7;
  }
}

const order = (clientOrderId: string): OrderTerms => ({
  side: "buy",
  orderType: "limit",
  timeInForce: "gtc",
  postOnly: false,
  priceTicks: 1 as Ticks,
  quantityLots: 1 as Lots,
  quoteAmount: 0 as Amount,
  clientOrderId,
});

function remember(
  ids: ClientOrderIds,
  clientOrderId: string,
  orderId: number,
  sequence: number,
  placedAtMs: number,
  isOpen: boolean,
): void {
  ids.remember(16, 1, order(clientOrderId), orderId, sequence, placedAtMs, isOpen);
}

describe("client order ids", () => {
  test("of ended orders are forgotten after three days, when another comes in", () => {
    const ids = new ClientOrderIds(new KeyedHash());
    for (let index = 0; index < 100; index++) remember(ids, `${index}`, index + 1, 1, 0, false);
    expect(ids.size).toBe(100);
    remember(ids, "new", 101, 2, REMEMBERED_MS, false);
    expect(ids.size).toBe(1);
  });

  test("of open orders are kept for as long as they are open, and no longer", () => {
    const ids = new ClientOrderIds(new KeyedHash());
    remember(ids, "open", 1, 1, 0, true);
    remember(ids, "new", 2, 2, REMEMBERED_MS * 2, false);
    expect(ids.find(16, "open", REMEMBERED_MS * 2)?.orderId).toBe(1);
    ids.orderEnded(1);
    expect(ids.find(16, "open", REMEMBERED_MS * 2)).toBeUndefined();
    expect(ids.size).toBe(1);
  });

  test("take nothing over from the order that stood in their slot a million ids ago", () => {
    const ids = new ClientOrderIds(new KeyedHash());
    const terms = { ...order("first"), conditions: { expiresAtMs: 5 } };
    ids.remember(16, 1, terms, 1, 1, 0, false);
    expect(ids.find(16, "first", 0)?.conditions).not.toBe("");
    for (let index = 2; index <= 2 ** 20 + 1; index++) {
      remember(ids, `${index}`, index, index, 0, false);
    }
    expect(ids.find(16, `${2 ** 20 + 1}`, 0)?.conditions).toBe("");
  });

  test("know a request again whether it names no conditions or an empty set of them", () => {
    for (const [first, again] of [
      [{}, undefined],
      [undefined, {}],
      [{ displayLots: undefined }, undefined],
    ]) {
      const ids = new ClientOrderIds(new KeyedHash());
      ids.remember(16, 1, { ...order("first"), conditions: first }, 1, 1, 0, true);
      const known = ids.find(16, "first", 0) as ClientOrder;
      expect(isSameRequest(known, 1, { ...order("first"), conditions: again })).toBe(true);
      const other = { ...order("first"), conditions: { expiresAtMs: 5 } };
      expect(isSameRequest(known, 1, other)).toBe(false);
    }
  });

  test("of an account go, its oldest first, when it has named a million; those of others stay", () => {
    const ids = new ClientOrderIds(new KeyedHash());
    ids.remember(17, 1, order("of another"), 1, 1, 0, false);
    for (let index = 2; index <= REMEMBERED_MAX + 1; index++) {
      remember(ids, `${index}`, index, index, 0, false);
    }
    expect(ids.size).toBe(REMEMBERED_MAX);
    expect(ids.find(16, "2", 0)).toBeUndefined();
    expect(ids.find(16, "3", 0)?.orderId).toBe(3);
    expect(ids.find(17, "of another", 0)?.orderId).toBe(1);
  });

  /** So few that they are often full. */
  const ROOM = 4;

  /** The rules once more, over a list of objects in order of placement. */
  class NaiveIds {
    orders: ClientOrder[] = [];

    find(account: number, clientOrderId: string, nowMs: number): ClientOrder | undefined {
      return this.orders.find(
        (one) =>
          one.account === account &&
          one.clientOrderId === clientOrderId &&
          (one.isOpen || one.placedAtMs + REMEMBERED_MS > nowMs),
      );
    }

    remember(order: ClientOrder): void {
      const isAged = (one: ClientOrder) => one.placedAtMs + REMEMBERED_MS <= order.placedAtMs;
      this.orders = this.orders.map((one) => ({ ...one, isAged: one.isAged || isAged(one) }));
      this.#makeRoom();
      this.orders = this.orders.filter((one) => one.isOpen || !one.isAged);
      this.orders.push(order);
    }

    /** When there are too many, the account with the most loses its oldest. */
    #makeRoom(): void {
      const window = this.orders.filter(({ isAged }) => !isAged);
      if (window.length < ROOM) return;
      const countOf = (of: number) => window.filter(({ account }) => account === of).length;
      const largest = countOf(17) > countOf(16) ? 17 : 16;
      const oldest = window.find(({ account }) => account === largest);
      this.orders = this.orders.map((one) => (one === oldest ? { ...one, isAged: true } : one));
    }

    end(orderId: number): void {
      this.orders = this.orders
        .map((one) => (one.orderId === orderId ? { ...one, isOpen: false } : one))
        .filter((one) => one.isOpen || !one.isAged);
    }

    hash(): string {
      const window = this.orders.filter(({ isAged }) => !isAged);
      const hash = new StateHash();
      hash.number(window.length);
      for (const one of window) addClientOrder(hash, one);
      return hash.digest();
    }
  }

  test("are what a list of all orders would say, whatever ages, ends or restarts", () => {
    const step = fc.record({
      action: fc.constantFrom("place", "place", "end", "restart"),
      account: fc.integer({ min: 16, max: 17 }),
      id: fc.constantFrom("a", "b", "ab", "id:1/2", "z".repeat(36)),
      afterMs: fc.constantFrom(0, 1, REMEMBERED_MS / 3, REMEMBERED_MS),
      isOpen: fc.boolean(),
      hasConditions: fc.boolean(),
    });
    fc.assert(
      fc.property(fc.array(step, { maxLength: 50 }), fc.boolean(), (steps, isCrowded) => {
        const makeIds = () =>
          new ClientOrderIds(isCrowded ? new CrowdedHash() : new KeyedHash(), ROOM);
        let ids = makeIds();
        const naive = new NaiveIds();
        let nowMs = 1000;
        steps.forEach(({ action, account, id, afterMs, isOpen, hasConditions }, index) => {
          nowMs += afterMs;
          const known = naive.find(account, id, nowMs);
          expect(ids.find(account, id, nowMs)).toEqual(known);
          if (action === "restart") {
            const snapshot = new SnapshotWriter();
            ids.writeTo(snapshot);
            const reader = new SnapshotReader(snapshot.bytes());
            ids = makeIds();
            ids.readFrom(reader);
            reader.end();
          } else if (action === "end") {
            const open = naive.orders.find((one) => one.isOpen && one.clientOrderId === id);
            const orderId = open?.orderId ?? 10_000;
            ids.orderEnded(orderId);
            naive.end(orderId);
          } else if (known === undefined) {
            const terms = {
              ...order(id),
              ...(hasConditions && { conditions: { expiresAtMs: 5 } }),
            };
            const orderId = 100 + index;
            ids.remember(account, 2, terms, orderId, index, nowMs, isOpen);
            naive.remember({
              account,
              clientOrderId: id,
              orderId,
              sequence: index,
              placedAtMs: nowMs,
              marketId: 2,
              flags: 0,
              priceTicks: 1,
              quantityLots: 1,
              quoteAmount: 0,
              conditions: hasConditions ? `{"expiresAtMs":5}` : "",
              isOpen,
              isAged: false,
            });
          }
          for (const one of naive.orders) {
            expect(ids.ofOpenOrder(one.orderId)).toEqual(one.isOpen ? one : undefined);
          }
          expect(ids.size).toBe(naive.orders.length);
          const hash = new StateHash();
          ids.addTo(hash);
          expect(hash.digest()).toBe(naive.hash());
        });
      }),
      { numRuns: 300 },
    );
  });
});
