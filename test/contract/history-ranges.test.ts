/** Orders and fills of an account by number, time and client order id, as programs page through them. */
import { afterEach, expect, test } from "vitest";
import type { Database } from "#server/database/open-database.ts";
import { type History, openHistory } from "#server/history/history.ts";
import type { FillRange, Range } from "#server/history/readers/range-reader.ts";
import { createSilentLog } from "#server/log.ts";
import type { OrderListRecord } from "#server/records/order-lists.ts";
import type { OrderRecord } from "#server/records/orders.ts";
import type { FillRecord } from "#server/records/trades.ts";
import { describeEachDatabase } from "./databases.ts";
import {
  ANNA,
  BERT,
  BTC_USD,
  cutIntoBatches,
  ETH_USD,
  ExchangeScript,
  randomCourse,
} from "./exchange-events.ts";

const simulatedCandlesModule = new URL("./stand-in-candles.ts", import.meta.url);
const histories: History[] = [];

async function projected(database: Database, batches: ReturnType<typeof cutIntoBatches>) {
  const history = await openHistory({ database, log: createSilentLog(), simulatedCandlesModule });
  histories.push(history);
  for (const batch of batches) history.project(batch);
  await history.whenProjected();
  return history;
}

interface Bounds {
  readonly fromId?: number;
  readonly fromMs?: number;
  readonly toMs?: number;
  readonly limit: number;
}

/** What a range means, over everything oldest first. */
function naiveRange<Item>(
  all: readonly Item[],
  idOf: (item: Item) => number,
  timeOf: (item: Item) => number,
  { fromId, fromMs, toMs, limit }: Bounds,
): Item[] {
  const within = all.filter(
    (item) =>
      idOf(item) >= (fromId ?? 0) &&
      timeOf(item) >= (fromMs ?? 0) &&
      timeOf(item) <= (toMs ?? 1e16),
  );
  const isFromFirst = fromId !== undefined || fromMs !== undefined;
  return isFromFirst ? within.slice(0, limit) : within.slice(-limit);
}

/** Bounds on, beside and beyond the numbers and times of the items. */
function boundsAround(ids: readonly number[], times: readonly number[]): Bounds[] {
  const pick = (values: readonly number[]) =>
    [0.3, 0.7].flatMap((part) => {
      const value = values[Math.floor(values.length * part)];
      return [value - 1, value, value + 1];
    });
  const [fromIds, moments] = [pick(ids), pick(times)];
  return [3, 1_000].flatMap((limit) => [
    { limit },
    { limit, fromId: 0 },
    { limit, fromMs: 0 },
    { limit, fromId: 1e12 },
    { limit, fromMs: 1e15 },
    { limit, toMs: 0 },
    ...fromIds.map((fromId) => ({ limit, fromId })),
    ...moments.map((fromMs) => ({ limit, fromMs })),
    ...moments.map((toMs) => ({ limit, toMs })),
    ...moments.map((fromMs) => ({ limit, fromMs, toMs: fromMs + 60_000 })),
    ...moments.map((fromMs, index) => ({ limit, fromMs, fromId: fromIds[index] })),
  ]);
}

