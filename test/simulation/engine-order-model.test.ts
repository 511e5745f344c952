/**
 * The engine against an independent model of every order type: the same events for every command,
 * whatever their order within it, a reason that applies for every refusal, the same balances and the
 * same queues. SIMULATION_RUNS multiplies the number of sequences; a failure prints its seed.
 */
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import * as fc from "fast-check";
import { describe, test } from "vitest";
import type { Command } from "#engine/commands.ts";
import { createEngine, type Engine } from "#engine/engine.ts";
import { EventBuffer, decodeEvents } from "#engine/event-buffer.ts";
import type { ExchangeEvent } from "#engine/events.ts";
import { market, opening, plan, type PriceShape, type Step } from "./engine-commands.ts";
import { START_MS, aimed, orderSteps, prelude } from "./engine-order-commands.ts";
import { OrderModel, type ModelMarket } from "./order-model.ts";

const RUNS_FACTOR = Number(process.env.SIMULATION_RUNS ?? 1);
const PROFILES: Record<string, { shape: PriceShape; funds: number; runs: number }> = {
  "around one touch": { shape: "tight", funds: 2 ** 36, runs: 1500 },
  "with hardly any money": { shape: "tight", funds: 60_000, runs: 600 },
  "at prices of any size": { shape: "wide", funds: 2 ** 46, runs: 400 },
};
/** What the model leaves to the naive exchange: money from outside, catalogue, plans. */
const MODELLED: ReadonlySet<Command["type"]> = new Set<Command["type"]>([
  "placeOrder",
  "placeOrderList",
  "amendOrder",
  "replaceOrder",
  "cancelOrder",
  "cancelAllOrders",
  "setCancelTimer",
  "advanceTime",
]);

describe("the engine does what an independent model of every order type does", () => {
  for (const [name, { shape, funds, runs }] of Object.entries(PROFILES)) {
    test(`${name} (${runs} sequences)`, { timeout: 600_000 }, () => {
      fc.assert(
        fc.property(orderSteps(shape, 60), (steps) => compare(funds, [...prelude, ...steps])),
        { numRuns: Math.max(1, Math.round(runs * RUNS_FACTOR)) },
      );
    });
  }
});

function compare(funds: number, steps: readonly Step[]): void {
  const engine = createEngine();
  const setting = opening(funds, funds);
  for (const command of setting) run(engine, command, 0);
  const model = new OrderModel(markets(), plan("free"), 0);
  for (let account = 1; account < 20; account++) {
    for (let asset = 1; asset <= 3; asset++) {
      const amount = BigInt(engine.read.balance(account, asset).available);
      model.balances.set(`${account}/${asset}/available`, amount);
    }
  }
  for (const drawn of steps) {
    const { command, afterMs } = aimed(withoutNames(drawn), engine);
    if (!MODELLED.has(command.type)) continue;
    const events = run(engine, command, afterMs);
    expectSame(events, model.apply(command, engine.timestampMs));
    compareState(engine, model);
  }
}

/** Client order ids and request keys are proven elsewhere. */
function withoutNames(step: Step): Step {
  const { command } = step;
  const unnamed = <T extends object>(terms: T): T => ({ ...terms, clientOrderId: "" });
  if (command.type === "placeOrder") return { ...step, command: unnamed(command) };
  if (command.type === "replaceOrder") {
    return { ...step, command: { ...command, order: unnamed(command.order) } };
  }
  if (command.type === "placeOrderList") {
    return { ...step, command: { ...command, orders: command.orders.map(unnamed) } };
  }
  return step;
}

function run(engine: Engine, command: Command, afterMs: number): ExchangeEvent[] {
  const buffer = new EventBuffer();
  const nowMs = Math.max(START_MS, engine.timestampMs) + afterMs;
  engine.apply(engine.sequence + 1, nowMs, "", command, buffer);
  return decodeEvents(buffer.take());
}

function expectSame(
  events: readonly ExchangeEvent[],
  { events: expected, refused }: ReturnType<OrderModel["apply"]>,
): void {
  const last = events.at(-1);
  const isRefused = last?.type === "commandRejected";
  if (isRefused && last.reason !== "invalidCommand") {
    ok(refused?.has(last.reason), `${last.reason} where ${[...(refused ?? [])].join()} applies`);
  } else {
    strictEqual(isRefused, refused !== undefined, `refused for ${[...(refused ?? [])].join()}`);
  }
  const rest = isRefused ? events.slice(0, -1) : events;
  deepStrictEqual(rest.map(text).toSorted(), expected.map(text).toSorted());
}

/** Content in a fixed order of fields, without the command's stamp. */
function text(event: object): string {
  const { sequence: _, timestampMs: __, ...content } = event as Record<string, unknown>;
  return JSON.stringify(sorted(content));
}

function sorted(value: unknown): unknown {
  if (typeof value !== "object" || value === null || Array.isArray(value)) return value;
  return Object.fromEntries(
    Object.entries(value)
      .filter(([, field]) => field !== undefined)
      .toSorted(([a], [b]) => (a < b ? -1 : 1))
      .map(([name, field]) => [name, sorted(field)]),
  );
}

function compareState(engine: Engine, model: OrderModel): void {
  const { read } = engine;
  for (let account = 1; account < read.accountEnd; account++) {
    for (let asset = 1; asset <= read.assetCount; asset++) {
      const balance = read.balance(account, asset);
      for (const kind of ["available", "held"] as const) {
        const expected = model.balance(account, asset, kind);
        strictEqual(BigInt(balance[kind]), expected, `${kind} ${asset} of ${account}`);
      }
    }
  }
  for (const marketId of [1, 2]) {
    for (const side of ["buy", "sell"] as const) {
      deepStrictEqual(
        read.bookOrders(marketId, side).map(({ orderId }) => orderId),
        model.book(marketId, side).map(({ id }) => id),
        `queue of market ${marketId}`,
      );
    }
  }
}

function markets(): ModelMarket[] {
  const terms = opening(0, 0).filter((command) => command.type === "listMarket");
  return terms.map(({ market: definition }, index) => ({
    id: index + 1,
    base: index + 2,
    quote: 1,
    terms: { ...market(definition.base), ...definition },
    last: 0n,
    trades: 0,
  }));
}
