import { afterAll, beforeAll, beforeEach, describe, expect, test } from "vitest";
import type { OrderListResult, PlaceOrderResult } from "#contract/types.ts";
import type { Balance, Order } from "#contract/types.ts";
import { readOrders } from "#server/functions/orders.ts";
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
  maker = await scene.participant("maker", { USD: 100_000_000, BTC: 1_000, DOGE: 10_000_000 });
});
afterAll(() => scene.close());
beforeEach(async () => {
  const { exchange, views } = scene.services;
  for (const { account } of views.accounts.all()) {
    await exchange.submit({ type: "cancelAllOrders", account, marketId: 0 });
  }
});

/** A new user with 100 000 USD. */
async function newTrader() {
  people += 1;
  const person = scene.as(`changes-${people}`);
  await person.done("accounts:takePracticeFunds");
  return person;
}
const buy = { market: "BTC-USD", side: "buy", type: "limit", price: "30000.00", quantity: "0.5" };
const terms = { side: "buy", type: "limit", price: "30000.00", quantity: "0.5" };
const usd = (balances: readonly Balance[]) => balances.find(({ coin }) => coin === "USD");
/** A trade at this price, so that there is a last price. */
async function trade(price: string) {
  const other = scene.as("taker");
  if (people >= 0) await other.mutate("accounts:takePracticeFunds");
  await maker({ side: "sell", price, quantity: "0.01" });
  await other.done("orders:place", { ...buy, price, quantity: "0.01" });
}

describe("orders with conditions", () => {
  test("an iceberg with an end shows a part and says what it is", async () => {
    const anna = await newTrader();
    const expiresAt = scene.services.views.nowMs() + 60_000;
    const { order } = await anna.done<PlaceOrderResult>("orders:place", {
      ...buy,
      display: "0.1",
      expiresAt,
      selfTradePrevention: "decrement",
    });
    expect(order).toMatchObject({ timeInForce: "gtd", quantity: "0.5000", status: "open" });
    expect(order.special).toEqual({
      display: "0.1000",
      expiresAt,
      selfTradePrevention: "decrement",
    });
    expect(anna.value("markets:book", { market: "BTC-USD" })).toMatchObject({
      bids: ["30000.00", "0.1000"],
    });
  });

  test("a stop waits, is activated and remembers in history why it ended", async () => {
    await trade("30000.00");
    const anna = await newTrader();
    const { order, fills } = await anna.done<PlaceOrderResult>("orders:place", {
      ...buy,
      price: "31000.00",
      quantity: "0.1",
      timeInForce: "ioc",
      trigger: { type: "stop", price: "30500.00" },
    });
    expect(fills).toEqual([]);
    await scene.services.history.whenProjected();
    expect(order.special).toEqual({
      waitsFor: "trigger",
      trigger: { type: "stop", price: "30500.00" },
    });
    expect(usd(anna.value("accounts:balances"))?.held).toBe("3100.000000");
    await trade("30600.00");
    const [ended] = anna.value<Order[]>("orders:recent");
    expect(ended).toMatchObject({
      status: "expired",
      endReason: "immediateOrCancel",
      special: { trigger: { type: "stop", price: "30500.00" } },
    });
    expect(ended?.special).not.toHaveProperty("waitsFor");
    await scene.services.history.whenProjected();
    const { items } = await readOrders(anna.context, { limit: 50 });
    expect(items).toEqual([ended]);
  });

  test.each([
    [{ expiresAt: 5, timeInForce: "gtc" }, "expiresAt", /time in force "gtd"/],
    [{ timeInForce: "gtd" }, "expiresAt", /required/],
    [{ expiresAt: 5 }, "timeInForce", /./],
    [{ display: "0.5" }, "display", /less than its quantity/],
    [{ display: "0.0499" }, "display", /at least a tenth of it/],
    [{ display: "0.00001" }, "display", /multiple of 0\.0001/],
    [{ trigger: { type: "stop" } }, "trigger.price", /required/],
    [{ trigger: { type: "stop", price: "1.001" } }, "trigger.price", /multiple of 0\.01/],
    [{ trigger: { type: "stop", price: "1", trailBps: 5 } }, "trigger.trailBps", /trailing/],
    [{ trigger: { type: "trailingStop", price: "1" } }, "trigger.price", /trailBps/],
    [{ trigger: { type: "trailingStop" } }, "trigger.trailBps", /required/],
    [{ trigger: { type: "stop", price: "29000.00" } }, "trigger", /other side/],
    [{ selfTradePrevention: "never" }, "selfTradePrevention", /one of expireTaker/],
  ])("%j is refused naming field and reason", async (condition, field, message) => {
    await trade("30000.00");
    const anna = await newTrader();
    const refused = refusal(await anna.mutate("orders:place", { ...buy, ...condition }));
    expect(refused).toMatchObject({ field, message: expect.stringMatching(message) });
    expect(anna.value("orders:recent")).toEqual([]);
  });
});

