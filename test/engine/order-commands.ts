/**
 * Random sequences with every order type: conditions, lists, amendments, replacements, timers. The plain
 * commands among them are those of commands.ts.
 */
import * as fc from "fast-check";
import type { Amount, Lots, Ticks } from "#engine/amount.ts";
import type {
  Command,
  OrderConditions,
  OrderTerms,
  OrderTrigger,
  TimeLimited,
} from "#engine/commands.ts";
import type { Engine } from "#engine/engine.ts";
import type { OpenOrder } from "#engine/state-reader.ts";
import {
  clientOrderId,
  limitOrder,
  lots,
  marketOrder,
  prices,
  rare,
  side,
  type PriceShape,
  type Step,
} from "./commands.ts";

/** Start of the sequences; expiries are relative to it. */
export const START_MS = 1_700_000_000_000;
const DAY_MS = 86_400_000;
const UNLIMITED: readonly undefined[] = Array.from({ length: 60 }, () => undefined);

/** Few accounts, so that their orders meet; sometimes one that no user owns. */
const account = fc.constantFrom(17, 18, 19, 17, 18, 19, 17, 18, 19, 16, 16, 20);
const marketId = fc.constantFrom(1, 1, 1, 1, 1, 1, 1, 1, 1, 2, 2, 2, 2, 9);
const mode = fc.constantFrom("expireTaker", "expireMaker", "expireBoth", "decrement");
const displayLots = fc.integer({ min: 1, max: 20 }) as fc.Arbitrary<Lots>;
const expiresAtMs = fc
  .constantFrom(1000, 5000, 3_600_000, DAY_MS, 10 * DAY_MS, 100 * DAY_MS, 400 * DAY_MS)
  .map((offset) => START_MS + offset);

function trigger(price: fc.Arbitrary<number>): fc.Arbitrary<OrderTrigger> {
  return fc.oneof(
    fc.record({
      kind: fc.constantFrom("stop", "stop", "takeProfit"),
      triggerTicks: price as fc.Arbitrary<Ticks>,
    }),
    fc.record({
      kind: fc.constant("trailingStop"),
      trailBps: fc.constantFrom(1, 100, 100, 200, 200, 500, 500, 9_999, 10_000),
    }),
  );
}

const NOTHING_AMENDED = { priceTicks: 0 as Ticks, quantityLots: 0 as Lots };

/** What only orders that wait can be given; undefined where nothing of it is. */
function ofWaiting(price: fc.Arbitrary<number>) {
  return fc.oneof(
    { weight: 6, arbitrary: fc.constant(undefined) },
    { weight: 4, arbitrary: fc.record({ triggerTicks: price as fc.Arbitrary<Ticks> }) },
    { weight: 2, arbitrary: fc.record({ trailBps: fc.constantFrom(1, 100, 200, 500, 10_000) }) },
    {
      weight: 1,
      arbitrary: fc.record({ quoteAmount: fc.constantFrom(0, 900, 5000) as fc.Arbitrary<Amount> }),
    },
  );
}

/** Adds any number of conditions; nearly always, `gtd` orders have an expiry and no others do. */
function withConditions(
  terms: fc.Arbitrary<OrderTerms>,
  price: fc.Arbitrary<number>,
): fc.Arbitrary<OrderTerms> {
  return fc
    .record({
      terms,
      mode: fc.option(mode, { nil: undefined, freq: 3 }),
      display: fc.option(displayLots, { nil: undefined, freq: 3 }),
      expiry: fc.option(expiresAtMs, { nil: undefined, freq: 3 }),
      trigger: fc.option(trigger(price), { nil: undefined, freq: 2 }),
      isOdd: fc.constantFrom(false, false, false, false, false, false, true),
    })
    .map(({ terms: order, mode: selfTradePrevention, display, expiry, trigger: when, isOdd }) => {
      const mayRest = order.orderType === "limit" && order.timeInForce === "gtc";
      const conditions: OrderConditions = {
        selfTradePrevention,
        displayLots: mayRest || isOdd ? display : undefined,
        expiresAtMs: mayRest || isOdd ? expiry : undefined,
        trigger: when,
      };
      const isGtd = mayRest && conditions.expiresAtMs !== undefined && !isOdd;
      return { ...order, timeInForce: isGtd ? "gtd" : order.timeInForce, conditions };
    });
}

/**
 * A market that has traded at 100 and has orders on both sides, so that triggers, amendments and
 * crossing orders have an effect.
 */
