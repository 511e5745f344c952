import { describe, expect, test } from "vitest";
import { DetailsTable, OrderDetails } from "./order-details.ts";
import { SnapshotReader, SnapshotWriter } from "../formats/snapshot.ts";
import { StateHash } from "../formats/state-hash.ts";

/** Another value than the one that new details have, for everything that decides an outcome. */
const CHANGES: Partial<OrderDetails> = {
  displayLots: 3,
  hiddenLots: 4,
  expiresAtMs: 5,
  waitsFor: "trigger",
  orderType: "market",
  timeInForce: "gtd",
  priceTicks: 6,
  quoteAmount: 7,
  neededAmount: 8,
  heldAmount: 9,
  trigger: "trailingStop",
  triggerTicks: 10,
  activatesAbove: true,
  trailBps: 11,
  bestTicks: 12,
  listId: 13,
};

function hashOf(details: OrderDetails): string {
  const hash = new StateHash();
  details.addTo(hash);
  return hash.digest();
}

describe("an order's details", () => {
  test("are in the state hash, field by field", () => {
    const hashes = new Set([
      hashOf(new OrderDetails(1, "")),
      hashOf(new OrderDetails(1, "decrement")),
    ]);
    for (const [field, value] of Object.entries(CHANGES)) {
      hashes.add(hashOf(Object.assign(new OrderDetails(1, ""), { [field]: value })));
    }
    expect(hashes.size).toBe(2 + Object.keys(CHANGES).length);
    const fields = Object.keys(new OrderDetails(1, ""));
    const others = ["orderId", "selfTradePrevention", "timer", "isReached"];
    expect(fields.toSorted()).toEqual([...Object.keys(CHANGES), ...others].toSorted());
  });

  test("come back from a snapshot as they were", () => {
    const details = Object.assign(new OrderDetails(1, "expireBoth"), CHANGES);
    const snapshot = new SnapshotWriter();
    details.writeTo(snapshot);
    expect(OrderDetails.readFrom(new SnapshotReader(snapshot.bytes()), 1)).toEqual(details);
  });

  test("stand in a table by the slot of their order, until that gives them up", () => {
    const table = new DetailsTable();
    const { room } = table;
    const [first, second] = [new OrderDetails(1, ""), new OrderDetails(2, "")];
    table.keep(7, first);
    table.keep(8, second);
    expect(table.at(7)).toBe(first);
    expect(table.at(8)).toBe(second);
    expect(table.room).toBe(room - 2);
    table.free(7);
    expect(table.room).toBe(room - 1);
    table.keep(7, second);
    expect(table.at(7)).toBe(second);
  });
});
