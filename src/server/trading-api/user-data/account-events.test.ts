import { afterAll, beforeAll, beforeEach, expect, test } from "vitest";
import { type FunctionScene, openFunctionScene } from "#test/support/function-scene.ts";
import type { PlaceOrderResult } from "#contract/types.ts";
import type { OrderTerms } from "#engine/order-terms.ts";
import { describeOrder } from "../orders/describe-order.ts";
import { UserDataFeeds } from "./user-data-feeds.ts";

let scene: FunctionScene;
let feeds: UserDataFeeds;
let users = 0;

beforeAll(async () => {
  scene = await openFunctionScene({ settings: { PRACTICE_FUNDS: "USD:100000,BTC:1" } });
  feeds = new UserDataFeeds(scene.services.views, scene.services.exchange);
  const [maker, taker] = [await funded(), await funded()];
  // A first price, for orders that wait for one.
  await place(maker, { side: "sell", price: "64000.00", quantity: "0.1" });
  await place(taker, { side: "buy", price: "64000.00", quantity: "0.1" });
});
afterAll(() => scene.close());

type Message = Readonly<Record<string, unknown>>;

async function funded() {
  const user = scene.as(`person-${++users}`);
  await user.done("accounts:takePracticeFunds");
  return user;
}
type User = Awaited<ReturnType<typeof funded>>;

function place(user: User, order: object): Promise<PlaceOrderResult> {
  return user.done<PlaceOrderResult>("orders:place", {
    market: "BTC-USD",
    type: "limit",
    ...order,
  });
}

/** The newest user's account. */
function newestAccount(): number {
  const account = scene.services.views.accounts.ofUser(`person-${users}`);
  if (account === undefined) throw new Error("the newest user has no account");
  return account.account;
}

function follow(account: number) {
  const messages: Message[] = [];
  const end = feeds.follow(account, (text) => messages.push(JSON.parse(text) as Message));
  return { messages, end };
}

/** Of the account's newest orders, in the order in which they were placed. */
function expiryReasons(account: number) {
  const { catalogue, people } = scene.services.views;
  return people
    .recentOrders(account)
    .toReversed()
    .map((order) => describeOrder(order, catalogue.market(order.marketId)))
    .flatMap(({ expiryReason }) => expiryReason ?? []);
}

/** A new user whose account is followed from now on. */
async function followed() {
  const user = await funded();
  const { end, messages } = follow(newestAccount());
  const of = (kind: string) => messages.filter(({ e }) => e === kind);
  /** The event, the order's status after it, and its filled quantity. */
  const steps = () => of("executionReport").map(({ x, X, z }) => [x, X, z]);
  return { user, messages, of, steps, end };
}

let other: User;
beforeEach(async () => {
  other = await funded();
});

test("a stop is new, is new again when its price comes, and trades", async () => {
  const { user, of, steps } = await followed();
  await place(other, { side: "buy", price: "60000.00", quantity: "0.5" });
  await place(user, {
    side: "sell",
    type: "market",
    quantity: "0.1",
    trigger: { type: "stop", price: "60000.00" },
  });
  expect(of("executionReport")[0]).toMatchObject({ o: "STOP_LOSS", P: "60000.00", w: false });
  expect(of("executionReport")[0]).not.toHaveProperty("W");
  await place(await funded(), { side: "sell", type: "market", quantity: "0.01" });
  expect(steps()).toEqual([
    ["NEW", "NEW", "0.0000"],
    ["NEW", "NEW", "0.0000"],
    ["TRADE", "FILLED", "0.1000"],
  ]);
  // It is active since its trigger price was reached.
  const [, activated, traded] = of("executionReport");
  expect([activated.W, traded.W]).toEqual([activated.T, activated.T]);
  expect(of("outboundAccountPosition").at(-1)).toMatchObject({
    B: expect.arrayContaining([
      expect.objectContaining({ a: "BTC", f: "0.90000000", l: "0.00000000" }),
    ]) as unknown,
  });
  await other.done("orders:cancelAll", {});
});

test("an order that meets another of its owner's says which, and what both lost", async () => {
  const { user, of } = await followed();
  const { order: resting } = await place(user, {
    side: "buy",
    price: "59000.00",
    quantity: "0.03",
  });
  const taker = { side: "sell", price: "59000.00", quantity: "0.05" };
  const { order: stopped } = await place(user, { ...taker, selfTradePrevention: "expireTaker" });
  const [restingId, stoppedId] = [resting, stopped].map(({ orderId }) => Number(orderId));
  const met = { x: "TRADE_PREVENTION", X: "EXPIRED_IN_MATCH", Cs: "BTCUSD", pL: "59000.00", u: -1 };
  expect(of("executionReport").slice(-1)).toMatchObject([
    { ...met, i: stoppedId, v: stoppedId, U: restingId, A: "0.0500", B: "0.0500" },
  ]);
  const { order: lessened } = await place(user, { ...taker, selfTradePrevention: "decrement" });
  const lessenedId = Number(lessened.orderId);
  const lost = { x: "TRADE_PREVENTION", v: restingId, A: "0.0300", pL: "59000.00" };
  expect(of("executionReport").slice(-3)).toMatchObject([
    { ...lost, i: restingId, U: lessenedId },
    { ...lost, i: lessenedId, U: restingId, X: "NEW" },
    { ...lost, i: restingId, U: lessenedId, X: "EXPIRED_IN_MATCH" },
  ]);
  // Other reports lack these fields.
  expect(of("executionReport").filter((report) => "v" in report)).toHaveLength(4);
  await user.done("orders:cancelAll", {});
});

