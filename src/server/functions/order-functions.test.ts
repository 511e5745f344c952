import type { PaginatedPage } from "#contract/pagination.ts";
import { afterAll, afterEach, beforeAll, describe, expect, test } from "vitest";
import type { FillProof } from "#contract/fill-proof.ts";
import type { PlaceOrderResult } from "#contract/types.ts";
import type { Balance, Fill, Order, Page } from "#contract/types.ts";
import { cancelAllOrders } from "#server/exchange/cancel-all.ts";
import { definitions } from "#server/functions/definitions.ts";
import {
  type FunctionScene,
  type PlaceForParticipant,
  openFunctionScene,
  refusal,
} from "#test/support/function-scene.ts";

let scene: FunctionScene;
let maker: PlaceForParticipant;
beforeAll(async () => {
  scene = await openFunctionScene();
  maker = await scene.participant("maker", { USD: 100_000_000, BTC: 1_000, DOGE: 10_000_000 });
});
afterEach(async () => {
  const { exchange, views } = scene.services;
  for (const { account } of views.accounts.all()) {
    await exchange.submit({ type: "cancelAllOrders", account, marketId: 0 });
  }
});
afterAll(() => scene.close());

let people = 0;
/** A new user with 100 000 USD. */
async function newTrader() {
  people += 1;
  const person = scene.as(`person-${people}`);
  await person.done("accounts:takePracticeFunds");
  return person;
}
const limitBuy = {
  market: "BTC-USD",
  side: "buy",
  type: "limit",
  price: "30000.00",
  quantity: "0.5",
};
const usdOf = (balances: readonly Balance[]) => balances.find(({ coin }) => coin === "USD");

