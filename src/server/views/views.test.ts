import * as fc from "fast-check";
import { afterEach, describe, expect, test, vi } from "vitest";
import type { Side } from "#engine/commands.ts";
import type { ExchangeEvent } from "#engine/events.ts";
import { opening, steps } from "#test/engine/commands.ts";
import { createInProcessExchange } from "#test/support/in-process-exchange.ts";
import { SCENE_START, createScene } from "#test/support/market-scene.ts";
import type { Urgency } from "../reactive/executor.ts";
import { RECORDS_KEPT } from "./person-records.ts";
import { Views } from "./views.ts";

const SIDES: readonly Side[] = ["buy", "sell"];

/** All answers of the read models, for comparing two of them. */
function everything(views: Views) {
  const accounts = [...views.accounts.all()];
  const markets = views.catalogue.markets();
  return {
    sequence: views.sequence,
    coins: views.catalogue.coins(),
    plans: views.catalogue.plans(),
    markets: markets.map((market) => ({
      market,
      books: SIDES.map((side) => views.books.levels(market.marketId, side, 1_000)),
      updateId: views.books.updateId(market.marketId),
      ticker: views.tickers.ticker(market.marketId, views.nowMs()),
      trades: views.trades.latest(market.marketId, 100),
      candles: views.candles.read(market.marketId, "1m", Number.POSITIVE_INFINITY, 100),
    })),
    accounts: accounts.map((account) => ({
      account,
      totals: views.catalogue
        .coins()
        .map(({ assetId }) => views.accounts.total(account.account, assetId)),
      open: views.people.openOrders(account.account),
      orders: views.people.recentOrders(account.account),
      fills: views.people.fills(account.account),
      ledger: views.people.ledgerEntries(account.account),
      activity: views.people.activity(account.account),
      portfolio: views.portfolios.portfolio(account.account),
    })),
  };
}

test("after any commands the read models equal the engine, however the events are cut", () => {
  fc.assert(
    fc.property(
      fc.constantFrom("tight", "wide", "drifting").chain((shape) => steps(shape, 80)),
      (commands) => {
        const exchange = createInProcessExchange(SCENE_START);
        const { read } = exchange.engine;
        const views = new Views();
        const all: ExchangeEvent[] = [];
        exchange.subscribe((events) => {
          views.fold(events);
          all.push(...events);
        });
        for (const command of opening(50_000_000, 1_000_000)) exchange.run(command);
        for (const { command, afterMs, idempotencyKey } of commands) {
          exchange.timeMs += afterMs;
          exchange.run(command, idempotencyKey);
        }
        for (let assetId = 1; assetId <= read.assetCount; assetId += 1) {
          expect(views.accounts.sumOfAll(assetId)).toBe(0n);
          for (let account = 1; account < read.accountEnd; account += 1) {
            const { available, held } = read.balance(account, assetId);
            expect(views.accounts.available(account, assetId)).toBe(available);
            expect(views.accounts.held(account, assetId)).toBe(held);
          }
        }
        for (let marketId = 1; marketId <= read.marketCount; marketId += 1) {
          for (const side of SIDES) {
            const levels = read
              .bookLevels(marketId, side)
              .map(({ priceTicks, quantityLots }) => ({ priceTicks, quantityLots }));
            expect(views.books.levels(marketId, side, 1_000)).toEqual(levels);
          }
        }
        for (const { account, kind, userId, planId } of views.accounts.all()) {
          const truth = read.account(account);
          expect(truth).toMatchObject({ userId, kind, planId });
          const open = views.people.openOrders(account).map((order) => ({
            orderId: order.orderId,
            account,
            marketId: order.marketId,
            side: order.side,
            priceTicks: order.priceTicks,
            remainingLots: order.quantityLots - order.filledLots,
            clientOrderId: order.clientOrderId,
          }));
          const engines = read
            .openOrdersOf(account)
            .map(({ quantityLots: _q, visibleLots: _v, waitsFor: _w, ...order }) => order);
          expect(open).toEqual(kind === "person" ? engines : []);
        }
        const atOnce = new Views();
        atOnce.fold(all);
        expect(everything(atOnce)).toEqual(everything(views));
      },
    ),
    { numRuns: 150 },
  );
}, 60_000);

