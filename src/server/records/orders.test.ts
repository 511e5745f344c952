import { describe, expect, test } from "vitest";
import type { Amount, Lots, Ticks } from "#engine/amount.ts";
import type { EventOf } from "#engine/events.ts";
import {
  applyChange,
  applyEnd,
  applyTrade,
  type OrderChange,
  type OrderRecord,
  ORDERS,
  type OrderState,
  placedOrder,
} from "./orders.ts";
import { fillOf } from "./trades.ts";

const order = { orderId: 7, account: 16, marketId: 1, side: "buy" } as const;
const at = (sequence: number) => ({ sequence, timestampMs: 1_000 * sequence });
const lots = (count: number) => count as Lots;
const units = (count: number) => count as Amount;
const ticks = (count: number) => count as Ticks;

const placed: EventOf<"orderPlaced"> = {
  type: "orderPlaced",
  ...at(1),
  ...order,
  orderType: "limit",
  timeInForce: "gtc",
  postOnly: true,
  priceTicks: ticks(100),
  quantityLots: lots(10),
  quoteAmount: units(0),
  heldAmount: units(1_000),
  makerFeeBps: 5,
  takerFeeBps: 9,
  feeSource: "volume",
  clientOrderId: "mine",
  conditions: { displayLots: lots(2) },
  listId: 3,
};

const changes = {
  waiting: {
    type: "orderWaiting",
    ...at(2),
    ...order,
    waitsFor: "trigger",
    triggerTicks: ticks(90),
  },
  activated: {
    type: "orderActivated",
    ...at(3),
    ...order,
    cause: "trigger",
    lastTicks: ticks(90),
    heldAmount: units(0),
    quantityLots: lots(8),
  },
  amended: {
    type: "orderAmended",
    ...at(4),
    ...order,
    priceTicks: ticks(95),
    quantityLots: lots(9),
    remainingLots: lots(9),
    heldAmount: units(0),
    releasedAmount: units(0),
    keptPriority: true,
    previousPriceTicks: ticks(100),
    previousVisibleLots: lots(2),
    visibleLots: lots(2),
  },
  amendedWaiting: {
    type: "waitingOrderAmended",
    ...at(4),
    ...order,
    priceTicks: ticks(96),
    quantityLots: lots(7),
    quoteAmount: units(0),
    triggerTicks: ticks(92),
    trigger: { kind: "stop", triggerTicks: ticks(92) },
    heldAmount: units(0),
    releasedAmount: units(40),
  },
  decremented: {
    type: "quantityDecremented",
    ...at(5),
    ...order,
    wasResting: true,
    priceTicks: ticks(95),
    decrementedLots: lots(4),
    remainingLots: lots(5),
    releasedAmount: units(0),
    previousVisibleLots: lots(2),
    visibleLots: lots(2),
  } satisfies EventOf<"quantityDecremented">,
} satisfies Record<string, OrderChange>;

const traded: EventOf<"traded"> = {
  type: "traded",
  ...at(6),
  marketId: 1,
  tradeId: 1,
  takerSide: "sell",
  priceTicks: ticks(95),
  quantityLots: lots(2),
  notional: units(190),
  baseAmount: units(2),
  makerOrderId: 7,
  takerOrderId: 8,
  makerAccount: 16,
  takerAccount: 17,
  makerFee: units(1),
  takerFee: units(2),
  makerRemainingLots: lots(3),
  takerReleased: units(0),
};

const ended: EventOf<"orderEnded"> = {
  type: "orderEnded",
  ...at(9),
  ...order,
  status: "cancelled",
  reason: "byOwner",
  priceTicks: ticks(95),
  remainingLots: lots(1),
  releasedAmount: units(95),
  wasResting: true,
  visibleLots: lots(1),
};

/** The fields of a record that a step changes, apart from its update time. */
function changed(record: OrderState, step: (record: OrderState) => void): Partial<OrderRecord> {
  const before = { ...record };
  step(record);
  const names = Object.keys(record) as (keyof OrderRecord)[];
  const different = names.filter((name) => record[name] !== before[name]);
  const entries = different.map((name) => [name, record[name]] as const);
  return Object.fromEntries(entries.filter(([name]) => !name.startsWith("updated")));
}