describe("amending", () => {
  test("gives an iceberg no more than ten parts", async () => {
    const anna = await newTrader();
    const iceberg = { ...buy, display: "0.05" };
    const { order } = await anna.done<PlaceOrderResult>("orders:place", iceberg);
    await scene.services.history.whenProjected();
    const { orderId } = order;
    const more = refusal(await anna.mutate("orders:amend", { orderId, quantity: "0.5001" }));
    expect(more).toMatchObject({ code: "invalidDisplay", field: "display" });
    const less = await anna.done<PlaceOrderResult>("orders:amend", { orderId, quantity: "0.4" });
    expect(less.order).toMatchObject({ quantity: "0.4000", status: "open" });
  });

  test("gives an order another price and quantity, which trades where it crosses", async () => {
    const anna = await newTrader();
    const { order } = await anna.done<PlaceOrderResult>("orders:place", buy);
    await scene.services.history.whenProjected();
    const smaller = await anna.done<PlaceOrderResult>("orders:amend", {
      orderId: order.orderId,
      quantity: "0.2",
    });
    expect(smaller).toMatchObject({ fills: [], order: { quantity: "0.2000", status: "open" } });
    expect(usd(anna.value("accounts:balances"))?.held).toBe("6000.000000");
    await maker({ side: "sell", price: "31000.00", quantity: "0.1" });
    const raised = await anna.done<PlaceOrderResult>("orders:amend", {
      orderId: order.orderId,
      price: "31000.00",
    });
    expect(raised.fills).toMatchObject([{ quantity: "0.1000", role: "taker" }]);
    expect(raised.order).toMatchObject({ status: "partiallyFilled", price: "31000.00" });
    await scene.services.history.whenProjected();
    const { items } = await readOrders(anna.context, { limit: 50 });
    expect(items).toEqual([raised.order]);
  });

  test("is refused naming field and reason", async () => {
    const anna = await newTrader();
    const { order } = await anna.done<PlaceOrderResult>("orders:place", buy);
    const { orderId } = order;
    const amend = async (args: object) => refusal(await anna.mutate("orders:amend", args));
    expect(await amend({ orderId })).toMatchObject({ code: "invalidArgument", field: "quantity" });
    expect(await amend({ orderId, quantity: "0.5" })).toMatchObject({ code: "nothingToChange" });
    expect(await amend({ orderId, price: "1.001" })).toMatchObject({ field: "price" });
    expect(await amend({ orderId, quantity: "9" })).toMatchObject({
      code: "insufficientAvailable",
      field: "quantity",
    });
    const other = await newTrader();
    const stolen = await other.mutate("orders:amend", { orderId, quantity: "0.1" });
    expect(refusal(stolen)).toMatchObject({ code: "unknownOrder", field: "orderId" });
  });
});

