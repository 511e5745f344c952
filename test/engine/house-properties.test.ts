/**
 * What must hold for every sequence of commands, those of administrators and plans among them: money
 * is conserved and its postings say where it went; a refusal changes nothing; a market that trades is
 * never crossed; a replay through the codec, and one from a snapshot anywhere, end in the same state.
 */
import { deepStrictEqual, strictEqual } from "node:assert/strict";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import { decodeCommand, encodeCommand } from "#engine/formats/command-codec.ts";
import { createEngine, restoreEngine, type Engine } from "#engine/engine.ts";
import { EventBuffer, decodeEvents } from "#engine/event-buffer.ts";
import type { ExchangeEvent } from "#engine/events.ts";
import { ADJUSTMENTS_ACCOUNT, EXTERNAL_ACCOUNT, postingsOf } from "#engine/accounts/postings.ts";
import type { MarketStatus } from "#engine/commands.ts";
import { coin, type Step } from "./commands.ts";
import { houseOpening, houseSteps } from "./house-commands.ts";
import { allRuns, fixedSeed } from "../support/run-counts.ts";

const START_MS = Date.parse("2026-01-31T10:00:00Z");

const seen = new Map<string, number>();

const OPENING = houseOpening().map((command) => ({ command, afterMs: 0, idempotencyKey: "" }));

/** Schedules of a few steps, and coins with other words. */
const scheduled: fc.Arbitrary<Step> = fc
  .record({
    marketId: fc.constantFrom(1, 1, 2, 9),
    minutes: fc.array(fc.constantFrom(1, 2, 30, 1440, 3000), { maxLength: 4 }),
    status: fc.constantFrom<MarketStatus>("preOpen", "auction", "trading", "halted", "closed"),
    forMs: fc.constantFrom(0, 0, 1000, 60_000),
    coinName: fc.constantFrom(undefined, undefined, undefined, "Apples", "x".repeat(65)),
    afterMs: fc.constantFrom(0, 1000, 60_000, 86_400_000),
  })
  .map(({ marketId, minutes, status, forMs, coinName, afterMs }): Step => {
    const decision = { byAdmin: "olga", reason: "because" };
    const steps = [...minutes]
      .sort((a, b) => a - b)
      .map((minute, index) => ({
        atMs: START_MS + minute * 60_000 + index,
        status: index % 2 === 0 ? status : ("trading" as const),
        forMs: index % 2 === 0 ? forMs : 0,
      }));
    const command =
      coinName === undefined
        ? ({ type: "scheduleMarket", marketId, steps, decision } as const)
        : ({
            type: "updateCoin",
            assetId: 2,
            coin: { ...coin("AAA", 8), name: coinName },
            decision,
          } as const);
    return { command, afterMs, idempotencyKey: "" };
  });

describe("every sequence of commands", () => {
  test("conserves money, refuses without a trace and replays", { timeout: 600_000 }, () => {
    // Not fc.double: nearly all doubles are next to 0.
    const cut = fc.nat({ max: 1000 }).map((share) => share / 1000);
    fc.assert(
      fc.property(houseSteps("tight", 45), cut, (sequence, share) => {
        check([...OPENING, ...sequence], share);
      }),
      { numRuns: allRuns(2500), ...fixedSeed(1) },
    );
  });

  test("does the same with markets that have schedules, and coins that change", () => {
    const sequences = fc
      .tuple(houseSteps("tight", 30), fc.array(scheduled, { minLength: 2, maxLength: 8 }))
      .chain(([steps, others]) => fc.shuffledSubarray([...others, ...steps], { minLength: 2 }));
    const cut = fc.nat({ max: 1000 }).map((share) => share / 1000);
    fc.assert(
      fc.property(sequences, cut, (sequence, share) => {
        check([...OPENING, ...sequence], share);
      }),
      { numRuns: allRuns(400), ...fixedSeed(2) },
    );
  });

  test("is a test of everything that can happen", () => {
    const rare = [
      "planChosen",
      "planPeriodBegan",
      "planLapsed",
      "adjustmentApproved",
      "adjustmentRejected",
      "accountFreezeChanged",
      "marketStatusChanged by admin",
      "marketStatusChanged by timer",
      "marketStatusChanged by breaker",
      "marketStatusChanged by schedule",
      "marketScheduled",
      "coinUpdated",
      "auctionUncrossed",
      "traded in an auction",
      "orderEnded: marketClosed",
      "orderEnded: breaker",
      "orderEnded: priceBand",
      "orderPlaced by volume",
      "orderPlaced by market",
      ...[
        "accountFrozen",
        "planNotOffered",
        "planUnchanged",
        "volumeNotReached",
        "sameAdministrator",
        "supplyExceeded",
        "priceOutsideBand",
        "wouldCrossOwnOrder",
        "notionalTooLarge",
        "tooManyAlgoOrders",
      ].map((reason) => `commandRejected: ${reason}`),
    ];
    expect(rare.filter((what) => !seen.has(what))).toEqual([]);
  });
});

