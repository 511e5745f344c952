import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import type { Amount, Lots, Ticks } from "#engine/amount.ts";
import type { Command, Side } from "#engine/commands.ts";
import type { ExchangeEvent } from "#engine/events.ts";
import { createSilentLog } from "../log.ts";
import { Views } from "../views/views.ts";
import { coin, market, plan } from "#test/engine/commands.ts";
import type { Exchange, SliceListener } from "./exchange.ts";
import { openExchange } from "./open-exchange.ts";

const ICEBERGS = 15;
const PARTS = 100;
const MAKER = 16;
const TAKER = 17;

let dataDir: string;
let exchange: Exchange;
let onSlice: SliceListener;
let delivered: ExchangeEvent[];

beforeEach(async () => {
  dataDir = mkdtempSync(join(tmpdir(), "openbell-large-"));
  delivered = [];
  onSlice = () => undefined;
  exchange = await openExchange({
    dataDir,
    log: createSilentLog(),
    onSlice: (events, isWhole) => onSlice(events, isWhole),
    onEvents: (events) => void delivered.push(...events),
  });
  const terms = { notionalMin: 1 as Amount };
  const opening: Command[] = [
    { type: "listCoin", coin: coin("USD", 6) },
    { type: "listCoin", coin: coin("BTC", 6) },
    { type: "listMarket", market: market("BTC", terms) },
    { type: "definePlan", plan: plan("free", { openOrdersMax: 1_000, algoOrdersMax: 1_000 }) },
    { type: "openAccount", userId: "maker", kind: "person" },
    { type: "openAccount", userId: "taker", kind: "person" },
    ...[MAKER, TAKER].map((account): Command => ({
      type: "takePracticeFunds",
      account,
      assetId: 1,
      amount: 1e12 as Amount,
      otherCoins: [{ assetId: 2, amount: 1e12 as Amount }],
    })),
    ...Array.from({ length: ICEBERGS }, () => order(MAKER, "sell", PARTS, 1)),
  ];
  const outcomes = await Promise.all(opening.map((command) => exchange.submit(command)));
  expect(outcomes.filter(({ rejected }) => rejected !== undefined)).toEqual([]);
});

afterEach(async () => {
  await exchange.close();
  rmSync(dataDir, { recursive: true });
});

function order(account: number, side: Side, lots: number, displayLots?: number): Command {
  return {
    type: "placeOrder",
    account,
    marketId: 1,
    side,
    orderType: "limit",
    timeInForce: "gtc",
    postOnly: false,
    priceTicks: 1_000 as Ticks,
    quantityLots: lots as Lots,
    quoteAmount: 0 as Amount,
    clientOrderId: "",
    ...(displayLots !== undefined && { conditions: { displayLots: displayLots as Lots } }),
  };
}

function definePlan(name: string): Command {
  return { type: "definePlan", plan: plan(name) };
}

test("one command's events come in slices with turns between, and its answer after the last", async () => {
  const slices: { count: number; isWhole: boolean; turn: number; isSettled: boolean }[] = [];
  let turn = 0;
  let isTurning = true;
  const next = () => {
    turn += 1;
    if (isTurning) setImmediate(next);
  };
  next();
  const inSlices: ExchangeEvent[] = [];
  onSlice = (events, isWhole) => {
    inSlices.push(...events);
    const isSettled = exchange.unsettled() === undefined;
    slices.push({ count: events.length, isWhole, turn, isSettled });
  };
  delivered = [];
  const large = exchange.submit(order(TAKER, "buy", ICEBERGS * PARTS));
  const after = exchange.submit(order(TAKER, "buy", 1));
  const { events } = await large;
  expect(exchange.unsettled()).toBeUndefined();
  await after;
  isTurning = false;
  expect(events.filter(({ type }) => type === "traded")).toHaveLength(ICEBERGS * PARTS);
  expect(slices.length).toBeGreaterThan(3);
  expect(new Set(slices.map((slice) => slice.turn)).size).toBe(slices.length);
  for (const { count } of slices) expect(count).toBeLessThan(260);
  const firstWhole = slices.findIndex(({ isWhole }) => isWhole);
  expect(firstWhole).toBeGreaterThan(3);
  for (const { isWhole, isSettled } of slices.slice(0, firstWhole)) {
    expect([isWhole, isSettled]).toEqual([false, false]);
  }
  expect(inSlices).toEqual(delivered);
});