describe("a request with a time limit", () => {
  test("that comes after it changes nothing and says so; one taken in time is answered again", async () => {
    const anna = await newTrader();
    const validUntil = Date.now() + 30_000;
    const { order } = await anna.done<PlaceOrderResult>(
      "orders:place",
      { ...limitBuy, validUntil },
      "request 1",
    );
    const late = { validUntil: Date.now() - 1_000 };
    const again = await anna.done<PlaceOrderResult>(
      "orders:place",
      { ...limitBuy, ...late },
      "request 1",
    );
    expect(again.order.orderId).toBe(order.orderId);

    const { orderId } = order;
    const terms = { side: "buy", type: "limit", price: "30000.00", quantity: "0.5" };
    const list = [terms, { ...terms, side: "sell" }];
    const userId = `person-${people}`;
    const reason = "a test";
    const requests: Record<string, object> = {
      "orders:place": limitBuy,
      "orders:placeList": { market: "BTC-USD", kind: "oto", orders: list },
      "orders:amend": { orderId, quantity: "0.4" },
      "orders:replace": { orderId, order: limitBuy },
      "orders:cancel": { orderId },
      "orders:cancelAll": {},
      "orders:cancelAfter": { delayMs: 1000 },
      "plans:choose": { plan: "pro" },
      "accounts:takePracticeFunds": {},
      "watchlist:add": { markets: ["BTC-USD"] },
      "watchlist:remove": { market: "BTC-USD" },
      "watchlist:move": { market: "BTC-USD", index: 1 },
      "alerts:create": { market: "BTC-USD", condition: { kind: "price", price: "1.00" } },
      "alerts:setPaused": { alertId: "1", paused: true },
      "alerts:remove": { alertId: "1" },
      "notices:markRead": { noticeIds: ["1"] },
      "notices:markAllRead": { until: 1 },
      "apiKeys:rename": { keyId: "1", name: "Bot" },
      "apiKeys:setFaults": { keyId: "1", faults: {} },
      "apiKeys:revoke": { keyId: "1" },
      "notices:setSwitches": { kind: "fill", switches: { page: false } },
      "transfers:requestDeposit": { coin: "USD", amount: "1", network: "SEPA" },
      "transfers:cancel": { transferId: 1 },
      "transfers:forfeitDust": { coin: "USD", amount: "1" },
      "transfers:removeAddress": { addressId: "1" },
    };
    const requestsOfAdmins: Record<string, object> = {
      "accounts:freeze": { userId, frozen: true, reason },
      "adjustments:propose": { userId, coin: "USD", amount: "1", reason },
      "adjustments:approve": { adjustmentId: 1 },
      "adjustments:reject": { adjustmentId: 1 },
      "plans:assign": { userId, plan: "pro", reason: "a test" },
      "transfers:record": { transferId: 1, amount: "1", receipt: "1", reason },
      "transfers:send": { transferId: 1, receipt: "1", reason },
      "transfers:decide": { transferId: 1, step: "approve", reason },
      "transfers:importDeposits": { csv: "", apply: true, reason },
      "markets:setStatus": { market: "BTC-USD", status: "halted", reason },
      "markets:schedule": { market: "BTC-USD", seen: [], steps: [], reason },
      "catalogue:change": {
        entry: {
          kind: "coin",
          coin: { symbol: "TEA", name: "Tea", kind: "token", decimals: 2, shownDecimals: 2 },
        },
        seen: null,
        shown: ["coin TEA: new, Tea"],
        reason,
      },
    };
    const mutations = [...definitions].flatMap(([path, { kind }]) =>
      kind === "mutation" ? [path] : [],
    );
    const covered = Object.keys({ ...requests, ...requestsOfAdmins });
    expect(covered.toSorted(), "every mutation").toEqual(mutations.toSorted());

    const stateHash = async () => (await scene.services.exchange.stateHash()).hash;
    const before = await stateHash();
    const admin = scene.as("admin-olga");
    for (const [caller, asked] of [
      [anna, requests],
      [admin, requestsOfAdmins],
    ] as const) {
      for (const [path, args] of Object.entries(asked)) {
        expect(refusal(await caller.mutate(path, { ...args, ...late })), path).toEqual({
          code: "requestExpired",
          field: "validUntil",
          message: "This request arrived too late: nothing was placed or changed. Try again.",
        });
      }
    }
    expect(await stateHash()).toBe(before);
    expect(anna.value<Order[]>("orders:open")).toEqual([order]);
  });

  test("cannot have one that is far away or is no time", async () => {
    const anna = await newTrader();
    const place = async (validUntil: unknown) =>
      refusal(await anna.mutate("orders:place", { ...limitBuy, validUntil }));
    expect(await place(Date.now() + 3_600_000)).toMatchObject({
      code: "invalidValidUntil",
      field: "validUntil",
    });
    for (const wrong of ["soon", -1, 0.5, 1e300]) {
      expect(await place(wrong)).toMatchObject({ code: "invalidArgument", field: "validUntil" });
    }
  });
});

describe("cancelling more orders than one command may", () => {
  const limitWork = async (ordersMax: number) => {
    const { rejected } = await scene.services.exchange.submit({
      type: "limitWork",
      ordersMax,
      levelsMax: 4096,
    });
    expect(rejected).toBeUndefined();
  };
  afterEach(() => limitWork(128));

  test("answers when all have ended, and says how many", async () => {
    const anna = await newTrader();
    await limitWork(2);
    for (let orders = 0; orders < 5; orders++) await anna.done("orders:place", limitBuy);
    expect(await anna.done("orders:cancelAll", {}, "all of them")).toEqual({ cancelled: 5 });
    expect(anna.value<Order[]>("orders:open")).toEqual([]);
  });

  test("is finished by the same request sent again, and touches no order placed since", async () => {
    const anna = await newTrader();
    const userId = `person-${people}`;
    const { exchange, views } = scene.services;
    const account = views.accounts.ofUser(userId)?.account ?? 0;
    for (let orders = 0; orders < 5; orders++) await anna.done("orders:place", limitBuy);
    await limitWork(2);
    // The exchange stopped after the first of three commands: the client received no answer.
    const first = { type: "cancelAllOrders", account, marketId: 0 } as const;
    const { events } = await exchange.submit(first, `${userId}:cut off`);
    expect(events.at(-1)?.type).toBe("ordersLeftOpen");
    await anna.done("orders:place", { ...limitBuy, clientOrderId: "later" });
    const { cancelled } = await cancelAllOrders(
      exchange,
      { account, marketId: 0 },
      `${userId}:cut off`,
    );
    expect(cancelled).toBe(3);
    const open = anna.value<Order[]>("orders:open");
    expect(open.map(({ clientOrderId }) => clientOrderId)).toEqual(["later"]);
  });
});

