/** How much a plan lets the programs of a user use, at the edge of each limit. */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, expect, test, vi } from "vitest";
import { functions } from "#contract/functions.ts";
import { exchangeStarter, type TestExchange } from "./accounts-exchange.ts";
import { RecordedSocket } from "./answer-recording.ts";
import { describeOnSqlite } from "./databases.ts";
import { signed } from "./signed-params.ts";
import { ask, newKey, type Program, programOf } from "./trading-programs.ts";

// Whole servers: on a busy machine they take their time.
vi.setConfig({ testTimeout: 120_000 });
const POLL = { timeout: 60_000 };

/** Of every plan that begins with the standard values. */
const SMALL = {
  ordersPerTenSeconds: 5,
  requestWeightPerMinute: 200,
  apiKeysMax: 2,
  connectionsMax: 2,
  userDataStreamsMax: 2,
};
const ADDRESS_WEIGHT = 100;
const MARKET = { symbol: "BTCUSD" };

let folder: string | undefined;
const sockets: RecordedSocket[] = [];
afterEach(() => {
  for (const socket of sockets.splice(0)) socket.close();
  if (folder !== undefined) rmSync(folder, { recursive: true, force: true });
  folder = undefined;
});

/** The default catalogue, whose first plan has small limits. */
function smallCatalogue(): string {
  folder = mkdtempSync(join(tmpdir(), "openbell-limits-"));
  const path = join(folder, "catalogue.yaml");
  const text = readFileSync("catalogues/simulated.yaml", "utf8");
  const small = Object.entries(SMALL).reduce(
    // The first of each name is that of the first plan.
    (catalogue, [name, limit]) =>
      catalogue.replace(new RegExp(`${name}: \\d+`), `${name}: ${limit}`),
    text,
  );
  writeFileSync(path, small);
  return path;
}