describeEachDatabase("ranges of the history", (open) => {
  afterEach(async () => {
    await Promise.all(histories.splice(0).map((history) => history.close()));
  });

  test("orders and fills are those within the bounds, oldest first, the newest if none is the first", async () => {
    const events = randomCourse(11, 600);
    const { read } = await projected(await open(), cutIntoBatches(events, 4));
    const account = ANNA;
    const orders = (await read.orders({ account, marketId: BTC_USD, limit: 1_000 })).items;
    const fills = (await read.fills({ account, marketId: BTC_USD, limit: 1_000 })).items;
    expect(Math.min(orders.length, fills.length)).toBeGreaterThan(30);
    const market = { account, marketId: BTC_USD };
    const ofOrder = (order: OrderRecord) => order.orderId;
    const ofFill = (fill: FillRecord) => fill.tradeId;
    const placedAt = (order: OrderRecord) => order.placedAtMs;
    const tradedAt = (fill: FillRecord) => fill.timestampMs;
    orders.reverse();
    fills.reverse();
    for (const bounds of boundsAround(orders.map(ofOrder), orders.map(placedAt))) {
      const range: Range = { ...market, ...bounds };
      expect(await read.orderRange(range), JSON.stringify(bounds)).toEqual(
        naiveRange(orders, ofOrder, placedAt, bounds),
      );
    }
    for (const bounds of boundsAround(fills.map(ofFill), fills.map(tradedAt))) {
      const range: FillRange = { ...market, ...bounds };
      expect(await read.fillRange(range), JSON.stringify(bounds)).toEqual(
        naiveRange(fills, ofFill, tradedAt, bounds).map((fill) => ({ ...fill, listId: 0 })),
      );
    }
  });

  test("the fills of an order can be continued amid a command with many, and are its owner's alone", async () => {
    const script = new ExchangeScript().begin();
    const resting = [1, 2, 3, 4].map((lots) => script.rest(ANNA, BTC_USD, "sell", 9, lots));
    const orderId = script.take(BERT, resting, 10);
    const { read } = await projected(await open(), [script.events]);
    const range = { account: BERT, marketId: BTC_USD, orderId, limit: 2 };
    const numbers = async (from: number) =>
      (await read.fillRange({ ...range, fromId: from })).map(({ tradeId }) => tradeId);
    expect(await numbers(0)).toEqual([1, 2]);
    expect(await numbers(3)).toEqual([3, 4]);
    expect(await read.fillRange({ ...range, account: ANNA })).toEqual([]);
    expect(await read.fillRange({ ...range, marketId: ETH_USD })).toEqual([]);
    expect(await read.orderRange({ account: BERT, marketId: ETH_USD, limit: 5 })).toEqual([]);
    await expect(read.fillRange({ ...range, limit: 1_001 })).rejects.toThrow(RangeError);
    await expect(read.orderRange({ ...range, limit: 0 })).rejects.toThrow(RangeError);
  });

  test("lists are those within the bounds, and found by number and name in their own account only", async () => {
    const script = new ExchangeScript().begin();
    for (let listId = 1; listId <= 60; listId++) {
      script.timeMs += (listId % 4) * 20_000;
      const orderIds = [2 * listId, 2 * listId + 1];
      const clientListId = `list-${listId % 50}`;
      const of = { listId, marketId: listId % 3 === 0 ? ETH_USD : BTC_USD, orderIds } as const;
      const account = listId % 5 === 0 ? BERT : ANNA;
      script.next({ type: "orderListPlaced", account, kind: "oto", ...of, clientListId });
    }
    const { read } = await projected(await open(), cutIntoBatches(script.events, 4));
    const account = ANNA;
    const all = await read.orderListRange({ account, limit: 1_000 });
    expect(all).toHaveLength(48);
    expect(all[2]).toEqual({
      account,
      listId: 3,
      marketId: ETH_USD,
      kind: "oto",
      clientListId: "list-3",
      firstOrderId: 6,
      orderCount: 2,
      placedAtMs:
        script.events.find(({ type }) => type === "orderListPlaced")!.timestampMs + 100_000,
    });
    const ofList = ({ listId }: OrderListRecord) => listId;
    const placedAt = ({ placedAtMs }: OrderListRecord) => placedAtMs;
    for (const bounds of boundsAround(all.map(ofList), all.map(placedAt))) {
      expect(await read.orderListRange({ account, ...bounds }), JSON.stringify(bounds)).toEqual(
        naiveRange(all, ofList, placedAt, bounds),
      );
    }
    expect(await read.orderList({ account, listId: 3 })).toEqual(all[2]);
    expect(await read.orderList({ account, listId: 5 })).toBeUndefined();
    expect(await read.orderList({ account, clientListId: "list-3" })).toMatchObject({ listId: 53 });
    expect(await read.orderList({ account, clientListId: "list-5" })).toBeUndefined();
    await expect(read.orderListRange({ account, limit: 1_001 })).rejects.toThrow(RangeError);
  });

  test("orders are found by their numbers, in their own account only", async () => {
    const script = new ExchangeScript().begin();
    const ids = [1, 2, 3].map((lots) => script.rest(ANNA, BTC_USD, "sell", 9, lots));
    const other = script.rest(BERT, BTC_USD, "sell", 9, 1);
    const { read } = await projected(await open(), [script.events]);
    const found = await read.ordersById(ANNA, [ids[2], other, ids[0]]);
    expect(found.map(({ orderId }) => orderId)).toEqual([ids[0], ids[2]]);
    expect(await read.ordersById(ANNA, [])).toEqual([]);
  });

  test("an order is found by its client order id, the newest of several, in its own account only", async () => {
    const script = new ExchangeScript().begin();
    script.cancel(script.rest(ANNA, BTC_USD, "sell", 9, 1, "mine"));
    const newer = script.rest(ANNA, ETH_USD, "sell", 9, 1, "mine");
    script.rest(BERT, BTC_USD, "sell", 9, 1, "his");
    const { read } = await projected(await open(), [script.events]);
    expect(await read.orderByClientId(ANNA, "mine")).toMatchObject({ orderId: newer });
    expect(await read.orderByClientId(BERT, "mine")).toBeUndefined();
    expect(await read.orderByClientId(ANNA, "min")).toBeUndefined();
  });
});