export const prelude: readonly Step[] = [
  ...[101, 103, 104].map((price) => [18, "sell", price] as const),
  ...[99, 98, 96].map((price) => [19, "buy", price] as const),
  [18, "sell", 100] as const,
  [17, "buy", 100] as const,
].map(([owner, ordersSide, price]) => ({
  command: {
    type: "placeOrder",
    account: owner,
    marketId: 1,
    side: ordersSide,
    orderType: "limit",
    timeInForce: "gtc",
    postOnly: false,
    priceTicks: price as Ticks,
    quantityLots: 8 as Lots,
    quoteAmount: 0 as Amount,
    clientOrderId: "",
  },
  afterMs: 0,
  idempotencyKey: "",
}));

/**
 * Redirects a command for an order to an order that is open now, which a random id would hardly ever be.
 * One command in eight is left unchanged. Converts the validity to a time limit.
 */
export function aimed(step: Step, engine: Engine): Step {
  return withTimeLimit(atOpenOrder(step, engine), engine);
}

/** Adds a time limit to commands that may have one. */
function withTimeLimit({ validForMs, ...step }: Step, engine: Engine): Step {
  const { command, afterMs } = step;
  if (validForMs === undefined || !isOfPerson(command)) return step;
  const validUntilMs = Math.max(START_MS, engine.timestampMs) + afterMs + validForMs;
  return { ...step, command: { ...command, validUntilMs } };
}

const OF_PERSONS: ReadonlySet<Command["type"]> = new Set<Command["type"]>([
  "placeOrder",
  "placeOrderList",
  "amendOrder",
  "replaceOrder",
  "cancelOrder",
  "cancelAllOrders",
  "setCancelTimer",
  "choosePlan",
  "takePracticeFunds",
  "assignPlan",
  "setAccountFreeze",
  "proposeAdjustment",
  "approveAdjustment",
  "rejectAdjustment",
  "setMarketStatus",
]);

function isOfPerson(command: Command): command is Extract<Command, TimeLimited> {
  return OF_PERSONS.has(command.type);
}

function atOpenOrder(step: Step, engine: Engine): Step {
  const { command } = step;
  if (!("orderId" in command) || command.orderId % 8 === 0) return step;
  const open = [];
  for (let owner = 16; owner < engine.read.accountEnd; owner++) {
    open.push(...engine.read.openOrdersOf(owner));
  }
  const suiting = open.filter((order) => suits(order, command));
  const targets = suiting.length > 0 ? suiting : open;
  if (targets.length === 0) return step;
  const target = targets[command.orderId % targets.length];
  const { orderId, account: owner, marketId: where, side: whose } = target;
  if (command.type !== "replaceOrder") {
    return { ...step, command: { ...command, account: owner, orderId } };
  }
  const order = { ...command.order, side: whose };
  return { ...step, command: { ...command, account: owner, orderId, marketId: where, order } };
}

/** Whether an order may have what the command amends, which few orders have. */
function suits({ quantityLots, waitsFor }: OpenOrder, command: Command): boolean {
  if (command.type !== "amendOrder") return true;
  const { quoteAmount, trailBps, triggerTicks } = command;
  if (quoteAmount !== undefined) return waitsFor !== "nothing" && quantityLots === 0;
  return waitsFor !== "nothing" || (triggerTicks === undefined && trailBps === undefined);
}