describeOnSqlite("the limits of a plan", (openDatabase) => {
  const start = exchangeStarter(openDatabase);

  async function open() {
    const exchange = await start({
      CATALOGUE: smallCatalogue(),
      PRACTICE_FUNDS: "USD:100000,BTC:1",
      TRADING_API_WEIGHT: String(ADDRESS_WEIGHT),
    });
    const program = await programOf(exchange, "ada@example.com");
    return { exchange, program };
  }

  const usedIn = (headers: Headers) => Number(headers.get("x-mbx-used-weight-1m"));
  const ping = async ({ url }: TestExchange) => fetch(`${url}/api/v3/ping`);

  test("signed requests take from the user's weight, over all keys, and leave the address its own", async () => {
    const { exchange, program } = await open();
    const second = await newKey(exchange, program.trader);
    // Of weight 40: five of them are the whole allowance, unless the clock's minute ends within.
    const read = (key: Pick<Program, "apiKey" | "secret">) =>
      ask(exchange, key, "GET", "/api/v3/myFilters", MARKET);
    const answers = [];
    for (let count = 0; answers.at(-1)?.status !== 429; count += 1) {
      answers.push(await read(count % 2 === 0 ? program : second));
    }
    const accepted = answers.slice(0, -1);
    expect(new Set(accepted.map(({ status }) => status))).toEqual(new Set([200]));
    expect(accepted.length).toBeGreaterThanOrEqual(5);
    expect(accepted.length).toBeLessThanOrEqual(10);
    expect(Math.max(...accepted.map(({ headers }) => usedIn(headers)))).toBe(200);
    const refused = answers.at(-1);
    expect(refused?.body).toMatchObject({
      code: -1003,
      msg: expect.stringContaining("current limit is 200 request weight") as string,
    });
    expect(Number(refused?.headers.get("retry-after"))).toBeGreaterThan(0);
    // Of the address only what was refused, and what is not signed.
    const pinged = await ping(exchange);
    expect(pinged.status).toBe(200);
    expect(usedIn(pinged.headers)).toBeLessThanOrEqual(2);
    const { trader } = program;
    await trader.http.mutation(functions.plans.choose, { plan: "pro" });
    const later = await read(program);
    expect([later.status, usedIn(later.headers) > 200]).toEqual([200, true]);
  });

  test("a user who does not listen is shut out with every key, but cancels, and no one else at the address", async () => {
    const { exchange, program } = await open();
    const other = await programOf(exchange, "eve@example.com");
    const statuses: number[] = [];
    while (!statuses.includes(418)) {
      const { status } = await ask(exchange, program, "GET", "/api/v3/myFilters", MARKET);
      statuses.push(status);
    }
    expect(new Set(statuses)).toEqual(new Set([200, 429, 418]));
    expect(statuses.filter((status) => status === 429).length).toBeGreaterThanOrEqual(20);
    const second = await newKey(exchange, program.trader);
    const shut = await ask(exchange, second, "GET", "/api/v3/openOrders", MARKET);
    expect([shut.status, shut.body.code]).toEqual([418, -1003]);
    const cancelled = await ask(exchange, second, "DELETE", "/api/v3/openOrders", MARKET);
    expect([cancelled.status, cancelled.body.code]).toEqual([400, -2011]);
    expect((await ask(exchange, other, "GET", "/api/v3/openOrders", MARKET)).status).toBe(200);
  });

  test("a wrong signature is the address's, whose keys it names", async () => {
    const { exchange, program } = await open();
    const stranger = { apiKey: program.apiKey, secret: "another secret" };
    const answers = [];
    // The minute may roll over in the meantime, which resets the allowance.
    while (answers.at(-1)?.status !== 429) {
      answers.push(await ask(exchange, stranger, "GET", "/api/v3/myFilters", MARKET));
    }
    expect(answers.at(-1)?.body).toMatchObject({
      code: -1003,
      msg: expect.stringContaining(`current limit is ${ADDRESS_WEIGHT} `) as string,
    });
    expect(answers.length).toBeGreaterThan(ADDRESS_WEIGHT);
  });

  test("orders, keys and their refusals have the plan's numbers", async () => {
    const { exchange, program } = await open();
    const order = { ...MARKET, side: "BUY", type: "LIMIT", timeInForce: "GTC", quantity: "0.01" };
    const place = (newClientOrderId: string) => {
      const terms = { ...order, price: "1000", newClientOrderId };
      return ask(exchange, program, "POST", "/api/v3/order", terms);
    };
    const placed = await Promise.all(["a", "b", "c", "d", "e", "f", "g", "h"].map(place));
    const refused = placed.find(({ status }) => status === 429);
    expect(placed.filter(({ status }) => status === 200).length).toBeGreaterThanOrEqual(5);
    expect(refused?.body).toMatchObject({
      code: -1015,
      msg: expect.stringContaining("your plan (Free) allows 5 orders in 10 seconds") as string,
    });
    const info = (await (await fetch(`${exchange.url}/api/v3/exchangeInfo`)).json()) as {
      rateLimits: { rateLimitType: string; limit: number }[];
    };
    expect(info.rateLimits.map(({ limit }) => limit)).toEqual([ADDRESS_WEIGHT, 5, 50_000]);
    const { trader } = program;
    await newKey(exchange, trader);
    await expect(newKey(exchange, trader)).rejects.toMatchObject({
      data: {
        code: "limitReached",
        message: "Your plan (Free) allows 2 API keys; revoke one first.",
      },
    });
    await trader.http.mutation(functions.plans.choose, { plan: "pro" });
    await newKey(exchange, trader);
    const list = () => trader.http.query(functions.apiKeys.list, {});
    await expect.poll(async () => (await list())?.keysMax, POLL).toBe(100);
  });

  test("a user's connections and subscriptions are counted over all keys, and free when they end", async () => {
    const { exchange, program } = await open();
    const second = await newKey(exchange, program.trader);
    const connect = async () => {
      const socket = await new RecordedSocket(exchange, "/ws-api/v3").opened();
      sockets.push(socket);
      return socket;
    };
    const asked = async (socket: RecordedSocket, method: string, params: object) => {
      const id = socket.ask(method, { ...params });
      await expect.poll(() => socket.answerTo(id), POLL).toBeDefined();
      return socket.answerTo(id);
    };
    const subscribe = (socket: RecordedSocket, key: Pick<Program, "apiKey" | "secret">) =>
      asked(socket, "userDataStream.subscribe.signature", signed(key));
    const [one, two, three] = [await connect(), await connect(), await connect()];
    expect(await subscribe(one, program)).toMatchObject({ status: 200 });
    expect(await subscribe(two, second)).toMatchObject({ status: 200 });
    expect(await subscribe(one, program)).toMatchObject({
      status: 429,
      error: { code: -1034, msg: "Too many subscriptions of user data; current limit is '2'." },
    });
    const tooMany = {
      status: 429,
      error: { code: -1034, msg: "Too many concurrent connections; current limit is '2'." },
    };
    expect(await asked(three, "account.status", signed(program))).toMatchObject(tooMany);
    // It may do what needs no key.
    expect(await asked(three, "ping", {})).toMatchObject({ status: 200 });
    await asked(one, "userDataStream.unsubscribe", {});
    expect(await subscribe(two, second)).toMatchObject({ status: 200 });
    expect(await asked(three, "account.status", signed(program))).toMatchObject(tooMany);
    one.close();
    const status = async () => (await asked(three, "account.status", signed(program)))?.status;
    await expect.poll(status, POLL).toBe(200);
  });
});