function check(sequence: readonly Step[], share: number): void {
  const engine = createEngine();
  const buffer = new EventBuffer();
  const folded = new Map<string, bigint>();
  const cutAt = Math.round(sequence.length * share);
  let restored: Engine | undefined;
  let timestampMs = START_MS;
  let hash = engine.stateHash();
  sequence.forEach(({ command, afterMs, idempotencyKey }, index) => {
    timestampMs += afterMs;
    engine.apply(index + 1, timestampMs, idempotencyKey, command, buffer);
    const events = decodeEvents(buffer.take());
    for (const event of events) {
      note(event);
      foldPostings(folded, event, engine);
    }
    engine.read.checkInvariants();
    if (restored !== undefined) {
      const bytes = encodeCommand(command, idempotencyKey);
      const { command: decoded, idempotencyKey: key } = decodeCommand(bytes);
      restored.apply(index + 1, timestampMs, key, decoded, buffer);
      deepStrictEqual(decodeEvents(buffer.take()), events);
    }
    if (index === cutAt) restored = restoreEngine(engine.snapshot());
    const changed = engine.stateHash();
    // What was due happens whatever becomes of the command.
    if (events.length === 1 && events[0].type === "commandRejected") {
      strictEqual(changed, hash, "a refused command changes nothing");
    }
    hash = changed;
  });
  if (restored !== undefined) strictEqual(restored.stateHash(), hash);
  checkBalances(engine, folded);
}

function note(event: ExchangeEvent): void {
  const names = [event.type as string];
  if (event.type === "commandRejected") names.push(`${event.type}: ${event.reason}`);
  if (event.type === "marketStatusChanged") names.push(`${event.type} by ${event.cause}`);
  if (event.type === "traded" && event.auction !== undefined) names.push("traded in an auction");
  if (event.type === "orderEnded") names.push(`${event.type}: ${event.reason}`);
  if (event.type === "orderPlaced") names.push(`${event.type} by ${event.feeSource}`);
  for (const name of names) seen.set(name, (seen.get(name) ?? 0) + 1);
}

function foldPostings(balances: Map<string, bigint>, event: ExchangeEvent, engine: Engine): void {
  for (const posting of postingsOf(event, (marketId) => engine.read.marketAssets(marketId))) {
    const { assetId } = posting;
    const amount = BigInt(posting.amount);
    const debit = `${posting.debitAccount}/${assetId}/${posting.debitBalance}`;
    const credit = `${posting.creditAccount}/${assetId}/${posting.creditBalance}`;
    const left = (balances.get(debit) ?? 0n) - amount;
    const mayOwe = [EXTERNAL_ACCOUNT, ADJUSTMENTS_ACCOUNT].includes(posting.debitAccount);
    strictEqual(left >= 0n || mayOwe, true, `${debit} covers what it is debited`);
    balances.set(debit, left);
    balances.set(credit, (balances.get(credit) ?? 0n) + amount);
  }
}

function checkBalances({ read }: Engine, folded: ReadonlyMap<string, bigint>): void {
  for (let assetId = 1; assetId <= read.assetCount; assetId++) {
    for (let account = EXTERNAL_ACCOUNT; account < read.accountEnd; account++) {
      const balance = read.balance(account, assetId);
      for (const kind of ["available", "held"] as const) {
        const key = `${account}/${assetId}/${kind}`;
        strictEqual(BigInt(balance[kind]), folded.get(key) ?? 0n, `postings of ${key}`);
      }
    }
  }
}
