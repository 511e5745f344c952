/**
 * The engine against an independent model of every order type: the same events for every command,
 * whatever their order within it, a reason that applies for every refusal, the same balances and the
 * same queues. SIMULATION_RUNS multiplies the number of sequences; a failure prints its seed.
 */
import { TRANSFER_REASONS } from "./transfer-model.ts";
import { deepStrictEqual, ok, strictEqual } from "node:assert/strict";
import * as fc from "fast-check";
import { describe, expect, test } from "vitest";
import type { Amount } from "#engine/amount.ts";
import type { Command, CommandOf, PlaceOrder } from "#engine/commands.ts";
import { createEngine, type Engine } from "#engine/engine.ts";
import { EventBuffer, decodeEvents } from "#engine/event-buffer.ts";
import { ORDER_END_REASONS, type ExchangeEvent } from "#engine/events.ts";
import { REJECT_REASONS, type RejectReason } from "#engine/reject-reasons.ts";
import type { StateReader } from "#engine/state-reader.ts";
import { opening, type PriceShape, type Step } from "./commands.ts";
import { houseOpening, houseStep } from "./house-commands.ts";
import { START_MS, aimed, orderStep, orderSteps, prelude, withoutNames } from "./order-commands.ts";
import { modelMarket } from "./market-model.ts";
import { OrderModel } from "./order-model.ts";
import { fixedSeed, runs } from "../support/run-counts.ts";

interface Profile {
  readonly shape: PriceShape;
  readonly funds: number;
  readonly runs: number;
  /** What one account may own of a coin; the limit changes now and then. */
  readonly balanceMax?: number;
  /** With administrators at work: states of markets, plans, adjustments, freezes. */
  readonly hasHouse?: boolean;
}
const PROFILES: Record<string, Profile> = {
  "while the house works": { shape: "tight", funds: 2_000_000, runs: 2000, hasHouse: true },
  "around one touch": { shape: "tight", funds: 2 ** 36, runs: 1500 },
  "with hardly any money": { shape: "tight", funds: 60_000, runs: 600 },
  "at prices of any size": { shape: "wide", funds: 2 ** 46, runs: 400 },
  "with accounts that can hardly own more": {
    shape: "tight",
    funds: 2_000_000,
    runs: 1200,
    balanceMax: 2_010_000,
  },
  "with accounts that can hardly own more, while the house works": {
    shape: "tight",
    funds: 2_000_000,
    runs: 1200,
    balanceMax: 2_010_000,
    hasHouse: true,
  },
  "while the house works, at prices of any size": {
    shape: "wide",
    funds: 2 ** 46,
    runs: 300,
    hasHouse: true,
  },
};
/** What only commands lead to that are not modelled, names of orders or far more orders. */
const NOT_MET: ReadonlySet<RejectReason> = new Set<RejectReason>([
  "duplicateSymbol",
  "duplicateAccount",
  "duplicateClientOrderId",
  "limitReached",
  "simulationAlreadyStarted",
  "marketBusy",
  ...TRANSFER_REASONS,
]);
/** What the model leaves to the naive exchange: the begin of coins, markets, plans and accounts. */
const NOT_MODELLED: ReadonlySet<Command["type"]> = new Set<Command["type"]>([
  "listCoin",
  "listMarket",
  "definePlan",
  "openAccount",
  "startSimulation",
]);

/** The same in the market that has a band. */
const preludeBeside = prelude.map((step): Step => ({
  ...step,
  command: { ...(step.command as PlaceOrder), marketId: 2 },
}));