describe("records of a person", () => {
  test("a fill is seen in the order, the fills, the ledger and the activity", () => {
    const scene = createScene();
    const maker = scene.open("simulated:maker", { BTC: "10" });
    const anna = scene.open("anna", { USD: "100000" });
    scene.place({ account: maker, side: "sell", price: "50000", quantity: "0.4" });
    scene.wait(1_000);
    const { sequence } = scene.place({
      account: anna,
      side: "buy",
      price: "50000",
      quantity: "1",
      changes: { clientOrderId: "mine" },
    });
    const { people } = scene.views;
    expect(people.openOrders(anna)).toMatchObject([
      { clientOrderId: "mine", status: "open", quantityLots: 10_000, filledLots: 4_000 },
    ]);
    expect(people.fills(anna)).toMatchObject([
      { role: "taker", side: "buy", quantityLots: 4_000, feeAssetId: 2, fee: 100_000, feeBps: 25 },
    ]);
    expect(people.activity(anna).map(({ kind, position }) => `${kind} ${position}`)).toEqual([
      "fill 1",
      "order 0",
      "transfer 0",
      "plan 0",
    ]);
    const ofOrder = people.ledgerEntries(anna).filter((entry) => entry.sequence === sequence);
    expect(ofOrder.map(({ position }) => position)).toEqual([4, 3, 2, 1, 0]);
    expect(people.ledgerEntriesOf(anna, sequence)).toEqual(ofOrder.toReversed());
    expect(people.openOrders(maker)).toEqual([]);
    expect(people.fills(maker)).toEqual([]);
    expect(people.order(maker, people.openOrders(anna)[0].orderId)).toBeUndefined();
  });

  test("ended orders beyond the newest 200 are dropped, open ones never", () => {
    const scene = createScene();
    const anna = scene.open("anna", { USD: "100000" });
    const order = { account: anna, side: "buy", price: "10", quantity: "1" } as const;
    scene.place(order);
    for (let count = 0; count < 1_000; count += 1) {
      scene.place(order);
      const [, newest] = scene.views.people.openOrders(anna);
      scene.exchange.run({ type: "cancelOrder", account: anna, orderId: newest.orderId });
    }
    const orders = scene.views.people.recentOrders(anna);
    expect(orders.length).toBeGreaterThan(RECORDS_KEPT);
    expect(orders.length).toBeLessThan(3 * RECORDS_KEPT);
    expect(orders[0].status).toBe("cancelled");
    expect(orders.at(-1)).toMatchObject({ status: "open", orderId: 1 });
    expect(scene.views.people.ledgerEntries(anna)).toHaveLength(RECORDS_KEPT);
    expect(scene.views.people.ledgerEntriesOf(anna, 1)).toBeUndefined();
  });
});