describe("placing", () => {
  test("a limit order rests in the book and holds its cost until it is cancelled", async () => {
    const anna = await newTrader();
    const { order, fills } = await anna.done<PlaceOrderResult>("orders:place", {
      ...limitBuy,
      clientOrderId: "first",
    });
    expect(fills).toEqual([]);
    expect(order).toEqual({
      orderId: expect.stringMatching(/^\d+$/),
      clientOrderId: "first",
      market: "BTC-USD",
      side: "buy",
      type: "limit",
      timeInForce: "gtc",
      postOnly: false,
      price: "30000.00",
      quantity: "0.5000",
      quoteAmount: null,
      filledQuantity: "0.0000",
      filledQuote: "0.000000",
      averagePrice: null,
      status: "open",
      makerFeeBps: 20,
      takerFeeBps: 25,
      feeSource: "plan",
      placedAt: expect.any(Number),
      updatedAt: expect.any(Number),
    });
    expect(anna.value("orders:open")).toEqual([order]);
    expect(anna.value("orders:open", { market: "ETH-USD" })).toEqual([]);
    expect(usdOf(anna.value("accounts:balances"))).toEqual({
      coin: "USD",
      displayDecimals: 2,
      available: "85000.000000",
      held: "15000.000000",
      total: "100000.000000",
      value: "100000.000000",
    });

    const cancelled = await anna.done<Order>("orders:cancel", { orderId: order.orderId });
    expect(cancelled).toMatchObject({ orderId: order.orderId, status: "cancelled" });
    expect(anna.value("orders:open")).toEqual([]);
    expect(anna.value("orders:recent")).toEqual([cancelled]);
    expect(usdOf(anna.value("accounts:balances"))).toMatchObject({ held: "0.000000" });
    const again = await anna.mutate("orders:cancel", { orderId: order.orderId });
    expect(refusal(again)).toMatchObject({ code: "unknownOrder", field: "orderId" });
  });

  test("a market order fills at once and says what it cost to the last unit", async () => {
    const anna = await newTrader();
    await maker({ side: "sell", price: "40000", quantity: "0.1" });
    await maker({ side: "sell", price: "40000.01", quantity: "0.2" });
    const { order, fills } = await anna.done<PlaceOrderResult>("orders:place", {
      market: "BTC-USD",
      side: "buy",
      type: "market",
      quantity: "0.3",
    });
    expect(order).toMatchObject({
      status: "filled",
      timeInForce: "ioc",
      price: null,
      filledQuantity: "0.3000",
      filledQuote: "12000.002000",
      averagePrice: "40000.0067",
    });
    expect(fills).toMatchObject([
      {
        price: "40000.00",
        quantity: "0.1000",
        quoteAmount: "4000.000000",
        fee: "0.00025000",
        feeCoin: "BTC",
        feeBps: 25,
        role: "taker",
        orderId: order.orderId,
      },
      { price: "40000.01", quantity: "0.2000", quoteAmount: "8000.002000", fee: "0.00050000" },
    ]);
    expect(anna.value("fills:recent")).toEqual(fills.toReversed());
    const balances = anna.value<Balance[]>("accounts:balances");
    expect(usdOf(balances)?.total).toBe("87999.998000");
    expect(balances.find(({ coin }) => coin === "BTC")?.total).toBe("0.29925000");
  });

  test("a market order by quote amount spends no more than it says", async () => {
    const anna = await newTrader();
    await maker({ side: "sell", price: "41000", quantity: "1" });
    const { order } = await anna.done<PlaceOrderResult>("orders:place", {
      market: "BTC-USD",
      side: "buy",
      type: "market",
      quoteAmount: "1000.50",
    });
    expect(order).toMatchObject({ quantity: null, quoteAmount: "1000.500000" });
    expect(Number(order.filledQuote)).toBeLessThanOrEqual(1000.5);
    expect(order.filledQuantity).toBe("0.0244");
    expect(usdOf(anna.value("accounts:balances"))?.held).toBe("0.000000");
  });

  test("a client order id makes placing repeatable, but not for another order", async () => {
    const anna = await newTrader();
    const args = { ...limitBuy, clientOrderId: "only-once" };
    const first = await anna.done("orders:place", args);
    expect(await anna.done("orders:place", args)).toEqual(first);
    const other = await anna.mutate("orders:place", { ...args, price: "30001.00" });
    expect(refusal(other)).toMatchObject({
      code: "duplicateClientOrderId",
      field: "clientOrderId",
    });
    const bert = await newTrader();
    expect(await bert.done("orders:place", args)).not.toEqual(first);
    expect(anna.value("orders:open")).toHaveLength(1);
  });

  test("a repeated request answers with the first order as it is now", async () => {
    const anna = await newTrader();
    await maker({ side: "sell", price: "29000", quantity: "0.2" });
    const key = "anna's request 7";
    const first = await anna.done<PlaceOrderResult>("orders:place", limitBuy, key);
    expect(first.order).toMatchObject({ status: "partiallyFilled", filledQuantity: "0.2000" });
    expect(await anna.done("orders:place", limitBuy, key)).toEqual(first);
    const cancelled = await anna.done<Order>(
      "orders:cancel",
      { orderId: first.order.orderId },
      "cancel 1",
    );
    const repeated = await anna.done<PlaceOrderResult>("orders:place", limitBuy, key);
    expect(repeated).toEqual({ order: cancelled, fills: first.fills });
    expect(await anna.done("orders:cancel", { orderId: first.order.orderId }, "cancel 1")).toEqual(
      cancelled,
    );
    expect(anna.value("orders:recent")).toHaveLength(1);
  });

  test("a repeat is answered from history when the order has left memory", async () => {
    const anna = await newTrader();
    // Its limit of orders in ten seconds is above the number that the test places.
    const userId = `person-${people}`;
    await scene.as("admin").done("plans:assign", {
      userId,
      plan: "market-maker",
      reason: "a test",
    });
    await maker({ side: "sell", price: "28000", quantity: "0.2" });
    const args = { ...limitBuy, timeInForce: "ioc" };
    const first = await anna.done("orders:place", args, "long ago");
    for (let count = 0; count < 8; count += 1) {
      await Promise.all(
        Array.from({ length: 60 }, () =>
          anna.done("orders:place", { ...limitBuy, quantity: "0.001" }),
        ),
      );
      await anna.done("orders:cancelAll");
    }
    expect(anna.value<Order[]>("orders:recent")).toHaveLength(100);
    await scene.services.history.whenProjected();
    expect(await anna.done("orders:place", args, "long ago")).toEqual(first);
  });

  test("an answer has the newest 100 fills of an order, a repeat's from history too", async () => {
    const anna = await newTrader();
    for (let count = 0; count < 150; count += 1) {
      await maker({ side: "sell", price: "28000", quantity: "0.001" });
    }
    const args = { ...limitBuy, quantity: "0.15", clientOrderId: "swept" };
    const first = await anna.done<PlaceOrderResult>("orders:place", args);
    expect(first.order).toMatchObject({ status: "filled", filledQuantity: "0.1500" });
    const { items } = await anna.answer<Page<Fill>>("fills:history", { limit: 200 });
    expect(items).toHaveLength(150);
    expect(first.fills).toEqual(items.slice(0, 100).toReversed());
    expect(await anna.done("orders:place", args)).toEqual(first);
    for (let count = 0; count < 150; count += 1) {
      await maker({ side: "sell", price: "28000", quantity: "0.001" });
    }
    // The fills of another order replace the first one's in memory.
    await anna.done("orders:place", { ...limitBuy, quantity: "0.15" });
    await scene.services.history.whenProjected();
    expect(await anna.done("orders:place", args)).toEqual(first);
    const { orderId, tradeId } = items[149];
    const proof = await anna.answer<FillProof>("fills:record", { orderId, tradeId });
    expect(proof.fill).toEqual(items[149]);
  });
});