test("listeners may process it in chunks with turns between, before its answer and later events", async () => {
  let turn = 0;
  let isTurning = true;
  const next = () => {
    turn += 1;
    if (isTurning) setImmediate(next);
  };
  next();
  const turns: number[] = [];
  const order: string[] = [];
  exchange.subscribe(function* (events) {
    for (let chunk = 0; chunk < 5; chunk++) {
      turns.push(turn);
      order.push(`chunk ${chunk} of ${events.length} events`);
      yield;
    }
  });
  exchange.subscribe((events) => void order.push(`all of ${events.length} events`));
  const [one, other] = [definePlan("one"), definePlan("other")];
  await Promise.all([
    exchange.submit(one).then(() => order.push("answer")),
    exchange.submit(other).then(() => order.push("answer")),
  ]);
  isTurning = false;
  // Both came in one batch.
  const chunks = [0, 1, 2, 3, 4].map((chunk) => `chunk ${chunk} of 2 events`);
  expect(order).toEqual([...chunks, "all of 2 events", "answer", "answer"]);
  expect(new Set(turns).size).toBe(5);
});

test("a listener that fails in a later chunk stops the exchange", async () => {
  exchange.subscribe(function* () {
    yield;
    throw new Error("planted later");
  });
  await expect(exchange.submit(definePlan("one"))).rejects.toThrow("planted later");
  expect(exchange.health()).toMatchObject({ status: "stopped" });
});

test("views fold it as at once, and announce it once, when it is whole", async () => {
  const sliced = new Views();
  const atOnce = new Views();
  sliced.fold(delivered);
  const announced: number[] = [];
  sliced.onChange((topics) => {
    if (topics.has(`account:${TAKER}`)) announced.push(sliced.people.fills(TAKER).length);
  });
  const held: Promise<void>[] = [];
  onSlice = (events, isWhole) => {
    sliced.fold(events, isWhole);
    const unsettled = exchange.unsettled();
    if (unsettled !== undefined) held.push(unsettled);
  };
  await exchange.submit(order(TAKER, "buy", ICEBERGS * PARTS));
  await Promise.all(held);
  expect(held.length).toBeGreaterThan(2);
  expect(announced).toEqual([200]);
  atOnce.fold(delivered);
  expect(sliced.state()).toEqual(atOnce.state());
});

test("it is delivered to the end before the exchange is closed", async () => {
  onSlice = () => {
    // Longer than the end of the engine's thread takes.
    const untilMs = performance.now() + 20;
    while (performance.now() < untilMs);
  };
  const commands = [order(TAKER, "buy", ICEBERGS * PARTS), order(TAKER, "buy", 1)];
  const outcomes = commands.map((command) => exchange.submit(command));
  await exchange.close();
  const closedAt = delivered.at(-1)?.sequence;
  const sequences = (await Promise.all(outcomes)).map(({ sequence }) => sequence);
  expect(closedAt).toBe(sequences.at(-1));
});

test("a listener that fails amid a command stops the exchange and holds no one", async () => {
  onSlice = (_events, isWhole) => {
    if (!isWhole) throw new Error("planted");
  };
  await expect(exchange.submit(order(TAKER, "buy", ICEBERGS * PARTS))).rejects.toThrow("planted");
  expect(exchange.unsettled()).toBeUndefined();
  expect(exchange.health()).toMatchObject({ status: "stopped" });
});
