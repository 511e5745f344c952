/** History against the engine itself: what it tells of the past must add up to the present state. */
import { afterEach, expect, test } from "vitest";
import type { Amount, Lots, Ticks } from "#engine/amount.ts";
import type { Command, Side } from "#engine/commands.ts";
import { createEngine, type Engine } from "#engine/engine.ts";
import { EventBuffer } from "#engine/event-buffer.ts";
import type { ExchangeEvent } from "#engine/events.ts";
import { openHistory, type History } from "#server/history/history.ts";
import type { HistoryReads } from "#server/history/reads.ts";
import { createSilentLog } from "#server/log.ts";
import { Views } from "#server/views/views.ts";
import { coin, market, plan } from "#test/engine/commands.ts";
import { pairs, share } from "#test/support/run-counts.ts";
import { describeEachDatabase } from "./databases.ts";
import { cutIntoBatches, ORIGIN_TIME, randomOf } from "./exchange-events.ts";
import { simulatedCandles } from "./stand-in-candles.ts";

const PEOPLE = [16, 17];
const PARTICIPANTS = [18, 19];
const ASSETS = [1, 2, 3];
const MARKETS = [1, 2];

const opening: Command[] = [
  { type: "listCoin", coin: coin("USD", 6) },
  { type: "listCoin", coin: coin("AAA", 8) },
  { type: "listCoin", coin: coin("BBB", 2) },
  { type: "listMarket", market: market("AAA") },
  { type: "listMarket", market: market("BBB", { lotUnits: 1, tickLotUnits: 1 }) },
  { type: "definePlan", plan: plan("free", { openOrdersMax: 30 }) },
  { type: "definePlan", plan: plan("pro", { makerFeeBps: 0, takerFeeBps: 1 }) },
  ...[...PEOPLE, ...PARTICIPANTS].map((account): Command => ({
    type: "openAccount",
    userId: `user ${account}`,
    kind: PEOPLE.includes(account) ? "person" : "participant",
  })),
  ...PEOPLE.map((account): Command => ({
    type: "takePracticeFunds",
    account,
    assetId: 1,
    amount: 50_000_000 as Amount,
  })),
  ...PARTICIPANTS.flatMap((account) =>
    ASSETS.map((assetId): Command => ({
      type: "fundParticipant",
      account,
      assetId,
      amount: 80_000_000 as Amount,
    })),
  ),
  { type: "startSimulation", seed: 9 },
];

/** Runs random commands through the engine. */
function trade(engine: Engine, seed: number, count: number): ExchangeEvent[] {
  const random = randomOf(seed);
  const events = new EventBuffer();
  let timeMs = ORIGIN_TIME;
  const apply = (command: Command) =>
    engine.apply(engine.sequence + 1, timeMs, "", command, events);
  for (const command of opening) apply(command);
  for (let step = 0; step < count; step += 1) {
    timeMs += random(10) === 0 ? random(3_600_000) : random(2_000);
    apply(randomCommand(engine, random, step));
  }
  engine.read.checkInvariants();
  return events.decode();
}

function randomCommand(engine: Engine, random: (bound: number) => number, step: number): Command {
  const account = 16 + random(4);
  const kind = random(20);
  if (kind === 0)
    return { type: "takePracticeFunds", account, assetId: 1, amount: 1_000_000 as Amount };
  if (kind === 1) return { type: "assignPlan", account, planId: 1 + random(2) };
  if (kind === 2) return { type: "cancelAllOrders", account, marketId: random(3) };
  if (kind < 6) {
    const open = engine.read.openOrdersOf(account);
    const orderId = open.length === 0 ? 1 : open[random(open.length)].orderId;
    return { type: "cancelOrder", account, orderId };
  }
  const isMarket = kind === 6;
  const isByQuote = isMarket && random(2) === 0;
  const side: Side = random(2) === 0 ? "buy" : "sell";
  return {
    type: "placeOrder",
    account,
    marketId: 1 + random(2),
    side,
    orderType: isMarket ? "market" : "limit",
    timeInForce: isMarket || kind === 7 ? "ioc" : kind === 8 ? "fok" : "gtc",
    postOnly: kind === 9,
    priceTicks: (isMarket ? 0 : 1_000 + random(60) + (side === "buy" ? -25 : 25)) as Ticks,
    quantityLots: (isByQuote ? 0 : 1 + random(90)) as Lots,
    quoteAmount: (isByQuote ? 1_000 + random(1_000_000) : 0) as Amount,
    clientOrderId: random(3) === 0 ? `order-${step}` : "",
  };
}

const histories: History[] = [];

