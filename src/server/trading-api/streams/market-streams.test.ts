import { setImmediate } from "node:timers/promises";
import { afterAll, beforeAll, expect, test, vi } from "vitest";
import { CANDLE_INTERVALS } from "#contract/enumerations.ts";
import type { ExchangeEvent } from "#engine/events.ts";
import type { Exchange } from "../../exchange/exchange.ts";
import {
  type FunctionScene,
  openFunctionScene,
  type PlaceForParticipant,
} from "#test/support/function-scene.ts";
import { type Listener, MarketStreams, type StreamMessage } from "./market-streams.ts";

let scene: FunctionScene;
let maker: PlaceForParticipant;
let taker: PlaceForParticipant;
let streams: MarketStreams;

beforeAll(async () => {
  scene = await openFunctionScene();
  const coins = { USD: 100_000_000, BTC: 1_000, ETH: 1_000 };
  maker = await scene.participant("maker", coins);
  taker = await scene.participant("taker", coins);
  streams = new MarketStreams(scene.services.views, scene.services.exchange);
});
afterAll(() => scene.close());

class Hearing implements Listener {
  readonly messages: StreamMessage[] = [];

  take(message: StreamMessage): void {
    this.messages.push(message);
  }

  read(...names: readonly string[]): unknown[] {
    return this.messages.map(({ raw }) => {
      const event = JSON.parse(raw.toString("utf8")) as Readonly<Record<string, unknown>>;
      return names.map((name) => event[name]);
    });
  }
}

function listen(name: string): { heard: Hearing; stop: () => void } {
  const heard = new Hearing();
  expect(streams.add(name, heard)).toBe(true);
  return { heard, stop: () => streams.remove(name, heard) };
}

function chunksOf(taken: unknown): Iterator<unknown> {
  return (taken as Iterable<unknown>)[Symbol.iterator]();
}
function isTakenAtOnce(taken: unknown): boolean {
  return chunksOf(taken).next().done === true;
}

const TRADE = {
  timestampMs: 1_800_000_000_000,
  priceTicks: 6_400_000,
  quantityLots: 1,
  takerSide: "buy",
} as const;

const sell = { type: "limit", side: "sell", quantity: "1" } as const;
const buy = { type: "limit", side: "buy", quantity: "1" } as const;

test("of commands that trade in two markets each stream has those of its own", async () => {
  const bitcoin = listen("btcusd@trade");
  const ether = listen("ethusd@aggTrade");
  await maker({ ...sell, market: "BTC-USD", price: "64000.00" });
  await maker({ ...sell, market: "ETH-USD", price: "3000.00", quantity: "2" });
  await Promise.all([
    taker({ ...buy, market: "BTC-USD", price: "64000.00" }),
    taker({ ...buy, market: "ETH-USD", price: "3000.00" }),
    taker({ ...buy, market: "ETH-USD", price: "3000.00" }),
  ]);
  expect(bitcoin.heard.read("e", "s", "p")).toEqual([["trade", "BTCUSD", "64000.00"]]);
  expect(ether.heard.read("e", "s", "p")).toEqual([
    ["aggTrade", "ETHUSD", "3000.00"],
    ["aggTrade", "ETHUSD", "3000.00"],
  ]);
  bitcoin.stop();
  ether.stop();
});

test("the best levels are sent when they change, and not for another market or a deeper level", async () => {
  const best = listen("btcusd@bookTicker");
  await maker({ ...sell, market: "BTC-USD", price: "65000.00" });
  await maker({ ...sell, market: "BTC-USD", price: "66000.00" });
  await maker({ ...sell, market: "ETH-USD", price: "4000.00" });
  await taker({ ...buy, market: "BTC-USD", price: "60000.00" });
  expect(best.heard.read("s", "b", "a")).toEqual([
    ["BTCUSD", "0", "65000.00"],
    ["BTCUSD", "60000.00", "65000.00"],
  ]);
  best.stop();
});

test("the trades of a large command are sent in chunks, later ones after them, and no one waits", async () => {
  let unsettled: Promise<void> | undefined;
  let listener: Parameters<Exchange["subscribe"]>[0] = () => undefined;
  const alone = new MarketStreams(scene.services.views, {
    subscribe: (given) => ((listener = given), () => undefined),
    unsettled: () => unsettled,
  });
  const market = scene.services.views.catalogue.marketBySymbol("BTC-USD");
  const traded = (sequence: number, tradeId: number) =>
    ({ type: "traded", marketId: market?.marketId, sequence, tradeId, ...TRADE }) as ExchangeEvent;
  const [one, other] = [new Hearing(), new Hearing()];
  for (const heard of [one, other]) alone.add("btcusd@trade", heard);
  const events = Array.from({ length: 500 }, (_, at) => traded(7, at + 1));
  expect(isTakenAtOnce(listener([...events, traded(8, 501)]))).toBe(true);
  expect(isTakenAtOnce(listener([traded(9, 502)]))).toBe(true);
  const chunks: number[] = [];
  while (one.messages.length < 502) {
    chunks.push(one.messages.length);
    if (chunks.length === 3) alone.remove("btcusd@trade", other);
    await setImmediate();
    if (chunks.length === 2) {
      // Nothing is sent while another command is only partly visible.
      unsettled = Promise.resolve();
      const before = one.messages.length;
      await setImmediate();
      expect(one.messages).toHaveLength(before);
      unsettled = undefined;
    }
  }
  expect(chunks.length).toBeGreaterThan(3);
  expect(chunks[0]).toBeLessThanOrEqual(128);
  expect(other.messages).toHaveLength(chunks[2]);
  expect(one.messages.map(({ earlier }) => earlier)).toEqual([...events.keys(), 0, 0]);
  alone.remove("btcusd@trade", one);
});

