import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import type { Amount, Lots, Ticks } from "#engine/amount.ts";
import type { Side, TimeInForce } from "#engine/commands.ts";
import type { EventOf, ExchangeEvent } from "#engine/events.ts";
import {
  type InProcessExchange,
  createInProcessExchange,
} from "#test/support/in-process-exchange.ts";
import { defaultCatalogue } from "../catalogue/default-catalogue.ts";
import { ListedCatalogue, installCatalogue } from "../catalogue/install-catalogue.ts";
import { SIMULATED_MARKETS } from "../catalogue/markets.ts";
import { PARTICIPANTS } from "../catalogue/participants.ts";
import { createSilentLog } from "../log.ts";
import { Views } from "../views/views.ts";
import { createSimulator } from "./simulator.ts";

const START = Date.UTC(2026, 0, 15, 12);

beforeEach(() => vi.useFakeTimers({ now: START }));
afterEach(() => vi.useRealTimers());

async function openMarket(seed: number, isWatched = true, pace = 1, participants = PARTICIPANTS) {
  const exchange: InProcessExchange = createInProcessExchange(START);
  const views = new Views({ now: Date.now });
  const listed = new ListedCatalogue();
  const events: ExchangeEvent[] = [];
  const simulator = createSimulator({
    exchange: () => exchange,
    participants,
    seed,
    pace,
    now: Date.now,
    isWatched: () => isWatched,
    log: createSilentLog(),
  });
  exchange.subscribe((batch) => {
    views.fold(batch);
    listed.fold(batch);
    simulator.fold(batch);
    events.push(...batch);
  });
  await installCatalogue(exchange, listed, defaultCatalogue(true));
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

describe("participants decide", () => {
  const commandsOf = async (isWatched: boolean, pace = 1) => {
    const market = await openMarket(1, isWatched, pace);
    market.simulator.start();
    await market.run(30);
    const before = market.exchange.engine.sequence;
    await market.run(150);
    await market.simulator.stop();
    return market.exchange.engine.sequence - before;
  };

  test("about a tenth as often while no one watches, and as often as they are paced", async () => {
    const usual = await commandsOf(true);
    const unwatched = await commandsOf(false);
    expect(unwatched).toBeGreaterThan(usual / 20);
    expect(unwatched).toBeLessThan(usual / 4);
    const quarter = await commandsOf(true, 0.25);
    expect(quarter).toBeGreaterThan(usual / 6);
    expect(quarter).toBeLessThan(usual / 2.5);
  });
});

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
  await installCatalogue(market.exchange, market.listed, defaultCatalogue(true));
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
  // All of its dollars are held by orders far below the market, so that it can buy nothing.
  for (const lots of [300_000, 100_000, 30_000, 10_000, 3_000, 1_000, 300, 100, 30, 10]) {
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

/** Ticks of BTC-USD, market 1; its reference price is 6 425 000. */
const FAR_TICKS = 6_700_000;

describe("people who empty the book and ask far above the reference", () => {
  async function openManipulated() {
    const market = await openMarket(4);
    const { exchange } = market;
    const usd = { assetId: 1, amount: 2_000_000_000_000_000 as Amount };
    const btc = { assetId: 2, amount: 1_000_000_000_000 as Amount };
    const [seller, buyer] = ["seller", "buyer"].map((userId, index) => {
      exchange.run({ type: "openAccount", userId, kind: "person" });
      const account = market.views.accounts.ofUser(userId)?.account ?? 0;
      // The plan's limit for an order equals the market's.
      exchange.run({ type: "assignPlan", account, planId: 4 });
      exchange.run({ type: "takePracticeFunds", account, ...(index === 0 ? btc : usd) });
      return account;
    });
    const order = (account: number, side: Side, timeInForce: TimeInForce, priceTicks: number) =>
      exchange.run({
        type: "placeOrder",
        account,
        marketId: 1,
        side,
        orderType: "limit",
        timeInForce,
        postOnly: false,
        priceTicks: priceTicks as Ticks,
        quantityLots: 700_000 as Lots,
        quoteAmount: 0 as Amount,
        clientOrderId: "",
      });
    market.simulator.start();
    await market.run(5);
    const offer = order(seller, "sell", "gtc", FAR_TICKS);
    expect(offer.rejected).toBeUndefined();
    return {
      ...market,
      seller,
      sellAt: (ticks: number) => order(seller, "sell", "gtc", ticks),
      buyUpTo: (ticks: number) => order(buyer, "buy", "ioc", ticks),
    };
  }
  const isTrade = (event: ExchangeEvent): event is EventOf<"traded"> =>
    event.type === "traded" && event.marketId === 1;

  test("are paid by no simulated participant", async () => {
    const market = await openManipulated();
    for (let step = 0; step < 200; step++) {
      market.buyUpTo(FAR_TICKS - 1);
      await market.run(0.1);
    }
    await market.simulator.stop();
    const participants = new Set(
      market.events.flatMap((event) =>
        event.type === "accountOpened" && event.kind === "participant" ? [event.account] : [],
      ),
    );
    const trades = market.events.filter(isTrade);
    const takings = trades.filter((trade) => participants.has(trade.takerAccount));
    expect(takings.length).toBeGreaterThan(10);
    expect(takings.filter((trade) => trade.makerAccount === market.seller)).toEqual([]);
  });

  test("do not move what a simulation that starts again believes", async () => {
    const market = await openManipulated();
    await market.simulator.stop();
    market.buyUpTo(FAR_TICKS);
    expect(market.events.findLast(isTrade)).toMatchObject({ priceTicks: FAR_TICKS });
    const again = createSimulator({
      exchange: () => market.exchange,
      participants: PARTICIPANTS,
      seed: 4,
      now: Date.now,
      isWatched: () => true,
      log: createSilentLog(),
    });
    again.fold(market.events);
    market.exchange.subscribe((batch) => again.fold(batch));
    again.start();
    await market.run(10);
    await again.stop();
    const bid = market.views.books.bestBid(1);
    expect(Math.abs(bid / 6_425_000 - 1)).toBeLessThan(0.01);
  });

  test("cannot keep the market at their price: its makers come back to the reference", async () => {
    const market = await openManipulated();
    for (const ticks of [FAR_TICKS, FAR_TICKS + 300_000, FAR_TICKS + 350_000]) {
      if (ticks > FAR_TICKS) market.sellAt(ticks);
      market.buyUpTo(ticks);
    }
    expect(market.events.findLast(isTrade)).toMatchObject({ priceTicks: FAR_TICKS + 350_000 });
    await market.run(60);
    await market.simulator.stop();
    expect(Math.abs(market.views.books.bestAsk(1) / 6_425_000 - 1)).toBeLessThan(0.01);
    const last = market.events.findLast(isTrade);
    expect(last?.type === "traded" && Math.abs(last.priceTicks / 6_425_000 - 1)).toBeLessThan(0.01);
  });
});

test("without the simulation its orders are withdrawn, and with it again its makers quote again", async () => {
  const market = await openMarket(1);
  const open = () => market.exchange.engine.read.openOrderCount;
  market.simulator.start();
  await market.run(5);
  await market.simulator.stop();
  expect(open()).toBeGreaterThan(500);
  await market.simulator.withdraw();
  expect(open()).toBe(0);
  const { sequence } = market.exchange.engine;
  await market.simulator.withdraw();
  expect(market.exchange.engine.sequence).toBe(sequence);
  market.simulator.start();
  await market.run(5);
  await market.simulator.stop();
  expect(open()).toBeGreaterThan(500);
});

describe("participants that a file declares", () => {
  const [near, , noise] = PARTICIPANTS;
  const declared = [
    { ...near, name: "quoter", markets: ["ETH-USD"], cashValue: 1_000_000, coinValue: 200_000 },
    { ...noise, name: "crowd", markets: ["ETH-USD", "BTC-USD"], pacePercent: 300 },
  ];
  const accountOf = (market: { readonly events: readonly ExchangeEvent[] }, userId: string) =>
    market.events.find(
      (event): event is EventOf<"accountOpened"> =>
        event.type === "accountOpened" && event.userId === userId,
    )?.account;
  const marketsOf = (market: { readonly events: readonly ExchangeEvent[] }, account?: number) =>
    new Set(
      market.events.flatMap((event) =>
        event.type === "orderPlaced" && event.account === account ? [event.marketId] : [],
      ),
    );

  test("trade under their names, in their markets, with their inventory", async () => {
    const market = await openMarket(7, true, 1, declared);
    const opened = market.events.filter(({ type }) => type === "accountOpened");
    expect(opened.map((event) => event.type === "accountOpened" && event.userId)).toEqual([
      "simulated:quoter",
      "simulated:crowd",
    ]);
    const quoter = accountOf(market, "simulated:quoter") ?? 0;
    expect(market.views.accounts.total(quoter, 1)).toBe(1_000_000 * 1e6);
    // 200 000 dollars of ETH at 3 415, in whole coins, and none of BTC.
    expect(market.views.accounts.total(quoter, 3)).toBe(59 * 1e8);
    expect(market.views.accounts.total(quoter, 2)).toBe(0);
    market.simulator.start();
    await market.run(60);
    await market.simulator.stop();
    expect(marketsOf(market, quoter)).toEqual(new Set([2]));
    expect(marketsOf(market, accountOf(market, "simulated:crowd"))).toEqual(new Set([1, 2]));
  });

  test("leave no orders behind once they are gone, or have left a market", async () => {
    const market = await openMarket(8);
    market.simulator.start();
    await market.run(5);
    await market.simulator.stop();
    const again = createSimulator({
      exchange: () => market.exchange,
      participants: [{ ...near, markets: ["ETH-USD"] }],
      seed: 8,
      now: Date.now,
      isWatched: () => true,
      log: createSilentLog(),
    });
    again.fold(market.events);
    market.exchange.subscribe((batch) => again.fold(batch));
    await again.prepare();
    const { books } = market.views;
    expect([books.bestBid(1), books.bestAsk(1)]).toEqual([0, 0]);
    const left = (["buy", "sell"] as const).flatMap((side) => books.levels(2, side, 100));
    expect(left.length).toBeGreaterThan(10);
    // One maker has one order at a price.
    expect(market.exchange.engine.read.openOrderCount).toBe(left.length);
  });
});
