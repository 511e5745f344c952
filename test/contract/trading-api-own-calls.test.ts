/** What Openbell has and other exchanges of this interface lack, as programs use it. */
import { expect, test, vi } from "vitest";
import { functions } from "#contract/functions.ts";
import { exchangeStarter, type TestExchange } from "./accounts-exchange.ts";
import { describeOnSqlite } from "./databases.ts";
import { ask, newKey, type Program, programOf } from "./trading-programs.ts";

// Whole servers: on a busy machine they take their time.
vi.setConfig({ testTimeout: 120_000 });
const POLL = { timeout: 60_000 };

const SETTINGS = { PRACTICE_FUNDS: "USD:100000,BTC:1" };
const OWN = "/api/v3/openbell";
const LIMIT = {
  symbol: "BTCUSD",
  side: "SELL",
  type: "LIMIT",
  timeInForce: "GTD",
  price: "64000.00",
  quantity: "0.01",
};
const DAY_MS = 86_400_000;
type Texts = Readonly<Record<string, string>>;
type Key = Pick<Program, "apiKey" | "secret">;

describeOnSqlite("the exchange's own calls", (openDatabase) => {
  const start = exchangeStarter(openDatabase);

  async function open() {
    const exchange = await start(SETTINGS);
    const program = await programOf(exchange, "ada@example.com");
    const call = (method: string, path: string, parameters: Texts = {}, by: Key = program) =>
      ask(exchange, by, method, path, parameters);
    const openOrders = async () =>
      (await call("GET", "/api/v3/openOrders")).body as unknown as { symbol: string }[];
    return { exchange, program, call, openOrders };
  }

  const inMs = (ms: number) => ({ goodTillDate: String(Date.now() + ms) });

  test("an order with an end is placed, read with it, and ends by itself", async () => {
    const { call, openOrders } = await open();
    const dated = (more: Texts) => call("POST", `${OWN}/order`, { ...LIMIT, ...more });
    const end = inMs(DAY_MS);
    const placed = await dated({ ...end, newOrderRespType: "RESULT" });
    expect(placed).toMatchObject({
      status: 200,
      body: { status: "NEW", timeInForce: "GTC", goodTillDate: Number(end.goodTillDate) },
    });
    const resting = { type: "LIMIT_MAKER", timeInForce: "", ...inMs(DAY_MS) };
    const { timeInForce: _, ...maker } = { ...LIMIT, ...resting };
    expect((await call("POST", `${OWN}/order`, maker)).status).toBe(200);
    const waiting = { type: "TAKE_PROFIT_LIMIT", stopPrice: "70000.00", price: "70001.00" };
    // A market that has not traded has no price for which an order could wait.
    expect((await dated({ ...waiting, ...end })).body).toMatchObject({ code: -2010 });
    expect(await openOrders()).toHaveLength(2);
    const soon = await dated({ ...inMs(1_500), newClientOrderId: "soon" });
    expect(soon.status).toBe(200);
    const name = { symbol: "BTCUSD", origClientOrderId: "soon" };
    const statusOf = async () => (await call("GET", "/api/v3/order", name)).body.status;
    await expect.poll(statusOf, POLL).toBe("EXPIRED");
    expect(await openOrders()).toHaveLength(2);
  });

  test("an end that does not fit is refused by its name, and nothing is placed", async () => {
    const { call, openOrders } = await open();
    const refused = async (terms: Texts) => {
      const { body, status } = await call("POST", `${OWN}/order`, terms);
      return [status, body.code, body.msg];
    };
    const { timeInForce: _, ...untimed } = LIMIT;
    const end = inMs(DAY_MS);
    const unwanted = [400, -1106, "Parameter 'goodTillDate' sent when not required."];
    expect(await refused({ ...LIMIT })).toEqual([
      400,
      -1102,
      "Mandatory parameter 'goodTillDate' was not sent, was empty/null, or malformed.",
    ]);
    for (const timeInForce of ["GTC", "IOC", "FOK"]) {
      expect(await refused({ ...LIMIT, ...end, timeInForce })).toEqual(unwanted);
    }
    expect(await refused({ ...untimed, ...end })).toEqual(unwanted);
    const market = { symbol: "BTCUSD", side: "SELL", type: "MARKET", quantity: "0.01" };
    expect(await refused({ ...market, ...end })).toEqual(unwanted);
    expect(await refused({ ...market, ...end, timeInForce: "GTD" })).toEqual([
      400,
      -1106,
      "Parameter 'timeInForce' sent when not required.",
    ]);
    const past = await refused({ ...LIMIT, ...inMs(-1_000) });
    expect(past.slice(0, 2)).toEqual([400, -2010]);
    expect((await refused({ ...LIMIT, ...inMs(367 * DAY_MS) })).slice(0, 2)).toEqual([400, -2010]);
    // The interface of Binance has no such terms.
    const elsewhere = await call("POST", "/api/v3/order", { ...LIMIT, ...end });
    expect(elsewhere.body).toMatchObject({ code: -1101 });
    expect(await openOrders()).toEqual([]);
  });

  async function restingIn(
    { call }: Awaited<ReturnType<typeof open>>,
    symbols: readonly string[],
  ): Promise<void> {
    for (const symbol of symbols) {
      const terms = { ...LIMIT, symbol, side: "BUY", timeInForce: "GTC", price: "1000.00" };
      expect((await call("POST", "/api/v3/order", terms)).status).toBe(200);
    }
  }

  test("a program that falls silent leaves no orders, and one that reports keeps them", async () => {
    const opened = await open();
    const { call, openOrders } = opened;
    await restingIn(opened, ["BTCUSD", "ETHUSD"]);
    const set = (parameters: Texts) => call("POST", `${OWN}/cancelAllAfter`, parameters);
    const armed = await set({ countdownTime: "86400000" });
    expect(armed.body).toEqual({
      symbol: null,
      countdownTime: 86_400_000,
      cancelsAt: expect.any(Number) as number,
    });
    const ended = { symbol: null, countdownTime: 0, cancelsAt: null };
    expect((await set({ countdownTime: "0" })).body).toEqual(ended);
    expect((await set({ countdownTime: "0" })).body).toEqual(ended);
    const ofMarket = await set({ symbol: "BTCUSD", countdownTime: "1000" });
    expect(ofMarket.body).toMatchObject({ symbol: "BTCUSD", countdownTime: 1_000 });
    await expect.poll(openOrders, POLL).toMatchObject([{ symbol: "ETHUSD" }]);
    // Sent again before its end it starts again: the later one counts.
    await set({ countdownTime: "1000" });
    await set({ countdownTime: "3600000" });
    await restingIn(opened, ["BTCUSD"]);
    await new Promise((done) => setTimeout(done, 1_500));
    expect(await openOrders()).toHaveLength(2);
    await set({ countdownTime: "1000" });
    await expect.poll(openOrders, POLL).toEqual([]);
  });

  test("the timer goes off after a restart, too", async () => {
    const opened = await open();
    await restingIn(opened, ["BTCUSD"]);
    await opened.call("POST", `${OWN}/cancelAllAfter`, { countdownTime: "2000" });
    await opened.exchange.stop();
    const after = await start(SETTINGS, opened.exchange);
    const { program } = opened;
    const openAfter = async () => (await ask(after, program, "GET", "/api/v3/openOrders")).body;
    await expect.poll(openAfter, POLL).toEqual([]);
  });

  test("a countdown is refused at its bounds, and a key that only reads sets none", async () => {
    const { call, exchange, program } = await open();
    const codeOf = async (countdownTime: string, by: Key = program) => {
      const { body } = await call("POST", `${OWN}/cancelAllAfter`, { countdownTime }, by);
      return body.code;
    };
    for (const wrong of ["1", "999", "86400001", "-1"]) expect(await codeOf(wrong)).toBe(-1130);
    expect(await codeOf("soon")).toBe(-1100);
    for (const good of ["1000", "86400000", "0"]) expect(await codeOf(good)).toBeUndefined();
    const reader = await newKey(exchange, program.trader, ["read"]);
    expect(await codeOf("1000", reader)).toBe(-2015);
    const none = await call("POST", `${OWN}/cancelAllAfter`, {
      symbol: "NONE",
      countdownTime: "0",
    });
    expect(none.body).toMatchObject({ code: -1121 });
  });

  test("plans are told to everyone with their limits, and the caller's own with theirs", async () => {
    const { call, exchange, program } = await open();
    const plans = await readPlans(exchange);
    expect(plans).toEqual(await program.trader.http.query(functions.plans.list, {}));
    const mine = await call("GET", `${OWN}/plan`);
    const free = plans.find(({ slug }) => slug === "free");
    expect(mine.body).toMatchObject({ plan: "free", limits: limitsIn(free) });
    await program.trader.http.mutation(functions.plans.choose, { plan: "pro" });
    const pro = plans.find(({ slug }) => slug === "pro");
    expect((await call("GET", `${OWN}/plan`)).body).toMatchObject({ limits: limitsIn(pro) });
  });
});

async function readPlans({ url }: TestExchange) {
  const answer = await fetch(`${url}${OWN}/plans`);
  return (await answer.json()) as Record<string, unknown>[];
}

function limitsIn(plan: Record<string, unknown> | undefined): Record<string, unknown> {
  const names = [
    "ordersPerTenSeconds",
    "ordersPerDay",
    "requestWeightPerMinute",
    "apiKeysMax",
    "connectionsMax",
    "userDataStreamsMax",
  ];
  return Object.fromEntries(names.map((name) => [name, plan?.[name]]));
}