test("cancel-all ends every open order, or those of one market, and repeats its answer", async () => {
  const anna = await newTrader();
  await anna.done("orders:place", limitBuy);
  await anna.done("orders:place", limitBuy);
  const doge = { ...limitBuy, market: "DOGE-USD", price: "0.10000", quantity: "100" };
  await anna.done("orders:place", doge);
  expect(await anna.done("orders:cancelAll", { market: "DOGE-USD" })).toEqual({ cancelled: 1 });
  expect(await anna.done("orders:cancelAll", {}, "all")).toEqual({ cancelled: 2 });
  expect(await anna.done("orders:cancelAll", {}, "all")).toEqual({ cancelled: 2 });
  expect(await anna.done("orders:cancelAll")).toEqual({ cancelled: 0 });
  expect(await scene.as("newcomer").done("orders:cancelAll")).toEqual({ cancelled: 0 });
});

test("history pages through what has been, newest first", async () => {
  const anna = await newTrader();
  await maker({ side: "sell", price: "27000", quantity: "0.005" });
  for (let count = 0; count < 5; count += 1) {
    await anna.done("orders:place", { ...limitBuy, quantity: "0.001" });
  }
  await anna.done("orders:place", limitBuy);
  await scene.services.history.whenProjected();
  const fills = await anna.answer<Page<Fill>>("fills:history", { market: "BTC-USD" });
  expect(fills.items).toEqual(anna.value("fills:recent"));
  expect(fills.items).toHaveLength(5);
  expect(refusal(await anna.act("fills:history", { cursor: "rubbish" }))).toMatchObject({
    code: "invalidArgument",
    field: "cursor",
  });
});

