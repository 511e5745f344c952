/** The programs of `examples/bots`, unchanged, against real exchanges. */
import { afterAll, afterEach, beforeAll, describe, expect, test, vi } from "vitest";
import {
  endExamplePrograms,
  type ExampleProgram,
  startExample,
} from "../support/example-program.ts";
import { type RunningServer, startServerProcess } from "../support/running-server.ts";
import { exchangeStarter } from "./accounts-exchange.ts";
import { describeOnSqlite } from "./databases.ts";
import { ask, newProgram, type Program, programOf } from "./trading-programs.ts";

// Whole servers and programs: on a busy machine they take their time.
vi.setConfig({ testTimeout: 240_000 });
afterEach(endExamplePrograms);

const LONG = { timeout: 120_000, interval: 200 };

/** Waits until what the program has printed contains the text. */
async function expectOutput(program: ExampleProgram, text: RegExp): Promise<void> {
  await expect.poll(() => program.output(), LONG).toMatch(text);
}

describeOnSqlite("the market maker", (openDatabase) => {
  const start = exchangeStarter(openDatabase);

  test("quotes both sides, leans against what it has sold, and ends without orders", async () => {
    const exchange = await start({ PRACTICE_FUNDS: "USD:100000,BTC:1" });
    const maker = await programOf(exchange, "maker@example.com");
    const taker = await programOf(exchange, "taker@example.com");
    const openOrders = async ({ client }: Program) => {
      const orders = await client.fetchOpenOrders("BTC/USD");
      return orders.map(({ amount, price, side }) => `${side} ${amount} at ${price}`).sort();
    };
    const bot = startExample("market-maker", {
      OPENBELL_URL: exchange.url,
      OPENBELL_API_KEY: maker.apiKey,
      OPENBELL_SECRET: maker.secret,
      QUANTITY: "0.1",
      SPREAD_BPS: "100",
      PRICE: "60000",
    });
    const first = ["buy 0.1 at 59700", "sell 0.1 at 60300"];
    await expect.poll(() => openOrders(maker), LONG).toEqual(first);
    await taker.client.createOrder("BTC/USD", "market", "buy", 0.1);
    // The last price is 60 300 now; it has sold one order's worth, so it asks for a fifth of the spread more.
    const middle = 60_300 * 1.002;
    const rounded = (price: number) => Math.round(price * 100) / 100;
    const second = [
      `buy 0.1 at ${rounded(middle * 0.995)}`,
      `sell 0.1 at ${rounded(middle * 1.005)}`,
    ];
    await expect.poll(() => openOrders(maker), LONG).toEqual(second);
    expect(await bot.stop()).toBe(0);
    await expectOutput(bot, /no orders left/);
    expect(await openOrders(maker)).toEqual([]);
    const { body } = await ask(exchange, maker, "GET", "/api/v3/account");
    const balances = body.balances as { asset: string; free: string; locked: string }[];
    expect(balances.find(({ asset }) => asset === "BTC")).toEqual({
      asset: "BTC",
      free: "0.90000000",
      locked: "0.00000000",
    });
    expect(balances.find(({ asset }) => asset === "USD")).toEqual({
      asset: "USD",
      // 0.1 at 60 300, less the fee of 20 hundredths of a percent.
      free: "106017.940000",
      locked: "0.000000",
    });
  });

  test("ends at once with a key that the exchange refuses", async () => {
    const exchange = await start({});
    const bot = startExample("market-maker", {
      OPENBELL_URL: exchange.url,
      OPENBELL_API_KEY: "a".repeat(64),
      OPENBELL_SECRET: "b",
    });
    expect(await bot.ended).toBe(1);
    expect(bot.output()).toContain("AuthenticationError");
  });
});

describe("the recorder", () => {
  let server: RunningServer;
  beforeAll(async () => {
    server = await startServerProcess({ AUTH_RATE_LIMIT: "off" });
  });
  afterAll(() => server?.remove());

  test("keeps a book that equals the exchange's, level by level", async () => {
    const recorder = startExample("recorder", { OPENBELL_URL: server.url });
    await expectOutput(recorder, /verified at \d+/);
    expect(await recorder.stop()).toBe(0);
    expect(recorder.output()).toMatch(/"wrong":0,"begunAnew":0/);
  });

  test("starts again after a gap in its stream, and is never wrong", async () => {
    const program = await newProgram(server.url, "recorder@example.com");
    const faults = { depthGapPercent: "10", seed: "3" };
    await ask(server, program, "PUT", "/api/v3/openbell/faults", faults);
    const recorder = startExample("recorder", {
      OPENBELL_URL: server.url,
      OPENBELL_API_KEY: program.apiKey,
      OPENBELL_SECRET: program.secret,
    });
    await expectOutput(recorder, /begins anew/);
    // What it has recorded since is verified once its stream is whole again.
    await ask(server, program, "DELETE", "/api/v3/openbell/faults");
    const already = recorder.output().length;
    await expect.poll(() => recorder.output().slice(already), LONG).toMatch(/verified at \d+/);
    expect(await recorder.stop()).toBe(0);
    expect(recorder.output()).toMatch(/"wrong":0,"begunAnew":[1-9]/);
  });
});
