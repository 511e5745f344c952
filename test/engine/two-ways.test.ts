/**
 * A plain order takes the fast path through the engine; the same order with conditions that name
 * nothing takes the long one. Both must say the same in the same order and lead to the same state,
 * among orders of every type, halts, freezes and changes of plan. SIMULATION_RUNS multiplies the
 * number of sequences.
 */
import { deepStrictEqual, ok } from "node:assert/strict";
import * as fc from "fast-check";
import { describe, test } from "vitest";
import type { Amount } from "#engine/amount.ts";
import type { Command, OrderTerms } from "#engine/commands.ts";
import { createEngine, type Engine } from "#engine/engine.ts";
import { EventBuffer, decodeEvents } from "#engine/event-buffer.ts";
import type { ExchangeEvent } from "#engine/events.ts";
import type { PriceShape, Step } from "./commands.ts";
import { houseOpening, houseSteps } from "./house-commands.ts";
import { START_MS, aimed, orderSteps, prelude } from "./order-commands.ts";
import { runs } from "../support/run-counts.ts";

interface Profile {
  readonly shape: PriceShape;
  readonly funds: number;
  readonly runs: number;
  /** All own together what one account may, so that an adjustment makes the difference. */
  readonly isLimited?: boolean;
  readonly hasHouse?: boolean;
}

const PROFILES: Record<string, Profile> = {
  "around one touch": { shape: "tight", funds: 2 ** 36, runs: 600 },
  "with hardly any money": { shape: "tight", funds: 60_000, runs: 300 },
  "at prices of any size": { shape: "wide", funds: 2 ** 46, runs: 300 },
  "while what one account may own begins and ceases to matter": {
    shape: "drifting",
    funds: 2_000_000,
    runs: 400,
    isLimited: true,
    hasHouse: true,
  },
  "while the house works": { shape: "drifting", funds: 2_000_000, runs: 600, hasHouse: true },
};

describe("the fast path and the general path of a plain order lead to the same", () => {
  for (const [name, profile] of Object.entries(PROFILES)) {
    const { shape, funds, runs: full, isLimited = false, hasHouse = false } = profile;
    test(name, { timeout: 600_000 }, () => {
      const drawn = hasHouse ? houseSteps(shape, 60) : orderSteps(shape, 60);
      let shortened = 0;
      fc.assert(
        fc.property(drawn, (steps) => {
          shortened += check([...openingSteps(funds, isLimited), ...steps]);
        }),
        { numRuns: runs(full) },
      );
      ok(shortened > 0, "some plain orders were accepted");
    });
  }
});

function openingSteps(funds: number, isLimited: boolean): Step[] {
  const unitsMax = (4 * funds) as Amount;
  const limit: Command[] = isLimited ? [{ type: "limitBalances", unitsMax }] : [];
  const commands = [...houseOpening(funds), ...limit].map((command) => ({
    command,
    afterMs: 0,
    idempotencyKey: "",
  }));
  return [...commands, ...prelude];
}

/** Returns how many plain orders were accepted. */
function check(sequence: readonly Step[]): number {
  const short = createEngine();
  const long = createEngine();
  let accepted = 0;
  for (const drawn of sequence) {
    const step = aimed(drawn, short);
    const events = apply(short, step);
    const others = apply(long, { ...step, command: theLongWay(step.command) });
    deepStrictEqual(others.map(withoutEmptyConditions), events.map(withoutEmptyConditions));
    if (step.command.type === "placeOrder" && step.command.conditions === undefined) {
      accepted += events.some(({ type }) => type === "orderPlaced") ? 1 : 0;
    }
  }
  deepStrictEqual(stateOf(long), stateOf(short));
  short.read.checkInvariants();
  return accepted;
}

function apply(engine: Engine, { command, afterMs, idempotencyKey }: Step): ExchangeEvent[] {
  const events = new EventBuffer();
  const nowMs = Math.max(START_MS, engine.timestampMs) + afterMs;
  engine.apply(engine.sequence + 1, nowMs, idempotencyKey, command, events);
  return decodeEvents(events.take());
}

/** Every order that names no conditions names an empty set of them. */
function theLongWay(command: Command): Command {
  switch (command.type) {
    case "placeOrder":
      return withConditions(command);
    case "replaceOrder":
      return { ...command, order: withConditions(command.order) };
    default:
      return command;
  }
}

function withConditions<Terms extends OrderTerms>(terms: Terms): Terms {
  return { ...terms, conditions: terms.conditions ?? {} };
}

function withoutEmptyConditions(event: ExchangeEvent): ExchangeEvent {
  if (event.type !== "orderPlaced" || event.conditions === undefined) return event;
  if (Object.keys(event.conditions).length > 0) return event;
  const { conditions: _, ...rest } = event;
  return rest;
}

/** Balances, open orders and books: all that the conditions, which differ, are not part of. */
function stateOf({ read }: Engine): unknown {
  const accounts = [];
  for (let account = 1; account < read.accountEnd; account++) {
    const assets = Array.from({ length: read.assetCount }, (_, index) => index + 1);
    const balances = assets.map((assetId) => read.exactBalance(account, assetId));
    accounts.push({ balances, orders: read.openOrdersOf(account), is: read.account(account) });
  }
  const books = [1, 2].flatMap((marketId) => [
    read.marketState(marketId),
    read.bookOrders(marketId, "buy"),
    read.bookOrders(marketId, "sell"),
  ]);
  return { accounts, books };
}