/** The step without client order ids. */
export function withoutNames(step: Step): Step {
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

const termsOf = (command: Command): OrderTerms => {
  const {
    type: _type,
    account: _account,
    marketId: _market,
    ...terms
  } = command as never as {
    type: string;
    account: number;
    marketId: number;
  } & OrderTerms;
  return terms;
};

export function orderSteps(shape: PriceShape, length: number): fc.Arbitrary<Step[]> {
  return fc.array(orderStep(shape), { minLength: 1, maxLength: length, size: "max" });
}

export function orderStep(shape: PriceShape): fc.Arbitrary<Step> {
  const price = prices(shape);
  const plain = fc.oneof(
    { weight: 5, arbitrary: limitOrder(price).map(termsOf) },
    { weight: 2, arbitrary: marketOrder.map(termsOf) },
  );
  const conditional = withConditions(plain, price);
  const place: fc.Arbitrary<Command> = fc
    .record({ account, marketId, terms: conditional })
    .map(({ terms, ...whose }) => ({ type: "placeOrder", ...whose, ...terms }));

  const lotsOfList = fc.constantFrom(0, 1, 5, 10, 30) as fc.Arbitrary<Lots>;
  const limit = fc.record({
    side,
    orderType: fc.constant("limit"),
    timeInForce: fc.constant("gtc"),
    postOnly: fc.constantFrom(false, false, false, true),
    priceTicks: price as fc.Arbitrary<Ticks>,
    quantityLots: lotsOfList,
    quoteAmount: fc.constant(0 as Amount),
    clientOrderId,
  });
  const pair = fc
    .record({ limit, trigger: trigger(price), price, isMarket: fc.boolean(), mode })
    .map(({ limit: first, trigger: when, price: stopLimit, isMarket, mode: stp }): OrderTerms[] => [
      { ...first, conditions: { selfTradePrevention: stp } },
      {
        ...first,
        postOnly: false,
        orderType: isMarket ? "market" : "limit",
        timeInForce: isMarket ? "ioc" : "gtc",
        priceTicks: (isMarket ? 0 : stopLimit) as Ticks,
        clientOrderId: "",
        conditions: { trigger: when },
      },
    ]);
  const list: fc.Arbitrary<Command> = fc
    .record({
      account,
      marketId,
      kind: fc.constantFrom("oco", "oto", "otoco"),
      pair,
      working: fc.oneof(plain, limit),
      pending: fc.oneof(conditional, limit),
    })
    .map(({ account: owner, marketId: where, kind, pair: both, working, pending }) => {
      const opposite = working.side === "buy" ? "sell" : "buy";
      const turned = both.map((terms): OrderTerms => ({ ...terms, side: opposite }));
      const orders =
        kind === "oco"
          ? both
          : [working, ...(kind === "oto" ? [{ ...pending, side: opposite } as const] : turned)];
      return { type: "placeOrderList", account: owner, marketId: where, kind, orders };
    });

  const orderId = fc.integer({ min: 1, max: 1000 });
  const cancel: fc.Arbitrary<Command> = fc.record({
    type: fc.constant("cancelOrder"),
    account,
    orderId,
  });
  const withOwner = (of: fc.Arbitrary<Command>): fc.Arbitrary<Command> =>
    fc
      .record({ order: of, account, marketId })
      .map(({ order, ...whose }) => ({ ...order, ...whose }));
  const amend: fc.Arbitrary<Command> = fc
    .record({
      account,
      orderId,
      priceTicks: fc.oneof(fc.constant(0), price) as fc.Arbitrary<Ticks>,
      quantityLots: fc.oneof(fc.constantFrom(0, 0, 0, 0, 1_000_001), lots) as fc.Arbitrary<Lots>,
      everyKind: fc.constantFrom(true, true, true, true, undefined),
      ofWaiting: ofWaiting(price),
    })
    .map(({ everyKind, ofWaiting: more, ...amended }) => ({
      type: "amendOrder",
      ...amended,
      // A trigger is mostly amended alone, as an order at the market has no price.
      ...(more !== undefined && amended.orderId % 4 > 0 && NOTHING_AMENDED),
      ...(everyKind !== undefined && { everyKind }),
      ...more,
    }));
  const replace: fc.Arbitrary<Command> = fc.record({
    type: fc.constant("replaceOrder"),
    account,
    orderId,
    mode: fc.constantFrom("stopOnFailure", "allowFailure"),
    marketId,
    order: fc.oneof(plain, conditional),
  });
  const cancelAll: fc.Arbitrary<Command> = fc.record({
    type: fc.constant("cancelAllOrders"),
    account,
    marketId: fc.constantFrom(0, 1, 2),
    side: fc.constantFrom("buy", "sell", undefined),
  });
  const timer: fc.Arbitrary<Command> = fc.record({
    type: fc.constant("setCancelTimer"),
    account,
    marketId: fc.constantFrom(0, 0, 1, 9),
    delayMs: fc.constantFrom(0, 999, 1000, 5000, 3_600_000, DAY_MS, DAY_MS + 1),
  });
  const command = fc.oneof(
    { weight: 20, arbitrary: withOwner(limitOrder(price)) },
    { weight: 6, arbitrary: withOwner(marketOrder) },
    { weight: 25, arbitrary: place },
    { weight: 12, arbitrary: list },
    { weight: 10, arbitrary: amend },
    { weight: 8, arbitrary: replace },
    { weight: 6, arbitrary: cancel },
    { weight: 2, arbitrary: cancelAll },
    { weight: 1, arbitrary: timer },
    { weight: 2, arbitrary: rare },
    { weight: 1, arbitrary: fc.constant<Command>({ type: "advanceTime" }) },
  );
  return fc.record({
    command,
    afterMs: fc.constantFrom(0, 0, 0, 0, 0, 0, 0, 1, 10, 500, 1000, 1000, 5000, 3_600_000),
    idempotencyKey: fc.constantFrom("", "", "", "", "", "", "", "k1", "k2"),
    validForMs: fc.constantFrom(...UNLIMITED, -1, 0, 60_000, 60_001, 0.5),
  });
}