test("an order by amount is filled by its last trade, and a rest that may not wait expires", async () => {
  const { user, of, steps } = await followed();
  await place(other, { side: "sell", price: "61000.00", quantity: "0.1" });
  await place(other, { side: "sell", price: "62000.00", quantity: "0.1" });
  await place(user, { side: "buy", type: "market", quoteAmount: "6710" });
  expect(steps().map(([x, X]) => [x, X])).toEqual([
    ["NEW", "NEW"],
    ["TRADE", "PARTIALLY_FILLED"],
    ["TRADE", "FILLED"],
  ]);
  // 0.1 for 6 100, and as many lots as the remainder pays for: 0.0098 for 607.60.
  expect(of("executionReport")[2]).toMatchObject({
    z: "0.1098",
    Z: "6707.600000",
    Q: "6710.000000",
  });
  await place(user, { side: "buy", timeInForce: "ioc", price: "62000.00", quantity: "0.5" });
  expect(steps().slice(-1)).toEqual([["EXPIRED", "EXPIRED", of("executionReport").at(-1)?.z]]);
  expect(of("executionReport").at(-1)).toMatchObject({
    q: "0.5000",
    l: "0.0000",
    eR: "UNFILLED_IOC_QUANTITY_EXPIRED",
  });
});

test("an order that expires says why, one that is cancelled does not", async () => {
  const { user, of } = await followed();
  const reasons = () =>
    of("executionReport").flatMap(({ x, eR }) => (x === "NEW" ? [] : [[x, eR]]));
  const market = { side: "sell", type: "market" };
  const { order } = await place(user, { side: "buy", price: "30000.00", quantity: "0.1" });
  await user.done("orders:cancel", { orderId: order.orderId });
  // The book has a smaller quantity.
  await place(other, { side: "buy", price: "60500.00", quantity: "0.01" });
  await place(user, { ...market, quantity: "0.02" });
  expect(reasons()).toEqual([
    ["CANCELED", undefined],
    ["TRADE", undefined],
    ["EXPIRED", "INSUFFICIENT_LIQUIDITY"],
  ]);
  expect(expiryReasons(newestAccount())).toEqual(["INSUFFICIENT_LIQUIDITY"]);
});

test("both orders of a pair are told of, and the pair when it is done", async () => {
  const { user, of } = await followed();
  const limit = { side: "sell", type: "limit", price: "70000.00", quantity: "0.1" };
  const stop = {
    side: "sell",
    type: "market",
    quantity: "0.1",
    trigger: { type: "stop", price: "50000.00" },
  };
  await user.done("orders:placeList", { market: "BTC-USD", kind: "oco", orders: [limit, stop] });
  expect(of("executionReport").map(({ o, x }) => [o, x])).toEqual([
    ["LIMIT", "NEW"],
    ["STOP_LOSS", "NEW"],
  ]);
  expect(of("listStatus")).toMatchObject([{ c: "OCO", l: "EXEC_STARTED", L: "EXECUTING" }]);
  await user.done("orders:cancelAll", {});
  expect(
    of("executionReport")
      .map(({ x }) => x)
      .slice(2),
  ).toEqual(["CANCELED", "CANCELED"]);
  expect(of("listStatus").at(-1)).toMatchObject({ l: "ALL_DONE", L: "ALL_DONE" });
});

test("an order of a pair expires when the other one trades", async () => {
  const { user, of } = await followed();
  const limit = { side: "sell", type: "limit", price: "64100.00", quantity: "0.1" };
  const trigger = { type: "stop", price: "50000.00" };
  const stop = { side: "sell", type: "market", quantity: "0.1", trigger };
  await user.done("orders:placeList", { market: "BTC-USD", kind: "oco", orders: [limit, stop] });
  await place(other, { side: "buy", price: "64100.00", quantity: "0.1" });
  expect(
    of("executionReport")
      .slice(2)
      .map(({ o, x, X, eR }) => [o, x, X, eR]),
  ).toEqual(
    expect.arrayContaining([
      ["LIMIT", "TRADE", "FILLED", undefined],
      ["STOP_LOSS", "EXPIRED", "EXPIRED", "OCO_TRIGGER"],
    ]),
  );
});

