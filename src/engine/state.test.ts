/** State that only shows later is nevertheless in the state's hash and in its snapshots. */
import { describe, expect, test } from "vitest";
import { coin, market, plan } from "#test/engine/commands.ts";
import type { Amount, Lots, Ticks } from "./amount.ts";
import type { Command, Side } from "./commands.ts";
import { createEngine, restoreEngine, type Engine } from "./engine.ts";
import { EventBuffer } from "./event-buffer.ts";

const NOW_MS = 1_700_000_000_000;
const terms = { lotUnits: 1, tickLotUnits: 1, notionalMin: 0 as Amount };

function engineAfter(...commands: readonly Command[]): Engine {
  const engine = createEngine();
  const events = new EventBuffer();
  const setting: Command[] = [
    { type: "listCoin", coin: coin("USD", 2) },
    { type: "listCoin", coin: coin("BTC", 2) },
    { type: "listMarket", market: market("BTC", terms) },
    { type: "definePlan", plan: plan("free") },
    ...[16, 17].flatMap((account): Command[] => [
      { type: "openAccount", userId: `user ${account}`, kind: "participant" },
      { type: "fundParticipant", account, assetId: 1, amount: 10_000 as Amount },
      { type: "fundParticipant", account, assetId: 2, amount: 10_000 as Amount },
    ]),
  ];
  for (const command of [...setting, ...commands]) {
    engine.apply(engine.sequence + 1, NOW_MS, "", command, events);
  }
  expect(events.decode().filter(({ type }) => type === "commandRejected")).toEqual([]);
  return engine;
}

function order(account: number, side: Side, priceTicks: number): Command {
  return {
    type: "placeOrder",
    account,
    marketId: 1,
    side,
    orderType: "limit",
    timeInForce: "gtc",
    postOnly: false,
    priceTicks: priceTicks as Ticks,
    quantityLots: 1 as Lots,
    quoteAmount: 0 as Amount,
    clientOrderId: "",
  };
}

const tradesAt = (...prices: readonly number[]): Command[] =>
  prices.flatMap((price) => [order(16, "sell", price), order(17, "buy", price)]);
const auctionFor = (forMs: number): Command => ({
  type: "setMarketStatus",
  marketId: 1,
  status: "auction",
  forMs,
  byAdmin: "olga",
  reason: "a test",
});

describe("two exchanges that differ only in", () => {
  test("when a market's state ends have another hash", () => {
    const [sooner, later] = [engineAfter(auctionFor(60_000)), engineAfter(auctionFor(61_000))];
    expect(sooner.stateHash()).not.toBe(later.stateHash());
    expect(engineAfter(auctionFor(60_000)).stateHash()).toBe(sooner.stateHash());
  });

  test("which of two prices was the last have another hash", () => {
    const [up, down] = [engineAfter(...tradesAt(100, 101)), engineAfter(...tradesAt(101, 100))];
    for (const account of [2, 16, 17]) {
      for (const assetId of [1, 2]) {
        expect(up.read.balance(account, assetId)).toEqual(down.read.balance(account, assetId));
      }
    }
    expect(up.stateHash()).not.toBe(down.stateHash());
  });
});

describe("an exchange restored from its snapshot", () => {
  test("knows when a market's state ends, and ends it then", () => {
    const engine = restoreEngine(engineAfter(auctionFor(60_000)).snapshot());
    const untilMs = NOW_MS + 60_000;
    expect(engine.read.marketState(1)).toEqual({ status: "auction", untilMs, lastTicks: 0 });
    expect(engine.nextDueMs).toBe(untilMs);
    engine.apply(engine.sequence + 1, untilMs, "", { type: "advanceTime" }, new EventBuffer());
    expect(engine.read.marketState(1).status).toBe("trading");
  });

  test("knows the last price, and has triggers wait for another", () => {
    const engine = restoreEngine(engineAfter(...tradesAt(100, 101)).snapshot());
    expect(engine.read.marketState(1).lastTicks).toBe(101);
    const events = new EventBuffer();
    const trigger = { kind: "stop", triggerTicks: 101 as Ticks } as const;
    const stop = { ...order(17, "buy", 105), conditions: { trigger } } as Command;
    engine.apply(engine.sequence + 1, NOW_MS, "", stop, events);
    expect(events.decode()).toMatchObject([{ reason: "wouldTriggerAtOnce" }]);
  });
});
