/**
 * What must hold for every sequence of commands: the engine does what an obviously right exchange
 * does, event by event; money is conserved; a refusal changes nothing; a replay through the codec
 * ends in the same state. SIMULATION_RUNS multiplies the number of sequences; a failure prints its
 * seed.
 */
import { deepStrictEqual, strictEqual } from "node:assert/strict";
import * as fc from "fast-check";
import { describe, test } from "vitest";
import { CommandDecoder, encodeCommand } from "#engine/formats/command-codec.ts";
import type { Command } from "#engine/commands.ts";
import { createEngine, type Engine } from "#engine/engine.ts";
import { EventBuffer, decodeEvents } from "#engine/event-buffer.ts";
import type { ExchangeEvent } from "#engine/events.ts";
import { EXTERNAL_ACCOUNT, postingsOf } from "#engine/accounts/postings.ts";
import { opening, steps, type PriceShape, type Step } from "./commands.ts";
import { NaiveExchange } from "./naive-exchange.ts";
import { runs } from "../support/run-counts.ts";

const START_MS = 1_700_000_000_000;

interface Profile {
  readonly shape: PriceShape;
  readonly length: number;
  readonly fundsUsd: number;
  readonly fundsBase: number;
  readonly runs: number;
}

const PROFILES: Record<string, Profile> = {
  "around one touch": {
    shape: "tight",
    length: 60,
    fundsUsd: 5_000_000,
    fundsBase: 2_000_000,
    runs: 2000,
  },
  "at prices of any size": {
    shape: "wide",
    length: 60,
    fundsUsd: 2 ** 50,
    fundsBase: 2 ** 40,
    runs: 1500,
  },
  "with a touch that jumps": {
    shape: "drifting",
    length: 60,
    fundsUsd: 2 ** 40,
    fundsBase: 2 ** 40,
    runs: 1000,
  },
  "with hardly any money": {
    shape: "tight",
    length: 60,
    fundsUsd: 60_000,
    fundsBase: 20_000,
    runs: 600,
  },
};

describe("every sequence of commands", () => {
  for (const [name, profile] of Object.entries(PROFILES)) {
    test(name, { timeout: 300_000 }, () => {
      fc.assert(
        fc.property(steps(profile.shape, profile.length), (sequence) => {
          check([...openingSteps(profile), ...sequence]);
        }),
        { numRuns: runs(profile.runs) },
      );
    });
  }
});

function openingSteps({ fundsUsd, fundsBase }: Profile): Step[] {
  const rules: Command = { type: "adoptRules", spentOrdersStop: true, pendingTakePlaces: true };
  return [rules, ...opening(fundsUsd, fundsBase)].map((command) => ({
    command,
    afterMs: 0,
    idempotencyKey: "",
  }));
}

function check(sequence: readonly Step[]): void {
  const engine = createEngine();
  const naive = new NaiveExchange();
  const buffer = new EventBuffer();
  const folded = new Map<string, bigint>();
  let timestampMs = START_MS;
  let hash = engine.stateHash();
  sequence.forEach(({ command, afterMs, idempotencyKey }, index) => {
    timestampMs += afterMs;
    engine.apply(index + 1, timestampMs, idempotencyKey, command, buffer);
    const events = decodeEvents(buffer.take());
    deepStrictEqual(events, naive.apply(index + 1, timestampMs, idempotencyKey, command));
    for (const event of events) foldPostings(folded, event, engine);
    engine.read.checkInvariants();
    const changed = engine.stateHash();
    const isUnchanged =
      events[0]?.type === "commandRejected" || events[0]?.type === "requestRepeated";
    // An assignment of the plan that an account already has is the one success that changes nothing.
    if (isUnchanged) strictEqual(changed, hash, "a refused command changes nothing");
    else if (command.type !== "assignPlan") strictEqual(changed === hash, false);
    hash = changed;
  });
  checkBalances(engine, naive, folded);
  checkBooks(engine, naive);
  strictEqual(replay(sequence).stateHash(), hash, "a replay ends in the same state");
}

function foldPostings(balances: Map<string, bigint>, event: ExchangeEvent, engine: Engine): void {
  const postings = postingsOf(event, (marketId) => engine.read.marketAssets(marketId));
  for (const posting of postings) {
    const { assetId, amount } = posting;
    const debit = `${posting.debitAccount}/${assetId}/${posting.debitBalance}`;
    const credit = `${posting.creditAccount}/${assetId}/${posting.creditBalance}`;
    balances.set(debit, (balances.get(debit) ?? 0n) - BigInt(amount));
    balances.set(credit, (balances.get(credit) ?? 0n) + BigInt(amount));
  }
}

function checkBalances(engine: Engine, naive: NaiveExchange, folded: Map<string, bigint>): void {
  const { read } = engine;
  for (let assetId = 1; assetId <= read.assetCount; assetId++) {
    for (let account = EXTERNAL_ACCOUNT; account < read.accountEnd; account++) {
      const balance = read.balance(account, assetId);
      for (const kind of ["available", "held"] as const) {
        const key = `${account}/${assetId}/${kind}`;
        strictEqual(BigInt(balance[kind]), folded.get(key) ?? 0n, `postings of ${key}`);
        strictEqual(BigInt(balance[kind]), naive.balance(account, assetId, kind), key);
      }
    }
  }
}

function checkBooks(engine: Engine, naive: NaiveExchange): void {
  for (let marketId = 1; marketId <= engine.read.marketCount; marketId++) {
    for (const side of ["buy", "sell"] as const) {
      deepStrictEqual(
        engine.read
          .bookOrders(marketId, side)
          .map(({ orderId, priceTicks, remainingLots }) => [orderId, priceTicks, remainingLots]),
        naive
          .queue(marketId, side)
          .map(({ id, price, remaining }) => [id, Number(price), Number(remaining)]),
      );
    }
  }
}

/** A second engine fed with what the journal would keep. */
function replay(sequence: readonly Step[]): Engine {
  const engine = createEngine();
  const buffer = new EventBuffer();
  const decoder = new CommandDecoder();
  let timestampMs = START_MS;
  sequence.forEach(({ command, afterMs, idempotencyKey }, index) => {
    timestampMs += afterMs;
    const bytes = encodeCommand(command, idempotencyKey);
    const decoded = decoder.decode(bytes, new DataView(bytes.buffer), 0, bytes.length);
    engine.apply(index + 1, timestampMs, decoder.idempotencyKey, decoded, buffer);
    buffer.clear();
  });
  return engine;
}