test("orders by side and kind, and fills by side, are filtered page by page", async () => {
  const anna = await newTrader();
  await maker({ side: "sell", price: "27000", quantity: "0.001" });
  await anna.done("orders:place", { ...limitBuy, quantity: "0.001" });
  const stop = { market: "BTC-USD", side: "buy", type: "market", quantity: "0.01" };
  for (let count = 0; count < 3; count += 1) {
    await anna.done("orders:place", { ...stop, trigger: { type: "stop", price: "90000.00" } });
    await anna.done("orders:place", { ...limitBuy, price: "20000.00" });
  }
  await anna.done("orders:place", { ...limitBuy, price: "20000.00", display: "0.1" });
  const sell = { market: "BTC-USD", side: "sell", type: "limit", quantity: "0.0005" };
  await anna.done("orders:place", { ...sell, price: "90000.00" });
  await scene.services.history.whenProjected();

  const stops = { kind: "stop", market: "BTC-USD" };
  const pageOf = (filter: object, cursor: string | null, numItems = 100) =>
    anna.value<PaginatedPage<Order>>("orders:list", {
      ...filter,
      paginationOpts: { numItems, cursor },
    });
  const first = pageOf(stops, null, 2);
  const second = pageOf(stops, first.continueCursor, 2);
  expect([first.isDone, second.isDone]).toEqual([false, true]);
  expect([...first.page, ...second.page]).toEqual(pageOf(stops, null).page);
  for (const [filter, count] of [
    [stops, 3],
    [{ kind: "limit" }, 5],
    [{ kind: "iceberg" }, 1],
    [{ kind: "market" }, 0],
    [{ side: "sell" }, 1],
    [{ side: "sell", kind: "stop" }, 0],
  ] as const) {
    expect(pageOf(filter, null).page, JSON.stringify(filter)).toHaveLength(count);
  }
  for (const path of ["fills:recent", "fills:history"]) {
    const read = async (side: string) => {
      const answer =
        path === "fills:recent"
          ? { items: anna.value<Fill[]>(path, { side }) }
          : await anna.answer<Page<Fill>>(path, { side });
      return answer.items.length;
    };
    expect([await read("buy"), await read("sell")], path).toEqual([1, 0]);
  }
});

