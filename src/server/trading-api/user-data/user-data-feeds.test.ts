import { beforeEach, expect, test } from "vitest";
import type { Lots } from "#engine/amount.ts";
import type { ExchangeEvent } from "#engine/events.ts";
import { createScene, type Scene } from "#test/support/market-scene.ts";
import type { Exchange } from "../../exchange/exchange.ts";
import { UserDataFeeds } from "./user-data-feeds.ts";

const PRICE = "64000.00";
const PARTS = 10;

let scene: Scene;
let feeds: UserDataFeeds;
/** Passes a batch to the feeds, whose views already include it. */
let listener: Parameters<Exchange["subscribe"]>[0];

beforeEach(() => {
  scene = createScene();
  feeds = new UserDataFeeds(scene.views, {
    subscribe(given) {
      listener = given;
      return () => undefined;
    },
  });
});

function chunksOf(events: readonly ExchangeEvent[]): Iterator<unknown> {
  return (listener(events) ?? [])[Symbol.iterator]();
}

function pass(events: readonly ExchangeEvent[]): void {
  for (const chunks = chunksOf(events); chunks.next().done !== true;);
}

/** This many icebergs of an account at one price. */
function icebergs(count: number, userId = "maker"): number {
  const account = scene.open(userId, { BTC: "1000" });
  for (let placed = 0; placed < count; placed++) {
    const { rejected } = scene.place({
      account,
      side: "sell",
      price: PRICE,
      quantity: "0.0100",
      changes: { conditions: { displayLots: 10 as Lots } },
    });
    expect(rejected).toBeUndefined();
  }
  return account;
}

/** The events of an order that takes all parts of this many icebergs. */
function take(count: number): readonly ExchangeEvent[] {
  const account = scene.open("simulated:taker", { USD: "1000000000" });
  const quantity = (count * 0.01).toFixed(4);
  const { events } = scene.place({ account, side: "buy", price: PRICE, quantity });
  expect(events.filter(({ type }) => type === "traded")).toHaveLength(count * PARTS);
  return events;
}

interface Report {
  readonly e: string;
  readonly i: number;
  readonly X: string;
  readonly z: string;
}

/** The messages that a new follower of the account gets. */
function follow(account: number) {
  const reports: Report[] = [];
  const earlier: number[] = [];
  let count = 0;
  feeds.follow(account, (text, before) => {
    count += 1;
    earlier.push(before);
    const message = JSON.parse(text) as Report;
    if (message.e === "executionReport") reports.push(message);
  });
  return { reports, earlier, count: () => count };
}

/** The same events; counts how often each is inspected. */
function watched(events: readonly ExchangeEvent[]) {
  let looks = 0;
  const proxy = new Proxy(events, {
    get(target, key, receiver) {
      if (typeof key === "string" && /^\d+$/.test(key)) looks += 1;
      return Reflect.get(target, key, receiver) as unknown;
    },
  });
  return { events: proxy, looks: () => looks };
}

test.each([4, 40])("with %i icebergs at one price no event is looked at more often", (count) => {
  const { reports } = follow(icebergs(count));
  const batch = watched(take(count));
  pass(batch.events);
  expect(reports).toHaveLength(count * PARTS);
  expect(reports.filter(({ X }) => X === "FILLED")).toHaveLength(count);
  expect(batch.looks()).toBe(2 * batch.events.length);
});

test("more accounts that are followed make no event looked at more often", () => {
  const followers = Array.from({ length: 20 }, (_, at) => follow(icebergs(2, `maker ${at}`)));
  const batch = watched(take(40));
  pass(batch.events);
  for (const { reports } of followers) expect(reports).toHaveLength(2 * PARTS);
  expect(batch.looks()).toBe(2 * batch.events.length);
});

test("the messages of a large command are sent in chunks, with other work in between", () => {
  const { count } = follow(icebergs(40));
  const events = take(40);
  const chunks: number[] = [];
  let before = 0;
  for (const taken = chunksOf(events); taken.next().done !== true;) {
    chunks.push(count() - before);
    before = count();
  }
  expect(chunks.length).toBeGreaterThan(5);
  expect(Math.max(...chunks)).toBeLessThanOrEqual(64);
  // The last message reports the balances.
  expect(count()).toBe(40 * PARTS + 1);
});

test("who follows after the views have shown a batch gets none of it, and no fill is counted twice", () => {
  const account = icebergs(2);
  const shown = take(1);
  const one = follow(account);
  pass(shown);
  expect(one.count()).toBe(0);
  const other = follow(account);
  const buyer = scene.open("simulated:later", { USD: "1000000" });
  pass(scene.place({ account: buyer, side: "buy", price: PRICE, quantity: "0.0010" }).events);
  for (const { reports } of [one, other]) {
    const order = scene.views.people.order(account, reports[0].i);
    expect(reports.map(({ z }) => Number(z) * 10_000)).toEqual([order?.filledLots]);
  }
});

test("a second follower gets nothing of a batch that the first one still has to get", () => {
  const account = icebergs(2);
  const first = follow(account);
  const shown = take(1);
  const second = follow(account);
  pass(shown);
  expect(first.reports).toHaveLength(PARTS);
  expect(second.count()).toBe(0);
});

test("messages say how many about the same command came before", () => {
  const { earlier } = follow(icebergs(1));
  pass(take(1));
  expect(earlier).toEqual(Array.from({ length: PARTS + 1 }, (_, at) => at));
});