const ENDED_AT_AUCTION = "ended before an auction: balanceTooLarge";
/** With fewer sequences not everything that can happen does. */
const SHARE = 0.4;
const seen = new Set<string>();
/** What must have happened for the sequences to be worth their time. */
const NAMES: readonly string[] = [
  "adjustmentApproved",
  "adjustmentRejected",
  "accountFreezeChanged",
  "auctionUncrossed",
  "cancelTimerFired",
  "icebergRefilled",
  "marketUpdated",
  "orderAmended",
  "waitingOrderAmended",
  "orderListPlaced",
  "planChosen",
  "planPeriodBegan",
  "planUpdated",
  "practiceFundsTaken",
  "quantityDecremented",
  "selfTradePrevented",
  "traded in an auction",
  ...["trigger", "workingOrder"].map((cause) => `activated by ${cause}`),
  ...["market", "plan", "volume"].map((source) => `fees by ${source}`),
  ...["preOpen", "auction", "trading", "postOnly", "cancelOnly", "halted", "closed"].map(
    (status) => `${status} by admin`,
  ),
  "auction by timer",
  "trading by timer",
  "halted by breaker",
  ...["accountFrozen", "volumeNotReached", "insufficientAvailable", "planNotOffered"].map(
    (reason) => `lapsed: ${reason}`,
  ),
  ...ORDER_END_REASONS.map((reason) => `ended: ${reason}`),
  "ended: balanceTooLarge",
  "an incoming order ended: balanceTooLarge",
  ENDED_AT_AUCTION,
  ...REJECT_REASONS.filter((reason) => !NOT_MET.has(reason)).map((reason) => `refused: ${reason}`),
  ...["limit", "trigger"].map(
    (order) => `amended: 1 in the book, 1 waiting, by ${order}, in quantity`,
  ),
  "amended: 1 in the book, 1 waiting, by limit, in price",
  "amended: 0 in the book, 2 waiting, by trigger, in quantity",
  ...["more", "less"].flatMap((moved) =>
    ["stop", "takeProfit", "trailingStop"].map(
      (kind) => `amended as it waits, holding ${moved}: ${kind}`,
    ),
  ),
  "amended as it waits, holding as much: no trigger",
  ...[
    "invalidList",
    "invalidDisplay",
    "invalidTrigger",
    "invalidAmount",
    "wouldTriggerAtOnce",
    "wouldCross",
    "insufficientAvailable",
    "notionalTooLarge",
    "marketNotTrading",
    "accountFrozen",
  ].map((reason) => `not amended: ${reason}`),
  ...["invalidList", "invalidPrice", "orderNotResting"].map(
    (reason) => `not amended as before: ${reason}`,
  ),
];

describe("the engine does what an independent model of every order type does", () => {
  for (const [name, profile] of Object.entries(PROFILES)) {
    const { balanceMax, shape, funds, hasHouse = false, runs: full } = profile;
    const drawn = hasHouse ? mixedSteps(shape, 80) : orderSteps(shape, 60);
    const steps = balanceMax === undefined ? drawn : withLimits(drawn);
    const setting = hasHouse ? houseSetting(funds) : opening(funds, funds);
    if (balanceMax !== undefined) setting.push(limitBalances(balanceMax));
    test(name, { timeout: 600_000 }, () => {
      fc.assert(
        fc.property(steps, fc.boolean(), fc.boolean(), (sequence, hasTraded, spentOrdersStop) => {
          const before = !hasHouse ? prelude : hasTraded ? [...prelude, ...preludeBeside] : [];
          compare(
            [
              ...setting,
              { type: "adoptRules", spentOrdersStop, pendingTakePlaces: spentOrdersStop },
            ],
            [...before, ...sequence],
          );
        }),
        { numRuns: runs(full, SHARE), ...fixedSeed(6) },
      );
    });
  }

  test("and everything that can happen has happened", () => {
    expect(NAMES.filter((name) => !seen.has(name))).toEqual([]);
  });
});

function limitBalances(unitsMax: number): Command {
  return { type: "limitBalances", unitsMax: unitsMax as Amount };
}

/** The same with a few other limits between, of which some are none. */
function withLimits(steps: fc.Arbitrary<Step[]>): fc.Arbitrary<Step[]> {
  const limit = fc.record({
    at: fc.nat(60),
    unitsMax: fc.constantFrom(1_500_000, 2_000_000, 2_030_000, 2_100_000, 2 ** 53 - 1, 2 ** 53, 0),
  });
  return fc.tuple(steps, fc.array(limit, { maxLength: 3 })).map(([sequence, limits]) =>
    limits.reduce(
      (whole, { at, unitsMax }) =>
        whole.toSpliced(at, 0, {
          command: limitBalances(unitsMax),
          afterMs: 0,
          idempotencyKey: "",
        }),
      sequence,
    ),
  );
}

/** Two of orders for one of the house. */
function mixedSteps(shape: PriceShape, length: number): fc.Arbitrary<Step[]> {
  const step = fc.oneof(
    { weight: 2, arbitrary: orderStep(shape) },
    { weight: 1, arbitrary: houseStep },
  );
  return fc.array(step, { minLength: 1, maxLength: length, size: "max" });
}

function note(event: ExchangeEvent): void {
  const names: string[] = [event.type];
  if (event.type === "commandRejected") names.push(`refused: ${event.reason}`);
  if (event.type === "orderEnded") {
    names.push(`ended: ${event.reason}`);
    if (!event.wasResting) names.push(`an incoming order ended: ${event.reason}`);
  }
  if (event.type === "marketStatusChanged") names.push(`${event.status} by ${event.cause}`);
  if (event.type === "traded" && event.auction !== undefined) names.push("traded in an auction");
  if (event.type === "orderPlaced") names.push(`fees by ${event.feeSource}`);
  if (event.type === "planLapsed") names.push(`lapsed: ${event.reason}`);
  if (event.type === "orderActivated") names.push(`activated by ${event.cause}`);
  for (const name of names) seen.add(name);
}