describe("amending an order that waits or is of a list", () => {
  const atMarket = { market: "BTC-USD", side: "buy", type: "market", quantity: "0.01" };
  const stop = { ...atMarket, trigger: { type: "stop", price: "33000.00" } };
  const place = async (person: Awaited<ReturnType<typeof newTrader>>, order: object) =>
    (await person.done<PlaceOrderResult>("orders:place", order)).order.orderId;
  const placeList = async (
    person: Awaited<ReturnType<typeof newTrader>>,
    kind: string,
    orders: readonly object[],
  ) => {
    const list = { market: "BTC-USD", kind, orders };
    const placed = await person.done<OrderListResult>("orders:placeList", list);
    return placed.orders.map(({ orderId }) => orderId);
  };
  const pair = [
    { ...terms, price: "29000.00", quantity: "0.1" },
    { ...terms, price: "33100.00", quantity: "0.1", trigger: { type: "stop", price: "33000.00" } },
  ];
  const bracket = [
    { ...terms, price: "29500.00" },
    { ...terms, side: "sell", price: "33000.00", quantity: undefined },
    { side: "sell", type: "market", trigger: { type: "stop", price: "29000.00" } },
  ];

  test("changes that order alone, in memory and in the history; a pair's quantity is of both", async () => {
    await trade("30000.00");
    const anna = await newTrader();
    const [limit = "", trigger = ""] = await placeList(anna, "oco", pair);
    await anna.done("orders:amend", { orderId: trigger, triggerPrice: "32000.00" });
    await anna.done("orders:amend", { orderId: limit, price: "29100.00" });
    await anna.done("orders:amend", { orderId: trigger, quantity: "0.2" });
    const open = anna.value<Order[]>("orders:open");
    expect(open.find(({ orderId }) => orderId === limit)).toMatchObject({
      price: "29100.00",
      quantity: "0.2000",
    });
    expect(open.find(({ orderId }) => orderId === trigger)).toMatchObject({
      price: "33100.00",
      quantity: "0.2000",
      special: { trigger: { price: "32000.00" } },
    });
    expect(usd(anna.value("accounts:balances"))?.held).toBe("6620.000000");
    await scene.services.history.whenProjected();
    const { items } = await readOrders(anna.context, { limit: 50 });
    expect(items).toEqual(anna.value("orders:recent"));
  });

  test("keeps the id, and an order by total spends another one", async () => {
    await trade("30000.00");
    const anna = await newTrader();
    const byTotal = { ...stop, quantity: undefined, quoteAmount: "300.00" };
    const orderId = await place(anna, byTotal);
    await anna.done("orders:amend", { orderId, quoteAmount: "400.00", triggerPrice: "31000.00" });
    expect(anna.value<Order[]>("orders:open")).toMatchObject([
      { orderId, quoteAmount: "400.000000", special: { trigger: { price: "31000.00" } } },
    ]);
    await scene.services.history.whenProjected();
    const { items } = await readOrders(anna.context, { limit: 50 });
    expect(items).toEqual(anna.value("orders:recent"));
  });

  test("gives an iceberg of a pair no more than ten parts, by the other order either", async () => {
    await trade("30000.00");
    const anna = await newTrader();
    const iceberg = { ...pair[0], display: "0.01" };
    const ids = await placeList(anna, "oco", [iceberg, pair[1] ?? {}]);
    for (const orderId of ids) {
      const more = refusal(await anna.mutate("orders:amend", { orderId, quantity: "0.11" }));
      expect(more).toMatchObject({ code: "invalidDisplay", field: "display" });
    }
  });

  const REFUSALS: readonly (readonly [
    what: string,
    list: readonly [kind: string, orders: readonly object[]],
    at: number,
    change: object,
    code: string,
    field: string | undefined,
    message: RegExp,
  ])[] = [
    [
      "its limit order into a trade",
      ["oco", pair],
      0,
      { price: "31000.00" },
      "wouldCross",
      "price",
      /trade at once; move it away/,
    ],
    [
      "its stop past the market",
      ["oco", pair],
      1,
      { triggerPrice: "29000.00" },
      "wouldTriggerAtOnce",
      "triggerPrice",
      /last price has passed/,
    ],
    [
      "its stop by a distance",
      ["oco", pair],
      1,
      { trailBps: 500 },
      "invalidTrigger",
      "trailBps",
      /does not wait for such/,
    ],
    [
      "its limit order by a trigger",
      ["oco", pair],
      0,
      { triggerPrice: "33000.00" },
      "invalidTrigger",
      "triggerPrice",
      /does not wait for such/,
    ],
    [
      "its limit order by a total",
      ["oco", pair],
      0,
      { quoteAmount: "5.00" },
      "invalidAmount",
      "quoteAmount",
      /a quantity, not a total/,
    ],
    [
      "to what it cannot hold",
      ["oco", pair],
      1,
      { quantity: "9" },
      "insufficientAvailable",
      "quantity",
      /do not have enough USD/,
    ],
    [
      "to what it has",
      ["oco", pair],
      1,
      { quantity: "0.1" },
      "nothingToChange",
      undefined,
      /has these terms already/,
    ],
    [
      "to a price between ticks",
      ["oco", pair],
      1,
      { triggerPrice: "33000.001" },
      "invalidPrice",
      "triggerPrice",
      /triggerPrice must be a multiple of 0\.01/,
    ],
    [
      "a pending quantity that is open",
      ["otoco", bracket],
      1,
      { quantity: "0.1" },
      "invalidQuantity",
      "quantity",
      /entry order receives/,
    ],
    [
      "a pending stop at the market in its price",
      ["otoco", bracket],
      2,
      { price: "28000.00" },
      "invalidPrice",
      "price",
      /no limit price/,
    ],
    [
      "a pending stop to where the entry fills",
      ["otoco", bracket],
      2,
      { triggerPrice: "29500.00" },
      "wouldTriggerAtOnce",
      "triggerPrice",
      /fill of the entry order/,
    ],
    [
      "the entry to where it triggers its stop",
      ["otoco", bracket],
      0,
      { price: "29000.00" },
      "wouldTriggerAtOnce",
      "price",
      /trigger its stop-loss/,
    ],
    [
      "a pending take-profit beyond the stop",
      ["otoco", bracket],
      1,
      { price: "29000.00" },
      "invalidList",
      "price",
      /different sides/,
    ],
  ];
  test.each(REFUSALS)("%s is refused naming field and reason", async (...row) => {
    const [, [kind, orders], at, change, code, field, message] = row;
    await trade("30000.00");
    await maker({ side: "sell", price: "30500.00", quantity: "0.01" });
    const anna = await newTrader();
    const ids = await placeList(anna, kind, orders);
    const before = anna.value<Order[]>("orders:open");
    const refused = refusal(await anna.mutate("orders:amend", { orderId: ids[at], ...change }));
    expect(refused).toMatchObject({ code, message: expect.stringMatching(message) });
    expect(refused?.field).toBe(field);
    expect(anna.value("orders:open")).toEqual(before);
  });
});

