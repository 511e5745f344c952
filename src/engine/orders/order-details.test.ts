import { describe, expect, test } from "vitest";
import type { Amount, Lots, Ticks } from "../amount.ts";
import type { OrderConditions } from "../order-terms.ts";
import { DetailsTable, OrderDetails, restingTerms, type KeptTerms } from "./order-details.ts";
import { SnapshotReader, SnapshotWriter } from "../formats/snapshot.ts";
import { StateHash } from "../formats/state-hash.ts";

const NOTHING_ASKED = restingTerms({});

/** Values of every condition, those that decide something: the compiler asks for those of a new one. */
const VALUES: { readonly [Name in keyof OrderConditions]-?: readonly OrderConditions[Name][] } = {
  selfTradePrevention: ["decrement"],
  displayLots: [3 as Lots],
  expiresAtMs: [5],
  trigger: [
    { kind: "stop", triggerTicks: 0 as Ticks },
    { kind: "trailingStop", trailBps: 11 },
    { kind: "trailingStop", trailBps: 12 },
  ],
  // Numbers of the owner's decide nothing.
  strategyId: [],
  strategyType: [],
};
const OTHER_CONDITIONS: readonly OrderConditions[] = Object.entries(VALUES).flatMap(
  ([name, values]) => values.map((value) => ({ [name]: value })),
);

/** Other terms than those of an order without conditions that never waited. */
const OTHER_TERMS: readonly KeptTerms[] = [
  { ...NOTHING_ASKED, orderType: "market" },
  { ...NOTHING_ASKED, timeInForce: "gtd" },
  { ...NOTHING_ASKED, priceTicks: 6 as Ticks },
  { ...NOTHING_ASKED, quoteAmount: 7 as Amount },
  ...OTHER_CONDITIONS.map((conditions) => restingTerms(conditions)),
];

/** A value that differs from the initial one, for everything else that decides an outcome. */
const CHANGES: Partial<OrderDetails> = {
  hiddenLots: 4,
  waitsFor: "trigger",
  neededAmount: 8,
  heldAmount: 9,
  triggerTicks: 10,
  activatesAbove: true,
  bestTicks: 12,
  listId: 13,
};

function newDetails(orderId = 1): OrderDetails {
  return new OrderDetails(orderId, NOTHING_ASKED);
}

function hashOf(details: OrderDetails): string {
  const hash = new StateHash();
  details.writeTo(hash);
  return hash.digest();
}

describe("an order's details", () => {
  test("are in the state hash, field by field", () => {
    const hashes = new Set([hashOf(newDetails())]);
    for (const terms of OTHER_TERMS) hashes.add(hashOf(new OrderDetails(1, terms)));
    for (const [field, value] of Object.entries(CHANGES)) {
      hashes.add(hashOf(Object.assign(newDetails(), { [field]: value })));
    }
    expect(hashes.size).toBe(1 + OTHER_TERMS.length + Object.keys(CHANGES).length);
    const fields = Object.keys(newDetails());
    const others = ["orderId", "terms", "timer", "isReached"];
    expect(fields.toSorted()).toEqual([...Object.keys(CHANGES), ...others].toSorted());
  });

  test.each(OTHER_TERMS.map((terms) => [JSON.stringify(terms), terms] as const))(
    "come back from a snapshot as they were: %s",
    (_, terms) => {
      const details = Object.assign(new OrderDetails(1, terms), CHANGES);
      const { trigger } = terms.conditions;
      if (trigger?.kind === "stop") details.triggerTicks = trigger.triggerTicks;
      const snapshot = new SnapshotWriter();
      details.writeTo(snapshot);
      expect(OrderDetails.readFrom(new SnapshotReader(snapshot.bytes()), 1)).toEqual(details);
    },
  );

  test("stand in a table by the slot of their order, until that gives them up", () => {
    const table = new DetailsTable();
    const { room } = table;
    const [first, second] = [newDetails(1), newDetails(2)];
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