/** Which orders were amended together, and which kinds of refusals only lists lead to. */
function noteAmendment(
  { everyKind = false, orderId, quantityLots }: CommandOf<"amendOrder">,
  events: readonly ExchangeEvent[],
): void {
  const inBook = events.filter((event) => event.type === "orderAmended");
  const waiting = events.filter((event) => event.type === "waitingOrderAmended");
  const together = `${inBook.length} in the book, ${waiting.length} waiting`;
  const first = inBook.some((event) => event.orderId === orderId) ? "limit" : "trigger";
  if (inBook.length + waiting.length === 2) {
    const what = quantityLots === 0 || quantityLots === undefined ? "price" : "quantity";
    seen.add(`amended: ${together}, by ${first}, in ${what}`);
  }
  for (const { heldAmount, releasedAmount, trigger } of waiting) {
    const moved = heldAmount > 0 ? "more" : releasedAmount > 0 ? "less" : "as much";
    seen.add(`amended as it waits, holding ${moved}: ${trigger?.kind ?? "no trigger"}`);
  }
  const last = events.at(-1);
  if (last?.type === "commandRejected") {
    seen.add(`${everyKind ? "not amended" : "not amended as before"}: ${last.reason}`);
  }
}

/** One more account, of a person, without money. */
function houseSetting(funds: number): Command[] {
  return [...houseOpening(funds), { type: "openAccount", userId: "a person", kind: "person" }];
}

function compare(setting: readonly Command[], steps: readonly Step[]): void {
  const engine = createEngine();
  const model = new OrderModel(openingOf(setting));
  for (const command of setting) {
    run(engine, command, 0);
    if (!NOT_MODELLED.has(command.type)) model.apply(command, engine.timestampMs);
  }
  const owned = new Owned(engine.read);
  for (const drawn of steps) {
    const { command, afterMs } = aimed(withoutNames(drawn), engine);
    if (NOT_MODELLED.has(command.type)) continue;
    const events = run(engine, command, afterMs);
    for (const event of events) note(event);
    if (command.type === "amendOrder") noteAmendment(command, events);
    if (events[0].type === "marketStatusChanged") {
      const { type } = events[1] ?? {};
      const ends = events.find((event) => event.type === "orderEnded");
      if (type === "orderEnded" && ends?.reason === "balanceTooLarge") seen.add(ENDED_AT_AUCTION);
    }
    owned.expectWithinLimit();
    expectSame(events, model.apply(command, engine.timestampMs));
    compareState(engine, model);
  }
}

function openingOf(setting: readonly Command[]): ConstructorParameters<typeof OrderModel>[0] {
  const markets = setting.flatMap((command) =>
    command.type === "listMarket" ? [command.market] : [],
  );
  return {
    coins: setting.flatMap((command) => (command.type === "listCoin" ? [command.coin] : [])),
    markets: markets.map((terms, index) => modelMarket(index + 1, terms)),
    plans: setting.flatMap((command) => (command.type === "definePlan" ? [command.plan] : [])),
    accounts: setting.flatMap((command) => (command.type === "openAccount" ? [command.kind] : [])),
  };
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
  if (isRefused) {
    ok(refused?.has(last.reason), `${last.reason} where ${[...(refused ?? [])].join()} applies`);
  } else {
    strictEqual(refused, undefined, `accepted where ${[...(refused ?? [])].join()} applies`);
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

/** What accounts own, from one command to the next. */
class Owned {
  readonly #read: StateReader;
  #totals: number[] = [];

  constructor(read: StateReader) {
    this.#read = read;
    this.expectWithinLimit();
  }

  /** An account that owned more when the limit was set has not come to own more since. */
  expectWithinLimit(): void {
    const read = this.#read;
    const totals: number[] = [];
    for (let account = 16; account < read.accountEnd; account++) {
      for (let asset = 1; asset <= read.assetCount; asset++) {
        const { available, held } = read.balance(account, asset);
        const before = this.#totals[totals.length] ?? Infinity;
        const total = available + held;
        ok(total <= read.balanceUnitsMax || total <= before, `${account} owns too much`);
        totals.push(total);
      }
    }
    this.#totals = totals;
  }
}

function compareState(engine: Engine, model: OrderModel): void {
  const { read } = engine;
  for (let account = 1; account < read.accountEnd; account++) {
    for (let asset = 1; asset <= read.assetCount; asset++) {
      const balance = read.exactBalance(account, asset);
      for (const kind of ["available", "held"] as const) {
        const expected = model.balance(account, asset, kind);
        strictEqual(balance[kind], expected, `${kind} ${asset} of ${account}`);
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
