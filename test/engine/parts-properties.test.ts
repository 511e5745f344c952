/**
 * Whole markets and accounts in parts (decision 026): whatever comes between two parts, money is conserved,
 * holds are what open orders can cost, an auction trades what it said at its one price, and a closed
 * market is empty in the end; a snapshot in the middle leads to the same. Where nothing comes between,
 * parts lead to what one command would have led to.
 */
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Amount, Lots, Ticks } from "#engine/amount.ts";
import type { Command } from "#engine/commands.ts";
import { createEngine, restoreEngine, type Engine } from "#engine/engine.ts";
import { EventBuffer, decodeEvents } from "#engine/event-buffer.ts";
import type { ExchangeEvent } from "#engine/events.ts";
import type { Step } from "./commands.ts";
import { houseOpening, houseStep } from "./house-commands.ts";
import { START_MS, aimed, orderStep, withoutNames } from "./order-commands.ts";

const RUNS_FACTOR = Number(process.env.SIMULATION_RUNS ?? 1);
/** One and the same by default, because the last test counts on rare things to happen. */
const SEED = process.env.SIMULATION_RUNS === undefined ? { seed: 6 } : {};
const SAFE_RUNS = Math.max(1, Math.round(600 * RUNS_FACTOR));
const SAME_RUNS = Math.max(1, Math.round(500 * RUNS_FACTOR));
const ADVANCE: Command = { type: "advanceTime" };
const FUNDS = 2_000_000;

/** Orders around one price, of which many cross in an auction, and states of their market. */
const crossing: fc.Arbitrary<Command> = fc
  .record({
    account: fc.constantFrom(16, 17, 18, 19),
    side: fc.constantFrom("buy", "sell"),
    away: fc.integer({ min: -4, max: 2 }),
    quantityLots: fc.integer({ min: 1, max: 12 }) as fc.Arbitrary<Lots>,
    displayLots: fc.constantFrom(undefined, undefined, 1, 2) as fc.Arbitrary<Lots | undefined>,
  })
  .map(({ account, side, away, quantityLots, displayLots }) => ({
    type: "placeOrder",
    account,
    marketId: 1,
    side,
    orderType: "limit",
    timeInForce: "gtc",
    postOnly: false,
    priceTicks: (side === "buy" ? 100 - away : 100 + away) as Ticks,
    quantityLots,
    quoteAmount: 0 as Amount,
    clientOrderId: "",
    conditions:
      displayLots === undefined || displayLots >= quantityLots ? undefined : { displayLots },
  }));
const state: fc.Arbitrary<Command> = fc.record({
  type: fc.constant("setMarketStatus"),
  marketId: fc.constantFrom(1, 1, 1, 2),
  status: fc.constantFrom(
    "auction",
    "auction",
    "auction",
    "trading",
    "trading",
    "postOnly",
    "closed",
  ),
  forMs: fc.constant(0),
  byAdmin: fc.constant("olga"),
  reason: fc.constant("because"),
});
const freeze: fc.Arbitrary<Command> = fc.record({
  type: fc.constant("setAccountFreeze"),
  account: fc.constantFrom(16, 17, 18, 19),
  isFrozen: fc.constantFrom(true, false, false),
  cancelsOrders: fc.boolean(),
  byAdmin: fc.constant("olga"),
  reason: fc.constant("because"),
});
const plainly = (command: fc.Arbitrary<Command>): fc.Arbitrary<Step> =>
  fc.record({
    command,
    afterMs: fc.constantFrom(0, 0, 0, 1000),
    idempotencyKey: fc.constant(""),
  });
