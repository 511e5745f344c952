/** An order's life, step by step from history. */
import { sql } from "kysely";
import { afterAll, beforeAll, describe, expect, test } from "vitest";
import { addDecimals } from "#contract/decimal.ts";
import type { OrderLife, OrderStep } from "#contract/order-life.ts";
import type {
  Balance,
  Fill,
  LedgerEntry,
  OrderListResult,
  PlaceOrderResult,
} from "#contract/types.ts";
import {
  type FunctionScene,
  type PlaceForParticipant,
  openFunctionScene,
  refusal,
} from "#test/support/function-scene.ts";

let scene: FunctionScene;
let maker: PlaceForParticipant;
let people = 0;
beforeAll(async () => {
  scene = await openFunctionScene();
  maker = await scene.participant("maker", { USD: 100_000_000, BTC: 1_000 });
});
afterAll(() => scene.close());

async function newTrader() {
  people += 1;
  const person = scene.as(`life-${people}`);
  await person.done("accounts:takePracticeFunds");
  return person;
}
type Person = Awaited<ReturnType<typeof newTrader>>;

const buy = { market: "BTC-USD", side: "buy", type: "limit", price: "30000.00", quantity: "0.5" };
const lifeOf = (person: Person, orderId: string) =>
  person.answer<OrderLife>("orders:life", { orderId });
const kinds = ({ steps }: OrderLife) => steps.map(({ kind }) => kind);

/** Coin and balance by the effect of these postings; those that cancel out are omitted. */
function sums(postings: readonly LedgerEntry[]): Record<string, number> {
  const totals = new Map<string, string>();
  for (const { coin, balance, amount } of postings) {
    const key = `${coin} ${balance}`;
    totals.set(key, addDecimals(totals.get(key) ?? "0", amount));
  }
  const moved = [...totals].map(([key, total]) => [key, Number(total)] as const);
  return Object.fromEntries(moved.filter(([, total]) => total !== 0));
}
const sumsOf = (step: OrderStep | undefined) => sums(step?.postings ?? []);