describe("topics", () => {
  afterEach(() => {
    vi.useRealTimers();
  });

  function listen(views: Views) {
    const heard: string[][] = [];
    const urgencies = new Map<string, Urgency>();
    views.onChange((topics) => {
      heard.push([...topics.keys()].toSorted());
      for (const [topic, urgency] of topics) urgencies.set(topic, urgency);
    });
    return { heard, urgencies };
  }

  test("a person's own change is told now, market data may wait, and nothing of participants", () => {
    vi.useFakeTimers();
    const scene = createScene();
    const maker = scene.open("simulated:maker", { BTC: "10", USD: "1000" });
    const { heard, urgencies } = listen(scene.views);
    const anna = scene.open("anna");
    expect(heard.splice(0)).toEqual([[`account:${anna}`, "accounts", "user:anna"]]);
    scene.place({ account: maker, side: "sell", price: "50000", quantity: "1" });
    expect(heard.splice(0)).toEqual([["book:1"]]);
    scene.exchange.run({
      type: "takePracticeFunds",
      account: anna,
      assetId: 1,
      amount: 1e12 as never,
    });
    expect(heard.splice(0)).toEqual([[`account:${anna}`]]);
    scene.place({ account: anna, side: "buy", quantity: "0.5" });
    expect(heard.splice(0)).toEqual([[`account:${anna}`, "book:1", "candles:1", "trades:1"]]);
    expect(urgencies.get(`account:${anna}`)).toBe("now");
    expect(urgencies.get("book:1")).toBe("conflated");
    scene.place({ account: anna, side: "buy", price: "100", quantity: "1" });
    expect(heard.splice(0)).toEqual([[`account:${anna}`, "book:1"]]);
    scene.exchange.run({ type: "assignPlan", account: anna, planId: 2 });
    expect(heard.splice(0)).toEqual([[`account:${anna}`]]);
    scene.place({ account: anna, side: "buy", quantity: "500" });
    expect(heard.splice(0)).toEqual([]);
  });

  test("the worth of things is told once a second, also after the last trade", () => {
    vi.useFakeTimers();
    const scene = createScene();
    const maker = scene.open("simulated:maker", { BTC: "10" });
    const taker = scene.open("simulated:taker", { USD: "1000000" });
    scene.place({ account: maker, side: "sell", price: "50000", quantity: "5" });
    const { heard } = listen(scene.views);
    for (let count = 0; count < 5; count += 1) {
      scene.place({ account: taker, side: "buy", quantity: "0.1" });
    }
    heard.length = 0;
    vi.advanceTimersByTime(999);
    expect(heard).toEqual([]);
    vi.advanceTimersByTime(5_000);
    expect(heard).toEqual([["prices", "tickers"]]);
  });

  test("the list of tickers is told once a second, however often books change", () => {
    vi.useFakeTimers();
    const scene = createScene();
    const maker = scene.open("simulated:maker", { BTC: "10" });
    const { heard } = listen(scene.views);
    for (let order = 0; order < 20; order += 1) {
      scene.place({ account: maker, side: "sell", price: "50000", quantity: "0.1" });
      vi.advanceTimersByTime(100);
    }
    vi.advanceTimersByTime(5_000);
    expect(heard.flat().filter((topic) => topic === "tickers")).toHaveLength(2);
    expect(heard.flat().filter((topic) => topic === "book:1")).toHaveLength(20);
  });

  test("an unsubscribed listener is not called", () => {
    const scene = createScene();
    const heard = vi.fn();
    scene.views.onChange(heard)();
    scene.open("anna");
    expect(heard).not.toHaveBeenCalled();
  });
});

test("the simulated past gives simulated markets a price, a day and candles, but no other market", () => {
  const minutes = 2_000;
  const asked: unknown[] = [];
  const scene = createScene({
    simulatedCandles: (seed, symbol, startedAtMs) => {
      asked.push([seed, symbol, startedAtMs]);
      const column = (value: (index: number) => number) =>
        Float64Array.from({ length: minutes }, (_, index) => value(index));
      return {
        openTime: column((index) => startedAtMs - (minutes - index) * 60_000),
        open: column((index) => 1_000 + index),
        high: column((index) => 1_002 + index),
        low: column((index) => 999 + index),
        close: column((index) => 1_001 + index),
        volume: column(() => 10),
      };
    },
  });
  const { catalogue, tickers, candles } = scene.views;
  const market = catalogue.markets()[0];
  scene.exchange.run({
    type: "listMarket",
    market: {
      ...market.definition,
      symbol: "ETH-BTC",
      base: "ETH",
      quote: "BTC",
      simulated: false,
    },
  });
  scene.exchange.run({ type: "startSimulation", seed: 5 });
  expect(asked).toHaveLength(catalogue.markets().length - 1);
  expect(asked[0]).toEqual([5, "BTC-USD", SCENE_START]);
  expect(tickers.ticker(1, scene.views.nowMs())).toMatchObject({
    lastTicks: 3_000,
    openTicks: 1_561,
    highTicks: 3_001,
    baseVolume: BigInt(1_439 * 10 * market.definition.lotUnits),
  });
  expect(candles.read(1, "1h", Number.POSITIVE_INFINITY, 100)).toHaveLength(34);
  const foreign = catalogue.marketBySymbol("ETH-BTC");
  expect(foreign && tickers.lastTicks(foreign.marketId)).toBe(0);
});
