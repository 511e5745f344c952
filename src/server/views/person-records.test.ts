import { expect, test } from "vitest";
import type { Amount } from "#engine/amount.ts";
import type { EventOf } from "#engine/events.ts";
import { PersonRecords, RECORDS_KEPT } from "./person-records.ts";

const ACCOUNT = 16;

const opened: EventOf<"accountOpened"> = {
  type: "accountOpened",
  sequence: 1,
  timestampMs: 1,
  account: ACCOUNT,
  userId: "user",
  kind: "person",
};

function taken(sequence: number): EventOf<"practiceFundsTaken"> {
  const amount = sequence as Amount;
  const timestampMs = sequence;
  return {
    type: "practiceFundsTaken",
    sequence,
    timestampMs,
    account: ACCOUNT,
    assetId: 1,
    amount,
  };
}

test("the newest records are known however many of them came before a snapshot", () => {
  const lengths = [1, 1.5, 1.99, 2, 2.3, 3].map((times) => Math.round(times * RECORDS_KEPT));
  const cases = lengths.flatMap((count) =>
    [0, 0.3, 0.6, 0.9, 0.99].map((share) => [count, Math.round(count * share)]),
  );
  for (const [count, before] of cases) {
    const whole = new PersonRecords();
    whole.foldOpened(opened);
    for (let index = 0; index < before; index += 1) whole.foldAccountActivity(taken(2 + index));
    const restored = new PersonRecords();
    restored.restore(structuredClone(whole.state()));
    for (let index = before; index < count; index += 1) {
      whole.foldAccountActivity(taken(2 + index));
      restored.foldAccountActivity(taken(2 + index));
    }
    expect(restored.transfers(ACCOUNT)).toHaveLength(RECORDS_KEPT);
    expect(restored.transfers(ACCOUNT)).toEqual(whole.transfers(ACCOUNT));
    expect(restored.activity(ACCOUNT)).toEqual(whole.activity(ACCOUNT));
    expect(restored.state()).toEqual(whole.state());
  }
});

test("a trailing stop follows the market on after a restore", () => {
  const whole = new PersonRecords();
  whole.foldOpened(opened);
  const reference = { orderId: 9, account: ACCOUNT, marketId: 1, side: "sell" } as const;
  const at = { sequence: 2, timestampMs: 2 };
  const trigger = { kind: "trailingStop", trailBps: 500 } as const;
  const placed = { type: "orderPlaced", ...at, ...reference, conditions: { trigger } };
  const waiting = { type: "orderWaiting", ...at, ...reference, waitsFor: "trigger" };
  whole.foldPlaced(placed as unknown as EventOf<"orderPlaced">, undefined);
  whole.foldChanged({ ...waiting, triggerTicks: 95_000 } as unknown as EventOf<"orderWaiting">);
  const restored = new PersonRecords();
  restored.restore(structuredClone(whole.state()));
  const traded = { type: "traded", sequence: 3, marketId: 1, priceTicks: 110_000 };
  for (const records of [whole, restored]) {
    expect(records.followTrade(traded as unknown as EventOf<"traded">)).toEqual([ACCOUNT]);
    expect(records.openOrders(ACCOUNT)[0].triggerTicks).toBe(104_500);
  }
});

test("an amended trailing stop follows the market at its new distance", () => {
  const records = new PersonRecords();
  records.foldOpened(opened);
  const reference = { orderId: 9, account: ACCOUNT, marketId: 1, side: "sell" } as const;
  const at = { sequence: 2, timestampMs: 2 };
  const placed = {
    type: "orderPlaced",
    ...at,
    ...reference,
    conditions: { trigger: trailing(500) },
  };
  const waiting = { type: "orderWaiting", ...at, ...reference, waitsFor: "trigger" };
  records.foldPlaced(placed as unknown as EventOf<"orderPlaced">, undefined);
  records.foldChanged({ ...waiting, triggerTicks: 95_000 } as unknown as EventOf<"orderWaiting">);
  const amended = { type: "waitingOrderAmended", ...reference, sequence: 3, timestampMs: 3 };
  const terms = { quantityLots: 1, triggerTicks: 90_000, trigger: trailing(1_000) };
  records.foldChanged({ ...amended, ...terms } as unknown as EventOf<"waitingOrderAmended">);
  const traded = { type: "traded", sequence: 4, marketId: 1, priceTicks: 110_000 };
  expect(records.followTrade(traded as unknown as EventOf<"traded">)).toEqual([ACCOUNT]);
  expect(records.openOrders(ACCOUNT)[0]).toMatchObject({
    triggerTicks: 99_000,
    conditions: { trigger: trailing(1_000) },
  });
});

const trailing = (trailBps: number) => ({ kind: "trailingStop", trailBps }) as const;

test("the last sequence of an account is that of its newest order, change or entry", () => {
  const records = new PersonRecords();
  records.foldOpened(opened);
  expect(records.lastSequence(ACCOUNT)).toBe(0);
  records.foldAccountActivity(taken(5));
  expect(records.lastSequence(ACCOUNT)).toBe(5);
  const reference = { orderId: 9, account: ACCOUNT, marketId: 1, side: "buy" } as const;
  const placed = {
    ...reference,
    type: "orderPlaced",
    sequence: 7,
    timestampMs: 7,
    clientOrderId: "mine",
  } as EventOf<"orderPlaced">;
  records.foldPlaced(placed, undefined);
  expect(records.lastSequence(ACCOUNT)).toBe(7);
  const amended = { ...reference, type: "orderAmended", sequence: 12, timestampMs: 12 };
  records.foldChanged(amended as EventOf<"orderAmended">);
  expect(records.lastSequence(ACCOUNT)).toBe(12);
  expect(records.orderByClientId(ACCOUNT, "mine")?.orderId).toBe(9);
  expect(records.lastSequence(ACCOUNT + 1)).toBe(0);
});