describe("an order's record", () => {
  test("has the terms that it was placed with, and is open", () => {
    const { type: _type, heldAmount: _held, sequence, timestampMs, ...terms } = placed;
    expect(placedOrder(placed, { kind: "oco" })).toEqual({
      ...terms,
      listKind: "oco",
      waitsFor: "nothing",
      triggerTicks: 0,
      placedAtMs: timestampMs,
      workingSinceMs: timestampMs,
      placedSequence: sequence,
      status: "open",
      endReason: "",
      filledLots: 0,
      filledNotional: 0,
      updatedAtMs: timestampMs,
      updatedSequence: sequence,
    });
    const plain = placedOrder({ ...placed, conditions: undefined, listId: undefined });
    expect(plain).not.toHaveProperty("conditions");
    expect([plain.listId, plain.listKind]).toEqual([0, ""]);
  });

  test("waits until it is activated, then asks for what it was activated with", () => {
    const record = placedOrder(placed);
    const { waiting, activated } = changes;
    expect(changed(record, () => applyChange(record, waiting))).toEqual({
      waitsFor: "trigger",
      triggerTicks: 90,
      workingSinceMs: 0,
    });
    expect(changed(record, () => applyChange(record, activated))).toEqual({
      waitsFor: "nothing",
      quantityLots: 8,
      workingSinceMs: 3_000,
    });
  });

  test("has the price and quantity that it was amended to", () => {
    const record = placedOrder(placed);
    expect(changed(record, () => applyChange(record, changes.amended))).toEqual({
      priceTicks: 95,
      quantityLots: 9,
    });
  });

  test("has what an order that waits was amended to, beside its other conditions", () => {
    const record = placedOrder(placed);
    applyChange(record, changes.waiting);
    expect(changed(record, () => applyChange(record, changes.amendedWaiting))).toEqual({
      priceTicks: 96,
      quantityLots: 7,
      triggerTicks: 92,
      conditions: { displayLots: 2, trigger: { kind: "stop", triggerTicks: 92 } },
    });
  });

  test("asks for less once decremented, unless it is by quote amount", () => {
    const record = placedOrder(placed);
    const { decremented } = changes;
    expect(changed(record, () => applyChange(record, decremented))).toEqual({ quantityLots: 6 });
    const market = placedOrder({ ...placed, quantityLots: lots(0), quoteAmount: units(500) });
    expect(changed(market, () => applyChange(market, decremented))).toEqual({});
  });

  test("adds up what was filled", () => {
    const record = placedOrder(placed);
    applyTrade(record, traded);
    const more = { ...traded, ...at(7), quantityLots: lots(3), notional: units(285) };
    expect(changed(record, () => applyTrade(record, more))).toEqual({
      filledLots: 5,
      filledNotional: 475,
    });
  });

  test("waits for nothing after its end, and says why it ended", () => {
    const record = placedOrder(placed);
    applyChange(record, changes.waiting);
    expect(changed(record, () => applyEnd(record, ended))).toEqual({
      waitsFor: "nothing",
      status: "cancelled",
      endReason: "byOwner",
    });
  });

  test("tells whether its list expired while it waited for its working order, or later", () => {
    const endOf = (waitsFor: "trigger" | "workingOrder", isListExpired?: true) => {
      const record = placedOrder(placed);
      applyChange(record, { ...changes.waiting, waitsFor });
      applyEnd(record, { ...ended, reason: "listEnded", ...(isListExpired && { isListExpired }) });
      return record.endReason;
    };
    expect(endOf("workingOrder", true)).toBe("workingOrderExpired");
    expect(endOf("trigger", true)).toBe("listExpired");
    expect(endOf("workingOrder")).toBe("listEnded");
  });

  test("names the last event that changed it", () => {
    const record = placedOrder(placed);
    for (const change of Object.values(changes)) {
      applyChange(record, change);
      expect([record.updatedSequence, record.updatedAtMs]).toEqual([
        change.sequence,
        change.timestampMs,
      ]);
    }
    applyTrade(record, traded);
    expect(record.updatedSequence).toBe(traded.sequence);
    applyEnd(record, ended);
    expect([record.updatedSequence, record.updatedAtMs]).toEqual([9, 9_000]);
  });
});

describe("a record of an order", () => {
  const records = [placedOrder(placed), { ...placedOrder(placed), postOnly: false }];
  delete (records[1] as { conditions?: unknown }).conditions;

  test("is the same after it was a row", () => {
    expect(ORDERS.toRow(records[0])).toMatchObject({
      order_id: 7,
      post_only: 1,
      conditions: '{"displayLots":2}',
      placed_at: 1_000,
    });
    expect(ORDERS.toRow(records[1])).toMatchObject({ post_only: 0, conditions: "" });
    const rows = records.map(ORDERS.toRow);
    expect(rows.map(ORDERS.fromRow)).toStrictEqual(records);
  });

  test("is the same after it was packed", () => {
    const packed = structuredClone(ORDERS.pack(records));
    expect(records.map((_, place) => ORDERS.unpack(packed, place))).toStrictEqual(records);
  });

  test("is updated in every column that an event changes", () => {
    const record = placedOrder(placed);
    const before = ORDERS.toRow(record);
    applyChange(record, changes.waiting);
    const waiting = ORDERS.toRow(record);
    applyChange(record, { ...changes.amendedWaiting, quoteAmount: units(5) });
    applyTrade(record, traded);
    applyEnd(record, ended);
    const after = ORDERS.toRow(record);
    const columns = Object.keys(before) as (keyof typeof before)[];
    const different = columns.filter(
      (column) => before[column] !== waiting[column] || waiting[column] !== after[column],
    );
    expect(different.toSorted()).toEqual(ORDERS.changingColumns.toSorted());
  });
});

test("both parties of an auction pay as makers", () => {
  const market = { baseAssetId: 2, quoteAssetId: 1 };
  const record = placedOrder(placed);
  const auction = { makerReleased: units(0), makerTicks: ticks(95), takerTicks: ticks(95) };
  expect(fillOf(traded, record, "maker", market)).toMatchObject({ fee: 1, feeBps: 5 });
  expect(fillOf(traded, record, "taker", market)).toMatchObject({ fee: 2, feeBps: 9 });
  expect(fillOf({ ...traded, auction }, record, "taker", market).feeBps).toBe(5);
});