const steps: fc.Arbitrary<Step[]> = fc.array(
  fc.oneof(
    { weight: 10, arbitrary: plainly(crossing) },
    { weight: 4, arbitrary: plainly(state) },
    { weight: 1, arbitrary: plainly(freeze) },
    { weight: 6, arbitrary: orderStep("tight") },
    { weight: 1, arbitrary: houseStep },
  ),
  { minLength: 1, maxLength: 80, size: "max" },
);
/** Of a coin per account; the auctions of an exchange in which that is scarce are never in parts. */
const balanceMax = fc.constantFrom(undefined, undefined, 4 * FUNDS + 500_000, FUNDS + 10_000);
const ordersMax = fc.integer({ min: 1, max: 4 });

const seen = new Set<string>();

describe("whole markets and accounts in parts", () => {
  test("are safe whatever comes between two parts", { timeout: 600_000 }, () => {
    const cut = fc.nat({ max: 1000 }).map((share) => share / 1000);
    fc.assert(
      fc.property(steps, ordersMax, balanceMax, cut, (sequence, max, unitsMax, share) => {
        const engine = opened(max, true, unitsMax);
        const witness = new Witness(engine);
        const cutAt = Math.floor(sequence.length * share);
        let restored: Engine | undefined;
        for (const [index, drawn] of sequence.entries()) {
          const { command, afterMs } = aimed(drawn, engine);
          const hash = engine.stateHash();
          const hadWork = engine.nextDueMs <= engine.timestampMs;
          const events = apply(engine, command, afterMs);
          witness.see(events);
          engine.read.checkInvariants();
          // A part that has found no order yet has looked at accounts.
          if (!hadWork && events.length === 1 && events[0].type === "commandRejected") {
            strictEqual(engine.stateHash(), hash, "a refusal changes nothing");
          }
          if (restored !== undefined) deepStrictEqual(apply(restored, command, afterMs), events);
          if (index === cutAt) restored = restoreEngine(engine.snapshot());
        }
        for (const event of drain(engine)) witness.see([event]);
        engine.read.checkInvariants();
        witness.end();
        if (restored !== undefined) {
          drain(restored);
          strictEqual(restored.stateHash(), engine.stateHash(), "a snapshot leads here too");
        }
      }),
      { numRuns: SAFE_RUNS, ...SEED },
    );
  });

  test("come to what one command would have come to", { timeout: 600_000 }, () => {
    fc.assert(
      fc.property(steps, ordersMax, balanceMax, (sequence, max, unitsMax) => {
        const parts = opened(max, true, unitsMax);
        const whole = opened(max, false, unitsMax);
        for (const drawn of sequence) {
          // A client order id is remembered with its sequence, which parts make a different one.
          const step = aimed(withoutNames(drawn), parts);
          const { command } = step.command.type === "limitWork" ? { command: ADVANCE } : step;
          const [inParts, atOnce] = [parts, whole].map((engine) => {
            apply(engine, ADVANCE, step.afterMs);
            drain(engine);
            const events = apply(engine, command, 0);
            return [...events, ...drain(engine)].map(text).toSorted();
          });
          deepStrictEqual(inParts, atOnce);
        }
        for (const engine of [parts, whole]) apply(engine, limit(max, false), 0);
        strictEqual(parts.stateHash(), whole.stateHash());
      }),
      { numRuns: SAME_RUNS, ...SEED },
    );
  });

  test.skipIf(SEED.seed === undefined)("and everything that can happen has happened", () => {
    const expected = [
      ...["auction", "mass cancel", "auction and mass cancel"].map((what) => `left over: ${what}`),
      ...["placeOrder", "cancelOrder", "amendOrder", "replaceOrder", "placeOrderList"].map(
        (type) => `busy: ${type}`,
      ),
      "busy: setMarketStatus",
    ];
    expect(expected.filter((what) => !seen.has(what))).toEqual([]);
  });
});

function limit(max: number, marketsInParts: boolean): Command {
  return { type: "limitWork", ordersMax: max, levelsMax: 3, marketsInParts };
}