test("a trailing stop has its present trigger price, which follows the market", async () => {
  await trade("30000.00");
  const anna = await newTrader();
  const { order } = await anna.done<PlaceOrderResult>("orders:place", {
    market: "BTC-USD",
    side: "buy",
    type: "market",
    quantity: "0.01",
    trigger: { type: "trailingStop", trailBps: 1_000 },
  });
  const { orderId } = order;
  const present = () => anna.value<Order[]>("orders:open")[0].special?.trigger?.price;
  expect(present()).toBe("33000.00");
  const topics: string[] = [];
  const stop = scene.onChange((topic) => topics.push(topic));
  await trade("29000.00");
  stop();
  expect(present()).toBe("31900.00");
  const account = scene.services.views.accounts.ofUser(`changes-${people}`)?.account;
  expect(topics).toContain(`account:${account}`);
  await trade("29500.00");
  expect(present()).toBe("31900.00");

  await anna.done("orders:cancel", { orderId });
  await scene.services.history.whenProjected();
  const { items } = await readOrders(anna.context, { limit: 50 });
  expect(items).toEqual(anna.value("orders:recent"));
  expect(items[0].special?.trigger?.price).toBe("31900.00");
});

describe("replacing", () => {
  test("cancels one order and places another, or does nothing", async () => {
    const anna = await newTrader();
    const { order } = await anna.done<PlaceOrderResult>("orders:place", { ...buy, quantity: "3" });
    const refused = await anna.mutate("orders:replace", {
      orderId: order.orderId,
      order: { ...buy, quantity: "3.5" },
    });
    expect(refusal(refused)).toMatchObject({
      code: "insufficientAvailable",
      field: "order.quantity",
    });
    expect(anna.value("orders:open")).toEqual([order]);
    const { order: next } = await anna.done<PlaceOrderResult>("orders:replace", {
      orderId: order.orderId,
      order: { ...buy, price: "33000.00", quantity: "3" },
    });
    expect(anna.value("orders:open")).toEqual([next]);
    expect(anna.value<Order[]>("orders:recent")[1]).toMatchObject({
      status: "cancelled",
      endReason: "replaced",
    });
  });
});