test("what waits for a working order expires with it, and says since when it trails", async () => {
  const { user, of } = await followed();
  const working = {
    side: "buy",
    type: "limit",
    timeInForce: "ioc",
    price: "20000.00",
    quantity: "0.1",
  };
  const trigger = { type: "trailingStop", trailBps: 100 };
  const pending = { side: "sell", type: "market", quantity: "0.1", trigger };
  await user.done("orders:placeList", {
    market: "BTC-USD",
    kind: "oto",
    orders: [working, pending],
  });
  expect(of("executionReport").slice(-2)).toMatchObject([
    { o: "LIMIT", x: "EXPIRED", eR: "UNFILLED_IOC_QUANTITY_EXPIRED" },
    { o: "STOP_LOSS", x: "EXPIRED", eR: "OTO_PHASE_ONE_EXPIRED" },
  ]);
  const waiting = of("executionReport").find(({ o }) => o === "STOP_LOSS");
  expect(waiting).toMatchObject({ X: "PENDING_NEW", D: -1, w: false });
  expect(waiting).not.toHaveProperty("W");
});

test("a list goes by its name, also one that was there before", async () => {
  const user = await funded();
  const account = newestAccount();
  const { services } = scene;
  const market = services.views.catalogue.markets()[0];
  const terms = { orderType: "limit", timeInForce: "gtc", postOnly: false, quoteAmount: 0 };
  const order = { ...terms, priceTicks: 70_000_00, quantityLots: 10, clientOrderId: "" };
  const orders = [
    { ...order, side: "sell", clientOrderId: "first" },
    { ...order, side: "buy", priceTicks: 50_000_00, clientOrderId: "second" },
  ] as unknown as readonly OrderTerms[];
  const list = { type: "placeOrderList", account, marketId: market.marketId, kind: "oto" } as const;
  const { rejected } = await services.exchange.submit({ ...list, orders, clientListId: "mine" });
  expect(rejected).toBeUndefined();
  const { messages } = follow(account);
  await user.done("orders:cancelAll", {});
  expect(messages.filter(({ e }) => e === "listStatus")).toMatchObject([
    {
      c: "OTO",
      C: "mine",
      l: "ALL_DONE",
      L: "ALL_DONE",
      O: [{ c: "first" }, { c: "second" }],
    },
  ]);
});

test("orders that were open before are told of as they go on, changes of their terms included", async () => {
  const user = await funded();
  const { order } = await place(user, { side: "sell", price: "66000.00", quantity: "0.4" });
  await place(other, { side: "buy", price: "66000.00", quantity: "0.1" });
  const { messages } = follow(newestAccount());
  await user.done("orders:amend", { orderId: order.orderId, quantity: "0.3" });
  await place(other, { side: "buy", price: "66000.00", quantity: "0.2" });
  const reports = messages.filter(({ e }) => e === "executionReport");
  expect(reports.map(({ x, X, q, z }) => [x, X, q, z])).toEqual([
    ["REPLACED", "PARTIALLY_FILLED", "0.3000", "0.1000"],
    ["TRADE", "FILLED", "0.3000", "0.3000"],
  ]);
});

test("coins that come otherwise than by trading are told of", async () => {
  const userId = `person-${++users}`;
  await scene.services.exchange.submit({ type: "openAccount", userId, kind: "person" });
  const { messages } = follow(newestAccount());
  await scene.as(userId).done("accounts:takePracticeFunds");
  expect(messages).toMatchObject([
    { e: "balanceUpdate", a: "USD", d: "100000.000000" },
    { e: "balanceUpdate", a: "BTC", d: "1.00000000" },
    { e: "outboundAccountPosition", B: [{ a: "USD" }, { a: "BTC" }] },
  ]);
});

test("nothing is told after the end, which may be said twice", async () => {
  const { end, messages, user } = await followed();
  end();
  end();
  await place(user, { side: "buy", price: "60000.00", quantity: "0.1" });
  expect(messages).toEqual([]);
});

test("a report of a trailing stop has the trigger price to which it has moved", async () => {
  const { user, of } = await followed();
  const account = newestAccount();
  const trigger = { type: "trailingStop", trailBps: 100 };
  await place(user, { side: "sell", type: "market", quantity: "0.1", trigger });
  const [maker, taker] = [await funded(), await funded()];
  await place(maker, { side: "sell", price: "67000.00", quantity: "0.01" });
  await place(taker, { side: "buy", price: "67000.00", quantity: "0.01" });
  const [open] = scene.services.views.people.openOrders(account);
  await user.done("orders:cancel", { orderId: String(open.orderId) });
  const [placed, cancelled] = of("executionReport");
  expect(cancelled).toMatchObject({ x: "CANCELED", P: "66330.00" });
  expect(placed).not.toMatchObject({ P: "66330.00" });
  expect([placed.D, cancelled.D]).toEqual([placed.O, placed.O]);
});