test("a user neither sees nor cancels what belongs to another", async () => {
  const anna = await newTrader();
  const bert = await newTrader();
  const { order } = await anna.done<PlaceOrderResult>("orders:place", limitBuy);
  for (const path of ["orders:open", "orders:recent", "fills:recent"]) {
    expect(bert.value(path)).toEqual([]);
  }
  expect(JSON.stringify(bert.value("activity:recent"))).not.toContain("0.5 BTC");
  const paginationOpts = { numItems: 10, cursor: null };
  expect(bert.value("orders:list", { paginationOpts })).toMatchObject({ page: [] });
  const stolen = await bert.mutate("orders:cancel", { orderId: order.orderId });
  expect(refusal(stolen)).toMatchObject({ code: "unknownOrder" });
  expect(anna.value("orders:open")).toEqual([order]);
});

describe("bad input is refused naming field and reason, and changes nothing", () => {
  const marketBuy = { market: "BTC-USD", side: "buy", type: "market" };
  const long = "9".repeat(10_000);
  const badOrders: [object, string, RegExp][] = [
    [{ ...limitBuy, price: "30000.001" }, "price", /^price must be a multiple of 0\.01\.$/],
    [{ ...limitBuy, price: "0" }, "price", /more than 0/],
    [{ ...limitBuy, price: "-5" }, "price", /more than 0/],
    [{ ...limitBuy, price: "NaN" }, "price", /is not a number/],
    [{ ...limitBuy, price: "Infinity" }, "price", /is not a number/],
    [{ ...limitBuy, price: "1e5" }, "price", /is not a number/],
    [{ ...limitBuy, price: "0x10" }, "price", /is not a number/],
    [{ ...limitBuy, price: " 1" }, "price", /is not a number/],
    [{ ...limitBuy, price: "" }, "price", /must not be empty/],
    [{ ...limitBuy, price: long }, "price", /too long/],
    [{ ...limitBuy, price: "99999999999999999999" }, "price", /too large/],
    [{ ...limitBuy, price: 30_000 }, "price", /must be a text/],
    [{ ...limitBuy, price: null }, "price", /must be a text/],
    [{ ...limitBuy, price: {} }, "price", /must be a text/],
    [{ ...limitBuy, price: undefined }, "price", /required for a limit order/],
    [{ ...limitBuy, quantity: "0.00001" }, "quantity", /multiple of 0\.0001/],
    [{ ...limitBuy, quantity: "-1" }, "quantity", /more than 0/],
    [{ ...limitBuy, quantity: undefined }, "quantity", /required/],
    [{ ...limitBuy, quantity: "0.0001", price: "1" }, "quantity", /at least 1 USD/],
    [{ ...limitBuy, quantity: "80.0001" }, "quantity", /at most 80 BTC/],
    [{ ...limitBuy, quantity: "4" }, "quantity", /enough USD available/],
    [{ ...limitBuy, side: "sell" }, "quantity", /enough BTC available/],
    [{ ...limitBuy, quoteAmount: "5" }, "quoteAmount", /is for market orders/],
    [{ ...limitBuy, market: "BTC-EUR" }, "market", /no market "BTC-EUR"/],
    [{ ...limitBuy, market: undefined }, "market", /is required/],
    [{ ...limitBuy, side: "hold" }, "side", /one of buy, sell/],
    [{ ...limitBuy, type: "stop" }, "type", /one of limit, market/],
    [{ ...limitBuy, timeInForce: "day" }, "timeInForce", /one of gtc, ioc, fok/],
    [{ ...limitBuy, timeInForce: "ioc", postOnly: true }, "timeInForce", /cannot have/],
    [{ ...limitBuy, timeInForce: "fok", price: "1000" }, "timeInForce", /fill at once/],
    [{ ...limitBuy, price: "60000", postOnly: true }, "price", /post-only/],
    [{ ...limitBuy, postOnly: "yes" }, "postOnly", /true or false/],
    [{ ...limitBuy, clientOrderId: "a b" }, "clientOrderId", /letters, digits/],
    [{ ...limitBuy, clientOrderId: "x".repeat(37) }, "clientOrderId", /at most 36/],
    [{ ...limitBuy, account: 16 }, "account", /not an argument/],
    [{ ...limitBuy, [long]: 1 }, "9".repeat(60), /not an argument/],
    [marketBuy, "quantity", /quantity or quoteAmount is required/],
    [{ ...marketBuy, quantity: "1", quoteAmount: "1" }, "quoteAmount", /cannot be combined/],
    [{ ...marketBuy, quantity: "1", price: "1" }, "price", /for limit orders/],
    [{ ...marketBuy, quantity: "1", postOnly: true }, "postOnly", /never waits/],
    [{ ...marketBuy, quantity: "1", timeInForce: "gtc" }, "timeInForce", /cannot have/],
    [{ ...marketBuy, quoteAmount: "0.0000001" }, "quoteAmount", /multiple of 0\.000001/],
    [{ ...marketBuy, quoteAmount: "0.5" }, "quoteAmount", /at least 1 USD/],
    [{ ...marketBuy, quoteAmount: "500000" }, "quoteAmount", /enough USD available/],
    [{ ...marketBuy, market: "ETH-USD", quantity: "1" }, "market", /limit order/],
  ];
  // Some arguments are thousands of characters long: the name shows their beginning.
  const named = badOrders.map(
    ([args, field, message]) => [JSON.stringify(args).slice(0, 120), args, field, message] as const,
  );
  test.each(named)("%s", async (_name, args, field, message) => {
    await maker({ side: "sell", price: "60000", quantity: "0.0001" });
    const anna = await newTrader();
    const { data, ...result } = (await anna.mutate("orders:place", args)) as { data: object };
    expect(data).toEqual({
      code: expect.any(String),
      field,
      message: expect.stringMatching(message),
    });
    expect(JSON.stringify(result).length).toBeLessThan(400);
    expect(anna.value("orders:recent")).toEqual([]);
    expect(usdOf(anna.value("accounts:balances"))?.available).toBe("100000.000000");
  });

  test.each([[null], [[]], ["text"], [7], [[limitBuy]]])("arguments %j", async (args) => {
    const result = await scene.as("anna").mutate("orders:place", args);
    expect(refusal(result)).toEqual({
      code: "invalidArgument",
      message: "The arguments must be one object.",
    });
  });

  test.each([[7], ["0"], ["-1"], ["1.5"], ["1e3"], ["x"], ["9".repeat(17)], [null], [undefined]])(
    "cancelling order %j",
    async (orderId) => {
      const result = await scene.as("anna").mutate("orders:cancel", { orderId });
      expect(refusal(result)).toMatchObject({ code: "invalidArgument", field: "orderId" });
    },
  );
});