describe("lists", () => {
  test("a bracket waits for its working order and goes with its parts", async () => {
    await trade("30000.00");
    const anna = await newTrader();
    const list = await anna.done<OrderListResult>("orders:placeList", {
      market: "BTC-USD",
      kind: "otoco",
      orders: [
        terms,
        { ...terms, side: "sell", price: "33000.00", quantity: undefined },
        {
          side: "sell",
          type: "market",
          trigger: { type: "stop", price: "29000.00" },
        },
      ],
    });
    expect(list.orders).toMatchObject([
      { status: "open", special: { listId: list.listId } },
      { special: { waitsFor: "workingOrder" }, quantity: null },
      { special: { waitsFor: "workingOrder", trigger: { price: "29000.00" } } },
    ]);
    await maker({ side: "sell", price: "30000.00", quantity: "0.5" });
    const open = anna.value<Order[]>("orders:open");
    expect(open).toMatchObject([
      { quantity: "0.4990", special: { waitsFor: "trigger" } },
      { quantity: "0.4990", price: "33000.00" },
    ]);
    const done = await anna.done<{ cancelled: number }>("orders:cancelAll", { side: "sell" });
    expect(done).toEqual({ cancelled: 2 });
    // A bracket from its placement to its end, in memory and in the history.
    await scene.services.history.whenProjected();
    const { items } = await readOrders(anna.context, { limit: 50 });
    for (const orders of [list.orders, open, items, anna.value<Order[]>("orders:recent")]) {
      expect(new Set(orders.map(({ special }) => special?.listKind))).toEqual(new Set(["otoco"]));
    }
  });

  test("that do not fit are refused naming the order and the field", async () => {
    const anna = await newTrader();
    const place = async (kind: string, orders: object[]) =>
      refusal(await anna.mutate("orders:placeList", { market: "BTC-USD", kind, orders }));
    expect(await place("oco", [terms, terms])).toMatchObject({ code: "invalidList" });
    expect(await place("oco", [terms])).toMatchObject({ code: "invalidArgument" });
    expect(await place("oto", [terms, { ...terms, price: "1.001" }])).toMatchObject({
      code: "invalidPrice",
      field: "orders.1.price",
    });
    expect(anna.value("orders:recent")).toEqual([]);
  });
});

test("the cancel timer says when it fires, and can be switched off", async () => {
  const anna = await newTrader();
  const { firesAt } = await anna.done<{ firesAt: number }>("orders:cancelAfter", {
    delayMs: 60_000,
  });
  expect(firesAt).toBeGreaterThan(0);
  expect(await anna.done("orders:cancelAfter", { delayMs: 0 })).toEqual({ firesAt: null });
  const tooShort = await anna.mutate("orders:cancelAfter", { delayMs: 5 });
  expect(refusal(tooShort)).toMatchObject({ code: "invalidDelay", field: "delayMs" });
});
