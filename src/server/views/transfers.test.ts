import { expect, onTestFinished, test, vi } from "vitest";
import type { Amount } from "#engine/amount.ts";
import type { EventOf } from "#engine/events.ts";
import { Transfers } from "./transfers.ts";

const NEW: EventOf<"transferChanged"> = {
  type: "transferChanged",
  sequence: 1,
  timestampMs: 1_000,
  transferId: 1,
  kind: "deposit",
  account: 16,
  assetId: 1,
  status: "requested",
  amount: 10 as Amount,
  fee: 0 as Amount,
  network: "BANK",
  address: "",
  memo: "",
  receipt: "",
  requestedAtMs: 1_000,
  expiresAtMs: 9_000,
  value: 0,
  firstBy: "",
  payers: [],
};

test("what waits for an administrator comes before what was only announced, and is counted", () => {
  const transfers = new Transfers();
  expect(transfers.waiting()).toEqual({
    deposits: 0,
    withdrawals: 0,
    announced: 0,
    sinceMs: undefined,
  });
  const withdrawal = { ...NEW, kind: "withdrawal", status: "held" } as const;
  for (const event of [
    NEW,
    { ...NEW, transferId: 2 },
    { ...withdrawal, transferId: 3, timestampMs: 2_000 },
    { ...NEW, transferId: 4, status: "recorded", timestampMs: 3_000 } as const,
    { ...withdrawal, transferId: 5, timestampMs: 4_000 },
    // The transfer that waited longest was approved in the meantime.
    { ...withdrawal, transferId: 3, status: "approved", timestampMs: 5_000 } as const,
    { ...NEW, transferId: 2, status: "expired", timestampMs: 9_000 } as const,
  ]) {
    transfers.fold(event);
  }
  expect(transfers.waiting()).toEqual({
    deposits: 1,
    withdrawals: 2,
    announced: 1,
    sinceMs: 3_000,
  });
  const ids = (max: number) => transfers.toReview(max).shown.map(({ transferId }) => transferId);
  expect(ids(9)).toEqual([3, 4, 5, 1]);
  // A deposit that was announced before the others of its page were requested is finally recorded.
  transfers.fold({ ...NEW, status: "recorded", timestampMs: 10_000 });
  expect(ids(9)).toEqual([1, 3, 4, 5]);
  const restored = new Transfers();
  restored.restore(structuredClone(transfers.state()));
  expect(restored.waiting()).toEqual(transfers.waiting());
  expect(restored.toReview(9)).toEqual(transfers.toReview(9));
  transfers.fold({ ...NEW, status: "rejected", timestampMs: 11_000 });
  transfers.fold({ ...NEW, transferId: 6, sequence: 6, timestampMs: 12_000 });
  expect(ids(9)).toEqual([3, 4, 5, 6]);
  expect(transfers.toReview(2)).toMatchObject({ left: 2 });
  expect(ids(2)).toEqual([3, 4]);
});

test("the deposit of a receipt is found among very many that were only announced", () => {
  const transfers = new Transfers();
  for (let transferId = 1; transferId <= 20_000; transferId += 1) {
    transfers.fold({ ...NEW, transferId, account: transferId });
  }
  const recorded = {
    ...NEW,
    transferId: 7,
    account: 7,
    status: "recorded",
    receipt: "TX 9",
  } as const;
  transfers.fold(recorded);
  const normalize = vi.spyOn(String.prototype, "normalize");
  onTestFinished(() => normalize.mockRestore());
  const place = { assetId: 1, network: "BANK" };
  expect(transfers.depositOf(place, "tx9")?.transferId).toBe(7);
  expect(transfers.depositOf(place, "tx8")).toBeUndefined();
  expect(normalize.mock.calls.length).toBeLessThan(10);
});
