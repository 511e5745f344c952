import { afterEach, beforeEach, expect, test, vi } from "vitest";
import type { Amount, Lots, Ticks } from "#engine/amount.ts";
import type { ExchangeEvent } from "#engine/events.ts";
import {
  type InProcessExchange,
  createInProcessExchange,
} from "#test/support/in-process-exchange.ts";
import { ListedCatalogue, installCatalogue } from "../catalogue/install-catalogue.ts";
import { SIMULATED_MARKETS } from "../catalogue/markets.ts";
import { createSilentLog } from "../log.ts";
import { createViews } from "../views/views.ts";
import { createSimulator } from "./simulator.ts";

const START = Date.UTC(2026, 0, 15, 12);

beforeEach(() => vi.useFakeTimers({ now: START }));
afterEach(() => vi.useRealTimers());

async function openMarket(seed: number) {
  const exchange: InProcessExchange = createInProcessExchange(START);
  const views = createViews({ now: Date.now });
  const listed = new ListedCatalogue();
  const events: ExchangeEvent[] = [];
  const simulator = createSimulator({ exchange: () => exchange, seed, log: createSilentLog() });
  exchange.subscribe((batch) => {
    views.fold(batch);
    listed.fold(batch);
    simulator.fold(batch);
    events.push(...batch);
  });
  await installCatalogue(exchange, listed, true);
  await simulator.prepare();
  return {
    exchange,
    views,
    events,
    simulator,
    listed,
    async run(seconds: number) {
      for (let step = 0; step < seconds * 10; step += 1) {
        await vi.advanceTimersByTimeAsync(100);
        exchange.timeMs = Date.now();
      }
    },
  };
}

test("every market gets two deep sides and trades at prices near its reference", async () => {
  const market = await openMarket(1);
  market.simulator.start();
  await market.run(120);
  await market.simulator.stop();
  for (const { symbol, referencePrice, priceDecimals } of SIMULATED_MARKETS) {
    const marketId = [...market.events].find(
      (event) => event.type === "marketListed" && event.market.symbol === symbol,
    );
    if (marketId?.type !== "marketListed") throw new Error(`${symbol} is not listed`);
    const bids = market.views.books.levels(marketId.marketId, "buy", 100);
    const asks = market.views.books.levels(marketId.marketId, "sell", 100);
    expect(bids.length).toBeGreaterThanOrEqual(15);
    expect(asks.length).toBeGreaterThanOrEqual(15);
    const bid = market.views.books.bestBid(marketId.marketId) / 10 ** priceDecimals;
    const ask = market.views.books.bestAsk(marketId.marketId) / 10 ** priceDecimals;
    expect(ask).toBeGreaterThan(bid);
    expect((ask - bid) / referencePrice).toBeLessThan(0.01);
    expect(Math.abs(bid / referencePrice - 1)).toBeLessThan(0.03);
  }
});

test("the liveliest market trades several times a second", async () => {
  const market = await openMarket(2);
  market.simulator.start();
  await market.run(60);
  await market.simulator.stop();
  const trades = market.events.filter((event) => event.type === "traded" && event.marketId === 1);
  expect(trades.length / 60).toBeGreaterThan(2);
});

test("the same seed and the same course of time give the same market", async () => {
  const hashes = [];
  for (const seed of [5, 5, 6]) {
    const market = await openMarket(seed);
    market.simulator.start();
    await market.run(20);
    await market.simulator.stop();
    hashes.push(market.exchange.engine.stateHash());
    vi.setSystemTime(START);
  }
  expect(hashes[1]).toBe(hashes[0]);
  expect(hashes[2]).not.toBe(hashes[0]);
});

test("preparing again changes nothing", async () => {
  const market = await openMarket(1);
  const before = market.exchange.engine.stateHash();
  await installCatalogue(market.exchange, market.listed, true);
  await market.simulator.prepare();
  expect(market.exchange.engine.stateHash()).toBe(before);
});

test("a participant that ran out is given a new inventory and trades on", async () => {
  const market = await openMarket(3);
  market.simulator.start();
  await market.run(1);
  const account = market.events.find(
    (event) => event.type === "accountOpened" && event.userId === "simulated:noise-1",
  );
  if (account?.type !== "accountOpened") throw new Error("no participant");
  const funded = () =>
    market.events.filter(
      (event) => event.type === "participantFunded" && event.account === account.account,
    ).length;
  const before = funded();
  // All of its dollars wait in orders far below the market, so that it can buy nothing.
  for (const lots of [100_000, 1_000, 10]) {
    for (let outcome; outcome?.rejected === undefined;) {
      outcome = market.exchange.run({
        type: "placeOrder",
        account: account.account,
        marketId: 1,
        side: "buy",
        orderType: "limit",
        timeInForce: "gtc",
        postOnly: true,
        priceTicks: 3_000_000 as Ticks,
        quantityLots: lots as Lots,
        quoteAmount: 0 as Amount,
        clientOrderId: "",
      });
      if (outcome.rejected !== undefined) expect(outcome.rejected).toBe("insufficientAvailable");
    }
  }
  await market.run(60);
  await market.simulator.stop();
  expect(funded()).toBeGreaterThan(before);
});