describe("the life of an order", () => {
  test("has each change with its terms before and after, each fill, the end and their postings", async () => {
    const anna = await newTrader();
    const placed = await anna.done<PlaceOrderResult>("orders:place", buy);
    const { orderId } = placed.order;
    await anna.done("orders:amend", { orderId, price: "30100.00", quantity: "0.6" });
    await anna.done("orders:amend", { orderId, quantity: "0.4" });
    await maker({ side: "sell", price: "30100.00", quantity: "0.1" });
    await anna.done("orders:cancel", { orderId });

    const life = await lifeOf(anna, orderId);
    expect(kinds(life)).toEqual(["placed", "amended", "amended", "filled", "ended"]);
    const [first, raised, lowered, filled, ended] = life.steps;
    expect(first).toMatchObject({ terms: { price: "30000.00", quantity: "0.5000" } });
    expect(sumsOf(first)).toEqual({ "USD available": -15_000, "USD held": 15_000 });
    expect(raised).toMatchObject({
      before: { price: "30000.00", quantity: "0.5000" },
      after: { price: "30100.00", quantity: "0.6000" },
      keptPlace: false,
    });
    expect(sumsOf(raised)).toEqual({ "USD available": -3_060, "USD held": 3_060 });
    expect(lowered).toMatchObject({ after: { quantity: "0.4000" }, keptPlace: true });
    expect(sumsOf(lowered)).toEqual({ "USD available": 6_020, "USD held": -6_020 });
    expect(filled).toMatchObject({ fill: { orderId, price: "30100.00", quantity: "0.1000" } });
    expect(sumsOf(filled)["USD held"]).toBe(-3_010);
    expect(sumsOf(ended)).toEqual({ "USD available": 9_030, "USD held": -9_030 });
    expect(life.order).toMatchObject({ status: "cancelled", endReason: "byOwner" });
    expect(life.omittedFills).toBe(false);
  });

  test("has what an amendment changed of an order that waited, and of its pair", async () => {
    const anna = await newTrader();
    await maker({ side: "sell", price: "30000.00", quantity: "0.1" });
    await anna.done("orders:place", { ...buy, quantity: "0.1", timeInForce: "ioc" });
    const leg = { side: "buy", quantity: "0.1" };
    const list = await anna.done<OrderListResult>("orders:placeList", {
      market: "BTC-USD",
      kind: "oco",
      orders: [
        { ...leg, type: "limit", price: "25000.00" },
        { ...leg, type: "limit", price: "36000.00", trigger: { type: "stop", price: "35000.00" } },
      ],
    });
    const [limit = "", stop = ""] = list.orders.map(({ orderId }) => orderId);
    await anna.done("orders:amend", { orderId: stop, triggerPrice: "34000.00", price: "34500.00" });
    await anna.done("orders:amend", { orderId: limit, price: "26000.00" });
    await anna.done("orders:amend", { orderId: limit, quantity: "0.2" });
    await anna.done("orders:cancel", { orderId: limit });

    const life = await lifeOf(anna, stop);
    expect(kinds(life)).toEqual(["placed", "waiting", "amended", "amended", "amended", "ended"]);
    const [first, , moved, beside, larger] = life.steps;
    expect(first).toMatchObject({ terms: { price: "36000.00", triggerPrice: "35000.00" } });
    expect(moved).toMatchObject({
      before: { price: "36000.00", triggerPrice: "35000.00" },
      after: { price: "34500.00", triggerPrice: "34000.00" },
      keptPlace: null,
    });
    expect(sumsOf(moved)).toEqual({ "USD available": 150, "USD held": -150 });
    // The limit order needs more, so that this one adds less to the hold.
    expect(sumsOf(beside)).toEqual({ "USD available": 100, "USD held": -100 });
    expect(larger).toMatchObject({ before: { quantity: "0.1000" }, after: { quantity: "0.2000" } });
    for (const orderId of [limit, stop]) {
      const { steps } = await lifeOf(anna, orderId);
      expect(sums(steps.flatMap(({ postings }) => postings))).toEqual({});
    }
  });

  test("gives what a better price spared to the fill, and the rest to the end", async () => {
    const anna = await newTrader();
    await maker({ side: "sell", price: "29000.00", quantity: "0.1" });
    const { order } = await anna.done<PlaceOrderResult>("orders:place", {
      ...buy,
      timeInForce: "ioc",
    });
    const life = await lifeOf(anna, order.orderId);
    expect(kinds(life)).toEqual(["placed", "filled", "ended"]);
    expect(sumsOf(life.steps[0])["USD held"]).toBe(15_000);
    expect(sumsOf(life.steps[1])["USD held"]).toBe(-3_000);
    expect(sumsOf(life.steps[2])["USD held"]).toBe(-12_000);
  });

  test("says what it waited for, what activated it, and that its trigger led to trades", async () => {
    const anna = await newTrader();
    await maker({ side: "sell", price: "31000.00", quantity: "0.5" });
    const other = await newTrader();
    await other.done("orders:place", { ...buy, price: "31000.00", quantity: "0.01" });
    const { order } = await anna.done<PlaceOrderResult>("orders:place", {
      market: "BTC-USD",
      side: "buy",
      type: "market",
      quantity: "0.1",
      trigger: { type: "stop", price: "31500.00" },
    });
    await maker({ side: "sell", price: "31600.00", quantity: "0.5" });
    await other.done("orders:place", { ...buy, price: "31600.00", quantity: "0.6" });
    const life = await lifeOf(anna, order.orderId);
    expect(kinds(life)).toEqual(["placed", "waiting", "activated", "filled", "ended"]);
    expect(life.steps[1]).toMatchObject({ waitsFor: "trigger", price: "31500.00" });
    expect(life.steps[2]).toMatchObject({ cause: "trigger", last: "31600.00" });
    const all = life.steps.flatMap(({ postings }) => postings);
    expect(sums(all)["USD held"]).toBeUndefined();
  });

  test("names the orders placed with it, and those that replace each other", async () => {
    const anna = await newTrader();
    const list = await anna.done<OrderListResult>("orders:placeList", {
      market: "BTC-USD",
      kind: "oto",
      orders: [
        { side: "buy", type: "limit", price: "20000.00", quantity: "0.1" },
        { side: "sell", type: "limit", price: "90000.00" },
      ],
    });
    const [entry, exit] = list.orders.map(({ orderId }) => orderId);
    const entryLife = await lifeOf(anna, entry ?? "");
    expect(entryLife.linked.map(({ orderId }) => orderId)).toEqual([exit]);
    expect(kinds(await lifeOf(anna, exit ?? ""))).toEqual(["placed", "waiting"]);

    const { order: old } = await anna.done<PlaceOrderResult>("orders:place", {
      ...buy,
      price: "20000.00",
    });
    const { order: next } = await anna.done<PlaceOrderResult>("orders:replace", {
      orderId: old.orderId,
      order: { ...buy, price: "21000.00" },
    });
    expect(await lifeOf(anna, old.orderId)).toMatchObject({
      replacedBy: next.orderId,
      replaces: null,
    });
    expect(await lifeOf(anna, next.orderId)).toMatchObject({
      replaces: old.orderId,
      replacedBy: null,
      linked: [],
    });
  });

  test("says that it is incomplete while the history is behind, and has every step afterwards", async () => {
    const anna = await newTrader();
    const { order } = await anna.done<PlaceOrderResult>("orders:place", buy);
    const { orderId } = order;
    expect(await lifeOf(anna, orderId)).toMatchObject({ isComplete: true });
    const { write } = scene.database;
    await sql`alter table trades rename to trades_away`.execute(write);
    await maker({ side: "sell", price: "30000.00", quantity: "0.1" });
    const [fill] = anna.value<Fill[]>("fills:recent");
    // Each waits for the history for some seconds, so all of them wait concurrently.
    const [behind, record, feed, profits] = await Promise.all([
      lifeOf(anna, orderId),
      anna.act("fills:record", { orderId, tradeId: fill?.tradeId }),
      anna.answer("activity:page"),
      anna.act("portfolio:profits"),
    ]);
    expect(behind).toMatchObject({ isComplete: false, order: { status: "partiallyFilled" } });
    expect(kinds(behind)).toEqual(["placed"]);
    expect(refusal(record)).toMatchObject({ code: "unavailable" });
    // Neither the feed nor sums over it pretend to be complete.
    expect(feed).toMatchObject({ isComplete: false });
    expect(refusal(profits)).toMatchObject({ code: "unavailable" });
    await sql`alter table trades_away rename to trades`.execute(write);
    await scene.services.history.whenProjected();
    const whole = await lifeOf(anna, orderId);
    expect(whole.isComplete).toBe(true);
    expect(await anna.answer("activity:page")).toMatchObject({ isComplete: true });
    await anna.answer("portfolio:profits");
    expect(kinds(whole)).toEqual(["placed", "filled"]);
  });

  test("is told to its owner only", async () => {
    const anna = await newTrader();
    const berta = await newTrader();
    const { order } = await anna.done<PlaceOrderResult>("orders:place", {
      ...buy,
      price: "20000.00",
    });
    expect(refusal(await berta.act("orders:life", { orderId: order.orderId }))).toMatchObject({
      code: "unknownOrder",
    });
    expect(refusal(await anna.act("orders:life", { orderId: "999999" }))).toMatchObject({
      code: "unknownOrder",
    });
    expect(refusal(await scene.as(null).act("orders:life", { orderId: "1" }))).toMatchObject({
      code: "unauthorized",
    });
  });
});

test("the postings of an order include what its amendments held and released", async () => {
  const anna = await newTrader();
  const { order } = await anna.done<PlaceOrderResult>("orders:place", {
    ...buy,
    price: "20000.00",
  });
  const { orderId } = order;
  await anna.done("orders:amend", { orderId, quantity: "0.6" });
  await anna.done("orders:amend", { orderId, quantity: "0.55" });
  const postings = await anna.answer<LedgerEntry[]>("accounts:ledgerEntries", { orderId });
  const held = anna.value<Balance[]>("accounts:balances").find(({ coin }) => coin === "USD")?.held;
  expect(sums(postings)["USD held"]).toBe(Number(held));
});
