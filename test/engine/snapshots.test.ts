/**
 * An engine restored from a snapshot is the engine that wrote it: at any command of any sequence,
 * the snapshot and the commands behind it lead to the very events and hash of the whole sequence.
 * Whatever decides an outcome and is missing in the snapshot shows here.
 */
import { deepStrictEqual, strictEqual } from "node:assert/strict";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { AMOUNT_MAX, type Amount, type Lots, type Ticks } from "#engine/amount.ts";
import type { Command, PlaceOrder } from "#engine/commands.ts";
import { createEngine, type Engine, restoreEngine } from "#engine/engine.ts";
import { EventBuffer, decodeEvents } from "#engine/event-buffer.ts";
import type { ExchangeEvent } from "#engine/events.ts";
import { SnapshotFormatError } from "#engine/formats/snapshot.ts";
import { coin, opening, type PriceShape, type Step, steps } from "./commands.ts";
import { runs } from "../support/run-counts.ts";

const START_MS = 1_700_000_000_000;
const SHAPES: Record<PriceShape, number> = { tight: 2500, wide: 700, drifting: 700 };

const openingSteps: Step[] = opening(2 ** 40, 2 ** 36).map((command) => ({
  command,
  afterMs: 0,
  idempotencyKey: "",
}));

const order = (terms: Partial<PlaceOrder>): PlaceOrder => ({
  type: "placeOrder",
  account: 17,
  marketId: 1,
  side: "buy",
  orderType: "limit",
  timeInForce: "gtc",
  postOnly: false,
  priceTicks: 99 as Ticks,
  quantityLots: 7 as Lots,
  quoteAmount: 0 as Amount,
  clientOrderId: "",
  ...terms,
});

/**
 * Questions right behind the snapshot whose answers say what is remembered: taken practice funds,
 * ids and keys in use, plans and their fees, what there is already.
 */
const probes: Step[] = (
  [
    [{ type: "takePracticeFunds", account: 16, assetId: 1, amount: 5 as Amount }],
    ...["a", "b", "c"].map((clientOrderId): [Command] => [order({ clientOrderId })]),
    ...[16, 17, 18, 19].map((account): [Command] => [order({ account, side: "sell" })]),
    ...["k1", "k2", "k3"].map((key): [Command, string] => [order({ account: 18 }), key]),
    [{ type: "startSimulation", seed: 1 }],
    [{ type: "openAccount", userId: "user 1", kind: "person" }],
  ] satisfies [Command, string?][]
).map(([command, idempotencyKey = ""]) => ({ command, afterMs: 0, idempotencyKey }));

/** All accounts own more than one may, the exchange's own more than a float64 can say. */
const limitedSteps: Step[] = (
  [
    { type: "limitBalances", unitsMax: AMOUNT_MAX as Amount },
    { type: "listCoin", coin: coin("BIG", 0) },
    ...[17, 18, 19].map((account): Command => ({
      type: "fundParticipant",
      account,
      assetId: 4,
      amount: AMOUNT_MAX as Amount,
    })),
    { type: "limitBalances", unitsMax: (2 ** 40 + 2_000) as Amount },
  ] satisfies Command[]
).map((command) => ({ command, afterMs: 0, idempotencyKey: "" }));

/** Applies the steps behind those that the engine has applied. */
function run(engine: Engine, all: readonly Step[], until = all.length): ExchangeEvent[] {
  const buffer = new EventBuffer();
  const events: ExchangeEvent[] = [];
  while (engine.sequence < until) {
    const { command, afterMs, idempotencyKey } = all[engine.sequence];
    const timestampMs = Math.max(START_MS, engine.timestampMs) + afterMs;
    engine.apply(engine.sequence + 1, timestampMs, idempotencyKey, command, buffer);
    for (const event of decodeEvents(buffer.take())) events.push(event);
  }
  return events;
}

describe("a snapshot at any command, and the commands behind it", () => {
  for (const [shape, full] of Object.entries(SHAPES)) {
    test(`lead to what all commands lead to, prices ${shape}`, { timeout: 600_000 }, () => {
      // Not fc.double: nearly all doubles are next to 0.
      const cut = fc.nat({ max: 1000 }).map((share) => share / 1000);
      fc.assert(
        fc.property(steps(shape as PriceShape, 80), cut, fc.boolean(), (drawn, share, limited) => {
          const sequence = limited ? [...limitedSteps, ...drawn] : drawn;
          const before = [...openingSteps, ...sequence];
          const at = Math.round(before.length * share);
          const all = [...before.slice(0, at), ...probes, ...before.slice(at)];
          const live = createEngine();
          run(live, all, at);
          const snapshot = live.snapshot();
          const restored = restoreEngine(snapshot);
          restored.read.checkInvariants();
          strictEqual(restored.sequence, live.sequence);
          strictEqual(restored.timestampMs, live.timestampMs);
          deepStrictEqual(
            restored.snapshot(),
            snapshot,
            "what is restored is all that was written",
          );
          const unhashed = restoreEngine(snapshot, { isVerified: true });
          const events = run(live, all);
          for (const again of [restored, unhashed]) {
            deepStrictEqual(run(again, all), events);
            strictEqual(again.stateHash(), live.stateHash());
            again.read.checkInvariants();
          }
        }),
        { numRuns: runs(full) },
      );
    });
  }

  test("do so over and over again", { timeout: 600_000 }, () => {
    fc.assert(
      fc.property(steps("tight", 80), (sequence) => {
        const all = [...openingSteps, ...sequence];
        const live = createEngine();
        let relayed = createEngine();
        for (let at = 1; at <= all.length; at++) {
          deepStrictEqual(run(relayed, all, at), run(live, all, at));
          relayed = restoreEngine(relayed.snapshot());
        }
        strictEqual(relayed.stateHash(), live.stateHash());
      }),
      { numRuns: runs(150) },
    );
  });
});

describe("bytes that are not a whole snapshot", () => {
  const live = createEngine();
  run(live, [...openingSteps, ...fc.sample(steps("tight", 60), { seed: 5, numRuns: 4 }).flat()]);
  const snapshot = live.snapshot();
  const hash = live.stateHash();

  test("are refused when any byte of them differs", () => {
    for (let at = 0; at < snapshot.length; at++) {
      const damaged = snapshot.slice();
      damaged[at] ^= 1 << (at % 8);
      try {
        // The sequence and the time are the file's to guard: the hash does not cover them.
        expect(restoreEngine(damaged).stateHash()).toBe(hash);
        expect(at).toBeLessThan(28);
        expect(at).toBeGreaterThanOrEqual(12);
      } catch (error) {
        if (!(error instanceof SnapshotFormatError)) throw error;
      }
    }
  });

  test("are refused when they end too early or go on", () => {
    for (let length = 0; length < snapshot.length; length += 7) {
      expect(() => restoreEngine(snapshot.subarray(0, length))).toThrow(SnapshotFormatError);
    }
    const longer = new Uint8Array(snapshot.length + 1);
    longer.set(snapshot);
    expect(() => restoreEngine(longer)).toThrow(SnapshotFormatError);
  });

  test("are refused when another version wrote them", () => {
    const other = snapshot.slice();
    other[8] += 1;
    expect(() => restoreEngine(other)).toThrow(/version/);
  });
});