test("the messages of a tick to many listeners are sent in chunks, those of each listener together", async () => {
  const alone = new MarketStreams(scene.services.views, {
    subscribe: () => () => undefined,
    unsettled: () => undefined,
  });
  const names = ["btcusd", "ethusd"].map((symbol) => `${symbol}@depth5@100ms`);
  const all = Array.from({ length: 400 }, () => new Hearing());
  for (const heard of all) for (const name of names) expect(alone.add(name, heard)).toBe(true);
  const count = () => all.reduce((sum, { messages }) => sum + messages.length, 0);
  let most = 0;
  await expect
    .poll(
      async () => {
        for (let turn = 0, before = count(); turn < 50; turn++) {
          await setImmediate();
          most = Math.max(most, count() - before);
          before = count();
          expect(all.every(({ messages }) => messages.length % names.length === 0)).toBe(true);
        }
        return count();
      },
      { interval: 1, timeout: 10_000 },
    )
    .toBeGreaterThanOrEqual(800);
  expect(most).toBeLessThanOrEqual(256);
  for (const heard of all) for (const name of names) alone.remove(name, heard);
});

test("the messages of very many streams at one tick are built in chunks", async () => {
  const { views } = scene.services;
  const alone = new MarketStreams(views, {
    subscribe: () => () => undefined,
    unsettled: () => undefined,
  });
  const names = views.catalogue
    .markets()
    .flatMap(({ base, quote }) =>
      CANDLE_INTERVALS.map(
        (interval) => `${base.symbol}${quote.symbol}`.toLowerCase() + `@kline_${interval}`,
      ),
    );
  expect(names.length).toBeGreaterThan(64);
  const heard = new Hearing();
  const reads = vi.spyOn(views.candles, "read");
  for (const name of names) expect(alone.add(name, heard)).toBe(true);
  let most = 0;
  for (let before = 0; reads.mock.calls.length < names.length; before = reads.mock.calls.length) {
    await setImmediate();
    most = Math.max(most, reads.mock.calls.length - before);
  }
  expect(most).toBeLessThanOrEqual(32);
  for (const name of names) alone.remove(name, heard);
  reads.mockRestore();
});

test("a listener that has left very many streams is soon in none", async () => {
  const unsubscribe = vi.fn<() => void>();
  const alone = new MarketStreams(scene.services.views, {
    subscribe: () => unsubscribe,
    unsettled: () => undefined,
  });
  const names = CANDLE_INTERVALS.map((interval) => `btcusd@kline_${interval}`);
  const heard = new Hearing();
  for (const name of names) expect(alone.add(name, heard)).toBe(true);
  alone.removeAll([...names, "a listen key"], heard);
  await expect.poll(() => unsubscribe.mock.calls.length).toBe(1);
});

test("the exchange waits while more commands' messages are unsent than may be", async () => {
  let listener: Parameters<Exchange["subscribe"]>[0] = () => undefined;
  const isSubscribed = { subscribe: (given: typeof listener) => ((listener = given), () => {}) };
  const exchange = { ...isSubscribed, unsettled: () => undefined };
  const alone = new MarketStreams(scene.services.views, exchange, 2);
  const heard = new Hearing();
  alone.add("btcusd@trade", heard);
  const market = scene.services.views.catalogue.marketBySymbol("BTC-USD");
  const { marketId } = market ?? {};
  const traded = (sequence: number, tradeId: number) =>
    ({ type: "traded", marketId, sequence, tradeId, ...TRADE }) as ExchangeEvent;
  const command = (sequence: number) =>
    Array.from({ length: 500 }, (_, at) => traded(sequence, sequence * 1_000 + at));
  for (const sequence of [1, 2]) expect(isTakenAtOnce(listener(command(sequence)))).toBe(true);
  const chunks = chunksOf(listener(command(3)));
  expect(chunks.next().done).toBe(false);
  while (chunks.next().done !== true) await setImmediate();
  expect(heard.messages.length).toBeGreaterThanOrEqual(500);
  expect(heard.messages.length).toBeLessThan(1_500);
  while (heard.messages.length < 1_500) await setImmediate();
  alone.remove("btcusd@trade", heard);
});

test("listeners of one stream get the same bytes", async () => {
  const [one, other] = [listen("btcusd@trade"), listen("btcusd@trade")];
  await taker({ ...buy, market: "BTC-USD", price: "65000.00" });
  expect(one.heard.messages).toHaveLength(1);
  expect(one.heard.messages[0].raw).toBe(other.heard.messages[0].raw);
  one.stop();
  other.stop();
});
