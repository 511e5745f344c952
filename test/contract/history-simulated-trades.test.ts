/** Old trades of the simulation leave the tables, and nothing that a person can ask for changes. */
import { afterEach, expect, test } from "vitest";
import type { Database } from "#server/database/open-database.ts";
import { type History, openHistory } from "#server/history/history.ts";
import { readProgress } from "#server/history/progress.ts";
import { readTicksBefore, readTradeIdFrom } from "#server/history/readers/trade-reader.ts";
import { SimulatedTrades } from "#server/history/simulated-trades.ts";
import { createSilentLog } from "#server/log.ts";
import { describeEachDatabase } from "./databases.ts";
import { dumpHistory } from "./dump-history.ts";
import {
  ANNA,
  BERT,
  BTC_USD,
  ETH_USD,
  ExchangeScript,
  randomOf,
  ROBOT,
} from "./exchange-events.ts";
import { simulatedCandles } from "./stand-in-candles.ts";
import { rebuildHistory } from "#server/history/rebuild-history.ts";

const HOUR = 60 * 60_000;
const KEPT_MS = 24 * HOUR;
const MARKETS = [BTC_USD, ETH_USD];
const log = createSilentLog();
const histories: History[] = [];

/** Two people now and then among the trades of a robot, over some days. */
function course(seed: number, commands: number): ExchangeScript {
  const script = new ExchangeScript().begin();
  const random = randomOf(seed);
  for (let command = 0; command < commands; command += 1) {
    script.timeMs += random(2 * HOUR);
    const market = MARKETS[random(2)];
    const [maker, taker] = random(8) === 0 ? [ANNA, BERT] : [ROBOT, random(9) === 0 ? ANNA : ROBOT];
    const orders = Array.from({ length: 1 + random(3) }, () =>
      script.rest(maker, market, "sell", 900 + random(200), 1 + random(5)),
    );
    script.take(taker, orders, 1 + random(20));
    for (const orderId of orders) if (script.open.has(orderId)) script.cancel(orderId);
    if (random(12) === 0) script.takeFunds(BERT, 1_000);
    if (random(15) === 0) script.next({ type: "planAssigned", account: ANNA, planId: 2 });
  }
  return script;
}

async function write(database: Database, { events }: ExchangeScript): Promise<void> {
  await rebuildHistory({ database, events: [events], simulatedCandles, log });
}

/** A whole pass, in steps of a few rows. */
async function removeOld(database: Database, rowsPerStep: number): Promise<number> {
  const trades = new SimulatedTrades({ write: database.write, keptMs: KEPT_MS, rowsPerStep });
  const progress = await readProgress(database.read);
  let steps = 1;
  while (await trades.step(progress, MARKETS)) steps += 1;
  return steps;
}

describeEachDatabase("old trades of the simulation", (open) => {
  afterEach(async () => {
    await Promise.all(histories.splice(0).map((history) => history.close()));
  });

  test("go, and people's trades and the prices that they are valued at stay", async () => {
    const script = course(5, 300);
    const database = await open();
    await write(database, script);
    const before = await dumpHistory(database);
    const traded = script.events.filter((event) => event.type === "traded");
    // Where a person's money moved: what was the last price?
    const valued = await database.read
      .selectFrom("activity")
      .select("sequence")
      .where("kind", "in", ["fill", "transfer", "plan"])
      .execute();
    const prices = async () => {
      const found: number[] = [];
      for (const { sequence } of valued) {
        for (const market of MARKETS) {
          found.push(await readTicksBefore(database.read, market, sequence));
        }
      }
      return found;
    };
    const pricesBefore = await prices();

    expect(await removeOld(database, 7)).toBeGreaterThan(10);
    const { trades: left, ...others } = await dumpHistory(database);
    const { trades: all, ...othersBefore } = before;
    expect(others).toEqual(othersBefore);
    expect(await prices()).toEqual(pricesBefore);
    expect(new Set(pricesBefore).size).toBeGreaterThan(20);
    expect(all).toEqual(expect.arrayContaining(left));

    const rows = left.map((row) => JSON.parse(row) as { market_id: number; trade_id: number });
    const kept = new Set(rows.map((row) => `${row.market_id} ${row.trade_id}`));
    const until = script.timeMs - KEPT_MS;
    const isSimulated = (event: (typeof traded)[number]) =>
      event.makerAccount === ROBOT && event.takerAccount === ROBOT;
    const gone = traded.filter(({ marketId, tradeId }) => !kept.has(`${marketId} ${tradeId}`));
    for (const event of gone) {
      expect(isSimulated(event)).toBe(true);
      expect(event.timestampMs).toBeLessThan(until);
    }
    const old = traded.filter((event) => isSimulated(event) && event.timestampMs < until);
    expect(gone.length).toBeGreaterThan(old.length / 3);

    // Again, and in other steps, it comes to the same.
    await removeOld(database, 2_000);
    expect((await dumpHistory(database)).trades).toEqual(left);
    // What begins at a time begins with what is left.
    const firstKept = traded.find(
      (event) => event.marketId === BTC_USD && kept.has(`${BTC_USD} ${event.tradeId}`),
    );
    expect(await readTradeIdFrom(database.read, BTC_USD, 0)).toBe(firstKept?.tradeId);
  });

  test("all go where no person was, but the newest of those that are old", async () => {
    const script = new ExchangeScript().begin();
    for (let hour = 0; hour < 60; hour++) {
      script.timeMs += HOUR;
      script.take(ROBOT, [script.rest(ROBOT, BTC_USD, "sell", 1_000 + hour, 1)], 1);
    }
    const database = await open();
    await write(database, script);
    await removeOld(database, 10);
    const ids = await database.read.selectFrom("trades").select("trade_id").execute();
    expect(ids.map((row) => row.trade_id)).toEqual(
      Array.from({ length: 26 }, (_, index) => 35 + index),
    );
  });

  test("stay where another exchange has advanced the tables", async () => {
    const database = await open();
    await write(database, course(6, 200));
    const before = await dumpHistory(database);
    const trades = new SimulatedTrades({ write: database.write, keptMs: KEPT_MS });
    const progress = await readProgress(database.read);
    const behind = { ...progress, sequence: progress.sequence - 1 };
    while (await trades.step(behind, MARKETS));
    expect(await dumpHistory(database)).toEqual(before);
  });

  test("go while the history follows the exchange, and a pass is due again in an hour", async () => {
    const database = await open();
    const history = await openHistory({
      database,
      log,
      simulatedCandlesModule: new URL("./stand-in-candles.ts", import.meta.url),
      simulatedTradesKeptMs: KEPT_MS,
    });
    histories.push(history);
    const script = new ExchangeScript().begin();
    const count = async () => {
      const query = database.read.selectFrom("trades").select(({ fn }) => fn.countAll().as("all"));
      return Number((await query.executeTakeFirstOrThrow()).all);
    };
    let given = 0;
    const trade = async (times: number) => {
      for (let time = 0; time < times; time++) {
        script.take(ROBOT, [script.rest(ROBOT, BTC_USD, "sell", 1_000, 1)], 1);
      }
      history.project(script.events.slice(given));
      given = script.events.length;
      await history.whenProjected();
    };
    await trade(50);
    script.timeMs += KEPT_MS + 2 * HOUR;
    await trade(10);
    // A pass takes a step with each batch, and there is one for each market.
    await expect
      .poll(async () => {
        await trade(1);
        return (await count()) < 50;
      })
      .toBe(true);
  });
});