function opened(max: number, marketsInParts: boolean, unitsMax: number | undefined): Engine {
  const engine = createEngine();
  for (const command of houseOpening(FUNDS)) apply(engine, command, 0);
  if (unitsMax !== undefined) {
    apply(engine, { type: "limitBalances", unitsMax: unitsMax as Amount }, 0);
  }
  apply(engine, limit(max, marketsInParts), 0);
  return engine;
}

function apply(engine: Engine, command: Command, afterMs: number): ExchangeEvent[] {
  const buffer = new EventBuffer();
  const nowMs = Math.max(START_MS, engine.timestampMs) + afterMs;
  engine.apply(engine.sequence + 1, nowMs, "", command, buffer);
  const events = decodeEvents(buffer.take());
  const last = events.at(-1);
  if (last?.type === "commandRejected" && last.reason === "marketBusy") {
    seen.add(`busy: ${command.type}`);
  }
  return events;
}

/** What is due happens, part by part; its events without those of the commands that ask for nothing. */
function drain(engine: Engine): ExchangeEvent[] {
  const events: ExchangeEvent[] = [];
  for (let parts = 0; engine.nextDueMs <= engine.timestampMs; parts++) {
    ok(parts < 10_000, "what is due has an end");
    events.push(...apply(engine, ADVANCE, 0).filter(({ type }) => type !== "timeAdvanced"));
  }
  return events;
}

/** The content, without the command's stamp. */
function text(event: ExchangeEvent): string {
  return JSON.stringify({ ...event, sequence: 0, timestampMs: 0 });
}

/** Its terms and its timers may change while a market's auction trades, its orders may not. */
function isOfBook(event: ExchangeEvent): boolean {
  return "orderId" in event || event.type === "marketStatusChanged";
}

/** Folds auctions, and what is left over between two commands. */
class Witness {
  readonly #engine: Engine;
  readonly #auctions = new Map<number, { priceTicks: number; leftLots: number }>();

  constructor(engine: Engine) {
    this.#engine = engine;
  }

  see(events: readonly ExchangeEvent[]): void {
    for (const event of events) this.#fold(event);
    const auction = this.#auctions.size > 0;
    const massCancel = this.#endsOrders();
    if (auction) seen.add("left over: auction");
    if (massCancel) seen.add("left over: mass cancel");
    if (auction && massCancel) seen.add("left over: auction and mass cancel");
  }

  end(): void {
    strictEqual(this.#auctions.size, 0, "every auction has traded all that it said");
    ok(!this.#endsOrders(), "a closed market has no orders");
  }

  /** Whether a closed market still has orders. */
  #endsOrders(): boolean {
    const { read } = this.#engine;
    for (let account = 16; account < read.accountEnd; account++) {
      for (const { marketId } of read.openOrdersOf(account)) {
        if (read.marketState(marketId).status === "closed") return true;
      }
    }
    return false;
  }

  #fold(event: ExchangeEvent): void {
    if (!("marketId" in event)) return;
    const { marketId } = event;
    const auction = this.#auctions.get(marketId);
    if (event.type === "auctionUncrossed") {
      const { priceTicks, volumeLots: leftLots } = event;
      this.#auctions.set(marketId, { priceTicks, leftLots });
    } else if (event.type === "traded" && event.auction !== undefined) {
      ok(auction !== undefined, "an auction has found its price before it trades");
      strictEqual(event.priceTicks, auction.priceTicks, "an auction trades at one price");
      auction.leftLots -= event.quantityLots;
      ok(auction.leftLots >= 0, "an auction trades no more than it said");
    } else if (auction !== undefined && isOfBook(event)) {
      // The last order that it fills ends behind the last trade.
      const isOfTrade =
        event.type === "icebergRefilled" ||
        (event.type === "orderEnded" && (event.status === "filled" || !event.wasResting));
      ok(auction.leftLots === 0 || isOfTrade, `${event.type} while an auction trades`);
    }
    if (auction?.leftLots === 0 && event.type !== "traded") this.#auctions.delete(marketId);
  }
}