/** Of a share of the seeds each on one of the databases. */
const SEEDS = pairs(["sqlite", "postgres"], share([1, 2, 3]));

describeEachDatabase("history of the engine's events", (open, dialect) => {
  afterEach(async () => {
    await Promise.all(histories.splice(0).map((history) => history.close()));
  });

  for (const [on, seed] of SEEDS) {
    if (on !== dialect) continue;
    test(`adds up to the engine's state (seed ${seed})`, async () => {
      const engine = createEngine();
      const events = trade(engine, seed, 3_000);
      const database = await open();
      const history = await openHistory({
        database,
        log: createSilentLog(),
        simulatedCandlesModule: new URL("./stand-in-candles.ts", import.meta.url),
      });
      histories.push(history);
      for (const batch of cutIntoBatches(events, seed)) history.project(batch);
      await history.whenProjected();
      expect(history.projectedSequence).toBe(engine.sequence);
      const { read } = history;

      for (const account of PEOPLE) {
        await expectLedgerToGiveBalances(read, engine, account);
        await expectOrdersToGiveOpenOrders(read, engine, account);
        await expectFillsToGiveOrders(read, account);
      }
      const views = new Views({ simulatedCandles, now: () => ORIGIN_TIME });
      views.fold(events);
      for (const marketId of MARKETS) {
        const { items } = await read.trades({ marketId, limit: 1_000 });
        expect(items.length).toBeGreaterThan(50);
        expect(items.map((trade) => trade.tradeId)).toEqual(items.map((_, i) => items.length - i));
        for (const interval of ["1m", "5m", "1h", "4h", "1d"] as const) {
          const query = { marketId, interval, before: 2 ** 42, limit: 500 };
          const candles = await read.candles(query);
          expect(candles.length).toBeGreaterThan(1);
          expect(candles).toEqual(
            views.candles.read(marketId, interval, query.before, query.limit),
          );
        }
      }
    });
  }
});

async function expectLedgerToGiveBalances(read: HistoryReads, engine: Engine, account: number) {
  const sums = new Map<string, number>();
  for (let sequence = 1; sequence <= engine.sequence; sequence += 1) {
    for (const { assetId, balance, amount } of await read.ledgerEntries(account, sequence)) {
      const name = `${assetId} ${balance}`;
      sums.set(name, (sums.get(name) ?? 0) + amount);
    }
  }
  for (const assetId of ASSETS) {
    const { available, held } = engine.read.balance(account, assetId);
    expect(sums.get(`${assetId} available`) ?? 0).toBe(available);
    expect(sums.get(`${assetId} held`) ?? 0).toBe(held);
  }
}

async function expectOrdersToGiveOpenOrders(read: HistoryReads, engine: Engine, account: number) {
  const { items } = await read.orders({ account, limit: 1_000 });
  const open = items.filter((order) => order.status === "open");
  const remaining = open.map((order) => [
    order.orderId,
    order.marketId,
    order.side,
    order.priceTicks,
    order.quantityLots - order.filledLots,
    order.clientOrderId,
  ]);
  const inEngine = engine.read
    .openOrdersOf(account)
    .map((order) => [
      order.orderId,
      order.marketId,
      order.side,
      order.priceTicks,
      order.remainingLots,
      order.clientOrderId,
    ]);
  expect(remaining.reverse()).toEqual(inEngine);
  expect(items.length).toBeGreaterThan(open.length);
}

async function expectFillsToGiveOrders(read: HistoryReads, account: number) {
  const orders = (await read.orders({ account, limit: 1_000 })).items;
  const fills = [];
  let cursor: string | undefined;
  do {
    const page = await read.fills({ account, limit: 1_000, cursor });
    fills.push(...page.items);
    cursor = page.cursor ?? undefined;
  } while (cursor !== undefined);
  for (const order of orders) {
    const ofOrder = fills.filter((fill) => fill.orderId === order.orderId);
    expect(await read.order(account, order.orderId)).toEqual(order);
    expect(await read.fillsOfOrder(account, order.orderId, 1_000)).toEqual(ofOrder.toReversed());
    expect(await read.fillsOfOrder(account, order.orderId, 2)).toEqual(
      ofOrder.slice(0, 2).toReversed(),
    );
    expect(ofOrder.reduce((sum, fill) => sum + fill.quantityLots, 0)).toBe(order.filledLots);
    expect(ofOrder.reduce((sum, fill) => sum + fill.notional, 0)).toBe(order.filledNotional);
    for (const fill of ofOrder) {
      expect(fill.feeBps).toBe(fill.role === "maker" ? order.makerFeeBps : order.takerFeeBps);
    }
  }
}
