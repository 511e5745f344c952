import { sql } from "kysely";
import { afterEach, describe, expect, test } from "vitest";
import { candleOpenTime } from "#contract/candle-intervals.ts";
import { CANDLE_INTERVALS } from "#contract/types.ts";
import type { EventOf, ExchangeEvent } from "#engine/events.ts";
import { postingsOf } from "#engine/accounts/postings.ts";
import type { Database } from "#server/database/open-database.ts";
import { CursorError } from "#server/database/cursor.ts";
import { openHistory, type History, type HistoryOptions } from "#server/history/history.ts";
import { rebuildHistory } from "#server/history/rebuild-history.ts";
import { createSilentLog } from "#server/log.ts";
import { quoteVolumeOf, takerBuyQuoteVolumeOf } from "#server/records/candles.ts";
import { candleWith, naiveCandle } from "#test/support/trades.ts";
import { describeEachDatabase } from "./databases.ts";
import { dumpHistory } from "./dump-history.ts";
import {
  ANNA,
  at,
  BERT,
  BTC,
  BTC_USD,
  cutIntoBatches,
  ETH,
  ETH_USD,
  ExchangeScript,
  ORIGIN_TIME,
  randomCourse,
  ROBOT,
  USD,
} from "./exchange-events.ts";
import { simulatedCandles } from "./stand-in-candles.ts";

const log = createSilentLog();
const simulatedCandlesModule = new URL("./stand-in-candles.ts", import.meta.url);

const histories: History[] = [];
async function historyOf(database: Database, options: Partial<HistoryOptions> = {}) {
  const history = await openHistory({ database, log, simulatedCandlesModule, ...options });
  histories.push(history);
  return history;
}

async function projected(database: Database, batches: Iterable<readonly ExchangeEvent[]>) {
  const history = await historyOf(database);
  for (const batch of batches) history.project(batch);
  await history.whenProjected();
  return history;
}

async function until(isMet: () => boolean) {
  while (!isMet()) await new Promise((resolve) => setTimeout(resolve, 5));
}

describeEachDatabase("history", (open, dialect) => {
  // Before the database is closed and removed: vitest runs later hooks first.
  afterEach(async () => {
    await Promise.all(histories.splice(0).map((history) => history.close()));
  });

  test("an order is followed from placement over fills to its end", async () => {
    const script = new ExchangeScript().begin();
    const maker = script.rest(ANNA, BTC_USD, "sell", 1_000, 10, "mine");
    script.timeMs += 5_000;
    const taker = script.take(BERT, [maker], 4);
    const history = await projected(await open(), [script.events]);
    const [order] = (await history.read.orders({ account: ANNA, limit: 10 })).items;
    expect(order).toMatchObject({
      orderId: maker,
      clientOrderId: "mine",
      side: "sell",
      priceTicks: 1_000,
      quantityLots: 10,
      filledLots: 4,
      filledNotional: 4_000,
      status: "open",
      placedAtMs: ORIGIN_TIME,
      updatedAtMs: ORIGIN_TIME + 5_000,
      placedSequence: script.sequence - 1,
      updatedSequence: script.sequence,
      postOnly: false,
    });
    const fills = await history.read.fills({ account: ANNA, limit: 10 });
    expect(fills.items).toEqual([
      {
        tradeId: 1,
        orderId: maker,
        account: ANNA,
        marketId: BTC_USD,
        side: "sell",
        priceTicks: 1_000,
        quantityLots: 4,
        notional: 4_000,
        fee: 8,
        feeAssetId: USD,
        feeBps: 20,
        feeSource: "plan",
        role: "maker",
        timestampMs: ORIGIN_TIME + 5_000,
        sequence: script.sequence,
      },
    ]);
    const [taken] = (await history.read.orders({ account: BERT, limit: 10 })).items;
    expect(taken).toMatchObject({ orderId: taker, status: "filled", filledLots: 4 });
    const bertsFills = await history.read.fills({ account: BERT, limit: 10 });
    expect(bertsFills.items).toMatchObject([
      { role: "taker", side: "buy", fee: 1, feeAssetId: BTC, feeBps: 25 },
    ]);
    script.cancel(maker);
    history.project(script.events.filter((event) => event.sequence === script.sequence));
    await history.whenProjected();
    const cancelled = await history.read.orders({ account: ANNA, limit: 10 });
    expect(cancelled.items).toMatchObject([{ status: "cancelled", filledLots: 4 }]);
  });

  test("the ledger entries of a person are exactly the legs of its postings", async () => {
    const events = randomCourse(3, 400);
    const history = await projected(await open(), cutIntoBatches(events, 3));
    const assets = (marketId: number) => ({
      baseAssetId: marketId === BTC_USD ? BTC : ETH,
      quoteAssetId: USD,
    });
    for (const account of [ANNA, BERT]) {
      const legs = new Map<number, unknown[]>();
      for (const event of events) {
        let orderId = "orderId" in event ? event.orderId : 0;
        if (event.type === "traded") {
          orderId = event.makerAccount === account ? event.makerOrderId : event.takerOrderId;
        }
        for (const posting of postingsOf(event, assets)) {
          const of = legs.get(event.sequence) ?? [];
          legs.set(event.sequence, of);
          const { debitAccount, debitBalance, creditAccount, creditBalance } = posting;
          const { amount, assetId, reason } = posting;
          if (debitAccount === account)
            of.push([assetId, 0 - amount, debitBalance, reason, orderId]);
          if (creditAccount === account) of.push([assetId, amount, creditBalance, reason, orderId]);
        }
      }
      for (const [sequence, expected] of legs) {
        const entries = await history.read.ledgerEntries(account, sequence);
        expect(
          entries.map((entry) => [
            entry.assetId,
            entry.amount,
            entry.balance,
            entry.reason,
            entry.orderId,
          ]),
        ).toEqual(expected);
        expect(entries.map((entry) => entry.position)).toEqual(entries.map((_, index) => index));
      }
    }
  });

  test("trades are of all accounts; orders, fills, entries and activity are only of people", async () => {
    const script = new ExchangeScript().begin();
    script.next({ type: "participantFunded", account: ROBOT, assetId: BTC, amount: 9 as never });
    script.next({ type: "planAssigned", account: ROBOT, planId: 2 });
    script.take(ANNA, [script.rest(ROBOT, BTC_USD, "sell", 1_000, 10)], 4);
    const database = await open();
    const history = await projected(database, [script.events]);
    expect((await history.read.trades({ marketId: BTC_USD, limit: 10 })).items).toHaveLength(1);
    for (const table of ["orders", "fills", "ledger_entries", "activity"] as const) {
      const rows = await database.read.selectFrom(table).select("account").distinct().execute();
      expect(rows, table).toEqual([{ account: ANNA }]);
    }
  });

  test("the same events give the same tables, however they are cut into batches", async () => {
    const events = randomCourse(7, 600);
    const whole = await open();
    await projected(whole, [events]);
    const cut = await open();
    const history = await historyOf(cut);
    for (const [index, batch] of cutIntoBatches(events, 8).entries()) {
      history.project(batch);
      if (index % 3 === 0) await history.whenProjected();
    }
    await history.whenProjected();
    expect(history.health()).toMatchObject({ status: "ok", lag: 0 });
    expect(history.projectedSequence).toBe(events.at(-1)?.sequence);
    expect(await dumpHistory(cut)).toEqual(await dumpHistory(whole));
  });

  test("after a restart it continues where it stopped and doubles nothing", async () => {
    const events = randomCourse(11, 600);
    const whole = await open();
    await projected(whole, [events]);
    const database = await open();
    let known = 0;
    for (const share of [0.2, 0.2, 0.7, 1]) {
      const last = events[Math.floor((events.length - 1) * share)].sequence;
      const again = await open(database);
      const history = await historyOf(again);
      expect(history.projectedSequence).toBe(known);
      const replayed = events.filter((event) => event.sequence <= last);
      for (const batch of cutIntoBatches(replayed, known + 1)) history.project(batch);
      await history.whenProjected();
      known = last;
      await history.close();
    }
    expect(await dumpHistory(database)).toEqual(await dumpHistory(whole));
  });

  test("a rebuilt history equals the one written as events came", async () => {
    const script = new ExchangeScript().begin();
    script.next({ type: "simulationStarted", seed: 5 });
    const begun = script.sequence;
    const later = randomCourse(13, 500)
      .filter((event) => event.sequence >= begun)
      .map((event) => at(event, event.sequence + 1));
    const events = [...script.events, ...later];
    const written = await open();
    await projected(written, cutIntoBatches(events, 1));
    const before = await dumpHistory(written);
    expect(before.candles.length).toBeGreaterThan(4 * 1_440);
    await sql`update trades set quantity_lots = 0`.execute(written.write);
    await sql`delete from orders where account = ${ANNA}`.execute(written.write);
    const sequence = await rebuildHistory({
      database: written,
      events: cutIntoBatches(events, 2),
      simulatedCandles,
      log,
    });
    expect(sequence).toBe(events.at(-1)?.sequence);
    expect(await dumpHistory(written)).toEqual(before);
  });

  test("a failing database is tried again and trading events wait for it", async () => {
    const database = await open();
    const script = new ExchangeScript().begin();
    const history = await projected(database, [script.events]);
    await sql`alter table trades rename to trades_away`.execute(database.write);
    const done = script.events.length;
    const maker = script.rest(ANNA, BTC_USD, "sell", 1_000, 10);
    script.take(BERT, [maker], 10);
    history.project(script.events.slice(done));
    await until(() => history.health().status === "retrying");
    expect(history.health()).toMatchObject({ lag: 2, failure: expect.stringContaining("trades") });
    expect((await history.read.orders({ account: ANNA, limit: 10 })).items).toEqual([]);
    await sql`alter table trades_away rename to trades`.execute(database.write);
    await history.whenProjected();
    expect(history.health()).toMatchObject({ status: "ok", lag: 0, failure: undefined });
    expect((await history.read.orders({ account: ANNA, limit: 10 })).items).toHaveLength(1);
    expect((await history.read.trades({ marketId: BTC_USD, limit: 10 })).items).toHaveLength(1);
  });

  test("where too much waits it says that it is behind, and the next start makes up for it", async () => {
    const events = randomCourse(17, 300);
    const database = await open();
    await sql`alter table trades rename to trades_away`.execute(database.write);
    const history = await historyOf(database, { backlogBytesMax: 4_096 });
    for (const batch of cutIntoBatches(events, 1)) history.project(batch);
    expect(history.health().status).toBe("behind");
    await sql`alter table trades_away rename to trades`.execute(database.write);
    await history.close();
    await projected(database, [events]);
    const whole = await open();
    await projected(whole, [events]);
    expect(await dumpHistory(database)).toEqual(await dumpHistory(whole));
  });

  test("it refuses to mix two journals in one database", async () => {
    const database = await open();
    const first = await projected(database, [new ExchangeScript().begin().events]);
    await first.close();
    const other = await historyOf(database);
    other.project(new ExchangeScript(ORIGIN_TIME + 1).begin().events);
    expect(other.health()).toMatchObject({ status: "failed" });
    await expect(other.whenProjected()).rejects.toThrow("another journal");

    const atOnce = await historyOf(database);
    atOnce.project(new ExchangeScript(ORIGIN_TIME + 1).begin().events.slice(0, 1));
    expect(atOnce.health()).toMatchObject({ status: "failed" });

    const shorter = new ExchangeScript().begin();
    const diverged = await historyOf(database);
    diverged.project(
      shorter.events.map((event) =>
        event.sequence === shorter.sequence ? at(event, event.sequence, ORIGIN_TIME + 1) : event,
      ),
    );
    expect(diverged.health()).toMatchObject({ status: "failed" });
  });

  test("two writers of one history cannot both go on", async () => {
    const database = await open();
    const script = new ExchangeScript().begin();
    const one = await projected(database, [script.events]);
    const two = await projected(database, [script.events]);
    const done = script.events.length;
    script.takeFunds(ANNA, 5);
    script.takeFunds(ANNA, 6);
    one.project(script.events.slice(done, done + 1));
    await one.whenProjected();
    two.project(script.events.slice(done));
    await expect(two.whenProjected()).rejects.toThrow("Another exchange writes to the same");
    expect(two.health().status).toBe("failed");
    // That stops its exchange: what it acknowledged from here on, the other would not know.
    expect(() => two.project([])).toThrow("Another exchange writes to the same database");
    script.takeFunds(ANNA, 7);
    one.project(script.events.slice(done + 1));
    await one.whenProjected();
    expect(await dumpHistory(database)).toMatchObject({
      activity: ["5", "6", "7"].map((amount) => expect.stringContaining(`"amount":${amount},`)),
    });
  });

  test("tables that were put back while it runs fail it, but stop nothing", async () => {
    const database = await open();
    const script = new ExchangeScript().begin();
    const history = await projected(database, [script.events]);
    const done = script.events.length;
    await database.write.updateTable("history_progress").set({ sequence: 1 }).execute();
    script.takeFunds(ANNA, 5);
    history.project(script.events.slice(done));
    await expect(history.whenProjected()).rejects.toThrow("By another process");
    expect(() => history.project([])).not.toThrow();
  });

  describe("pages", () => {
    test("walking through them shows every row once, newest first, with every filter", async () => {
      const events = randomCourse(19, 500);
      const { read } = await projected(await open(), [events]);
      const walk = async <Item>(
        page: (cursor: string | undefined) => Promise<{ items: Item[]; cursor: string | null }>,
      ) => {
        const items: Item[] = [];
        let cursor: string | undefined;
        do {
          const next = await page(cursor);
          items.push(...next.items);
          cursor = next.cursor ?? undefined;
        } while (cursor !== undefined);
        return items;
      };
      const orders = (await read.orders({ account: ANNA, limit: 1_000 })).items;
      const fills = (await read.fills({ account: ANNA, limit: 1_000 })).items;
      expect(orders.length).toBeGreaterThan(30);
      expect(fills.length).toBeGreaterThan(30);
      expect(orders.map((order) => order.orderId)).toEqual(
        events
          .filter((event) => event.type === "orderPlaced" && event.account === ANNA)
          .map((event) => (event as { orderId: number }).orderId)
          .reverse(),
      );
      for (const marketId of [undefined, BTC_USD, ETH_USD]) {
        const isWanted = (row: { marketId: number }) =>
          marketId === undefined || row.marketId === marketId;
        const query = { account: ANNA, marketId, limit: 7 };
        expect(await walk((cursor) => read.orders({ ...query, cursor }))).toEqual(
          orders.filter(isWanted),
        );
        expect(await walk((cursor) => read.fills({ ...query, cursor }))).toEqual(
          fills.filter(isWanted),
        );
      }
      for (const status of ["open", "partiallyFilled", "filled", "cancelled", "expired"] as const) {
        const wanted = orders.filter((order) =>
          order.status === "open"
            ? status === (order.filledLots > 0 ? "partiallyFilled" : "open")
            : order.status === status,
        );
        const query = { account: ANNA, status, limit: 3 };
        expect(await walk((cursor) => read.orders({ ...query, cursor })), status).toEqual(wanted);
      }
      const trades = await walk((cursor) => read.trades({ marketId: ETH_USD, limit: 9, cursor }));
      expect(trades.map((trade) => trade.tradeId)).toEqual(trades.map((_, i) => trades.length - i));

      const activity = await walk((cursor) => read.activity({ account: ANNA, limit: 11, cursor }));
      expect(activity.filter((item) => item.kind === "order").map((item) => item.order)).toEqual(
        orders,
      );
      expect(activity.filter((item) => item.kind === "fill").map((item) => item.fill)).toEqual(
        fills,
      );
      for (const kind of ["order", "fill", "transfer", "plan"] as const) {
        const ofKind = await walk((cursor) =>
          read.activity({ account: ANNA, kind, limit: 4, cursor }),
        );
        expect(ofKind.length).toBeGreaterThan(0);
        expect(ofKind).toEqual(activity.filter((item) => item.kind === kind));
      }
      expect(new Set(activity.map((item) => `${item.sequence}-${item.position}`)).size).toBe(
        activity.length,
      );
    });

    test("the largest page has its details too", async () => {
      const script = new ExchangeScript().begin();
      for (let i = 0; i < 1_200; i += 1)
        script.take(ANNA, [script.rest(ROBOT, BTC_USD, "buy", 9, 2)], 2);
      const { read } = await projected(await open(), cutIntoBatches(script.events, 1));
      const { items } = await read.activity({ account: ANNA, kind: "fill", limit: 1_000 });
      expect(items).toHaveLength(1_000);
      expect((await read.activity({ account: ANNA, limit: 1_000 })).items).toHaveLength(1_000);
    });

    test("a search that runs long answers with what it found and continues from there", async () => {
      const script = new ExchangeScript().begin();
      const needle = script.rest(ANNA, ETH_USD, "buy", 7, 1, "needle");
      for (let i = 0; i < 50_000; i += 1) script.takeFunds(ANNA, 1);
      script.cancel(needle);
      const { read } = await projected(await open(), cutIntoBatches(script.events, 1));
      const first = await read.activity({ account: ANNA, search: "needle", limit: 5 });
      expect(first.items).toEqual([]);
      expect(first.cursor).not.toBeNull();
      const second = await read.activity({
        account: ANNA,
        search: "needle",
        limit: 5,
        cursor: first.cursor ?? undefined,
      });
      expect(second.items).toMatchObject([{ kind: "order", order: { orderId: needle } }]);
      expect(second.cursor).toBeNull();
    });

    test("a search finds rows that contain all its words", async () => {
      const script = new ExchangeScript().begin();
      script.takeFunds(ANNA, 100);
      script.next({ type: "planAssigned", account: ANNA, planId: 2 });
      const order = script.rest(ANNA, BTC_USD, "sell", 1_000, 10, "My-Order");
      script.rest(ANNA, ETH_USD, "buy", 1_000, 10);
      script.take(BERT, [order], 3);
      script.cancel(order);
      const { read } = await projected(await open(), [script.events]);
      const kindsFound = async (search: string) =>
        (await read.activity({ account: ANNA, search, limit: 50 })).items.map((item) => item.kind);
      expect(await kindsFound("btc-usd")).toEqual(["fill", "order"]);
      expect(await kindsFound("my-order  CANCELLED")).toEqual(["order"]);
      expect(await kindsFound("eth open")).toEqual(["order"]);
      expect(await kindsFound("practice")).toEqual(["transfer"]);
      expect(await kindsFound("pro")).toEqual(["plan"]);
      expect(await kindsFound("usd 100%_")).toEqual([]);
      expect(await kindsFound("  ")).toHaveLength(5);
      const first = await read.activity({ account: ANNA, search: "usd", limit: 2 });
      const second = await read.activity({
        account: ANNA,
        search: "usd",
        limit: 2,
        cursor: first.cursor ?? undefined,
      });
      expect([...first.items, ...second.items].map((item) => item.kind)).toEqual([
        "fill",
        "order",
        "order",
        "transfer",
      ]);
      expect(second.cursor).toBeNull();
    });

    test("cursors that no page handed out and limits out of range are refused", async () => {
      const { read } = await projected(await open(), [new ExchangeScript().begin().events]);
      for (const cursor of ["", "x", "MQ", "MS4y4", "é", "LTEuMg", "1".repeat(100), "MS4yLjM"]) {
        await expect(read.fills({ account: ANNA, limit: 5, cursor }), cursor).rejects.toThrow(
          CursorError,
        );
      }
      for (const limit of [0, -1, 1.5, Number.NaN, 1_001]) {
        await expect(read.orders({ account: ANNA, limit })).rejects.toThrow(RangeError);
      }
    });

    test("each entry of an order belongs to one of its fills or to its hold", async () => {
      const script = new ExchangeScript().begin();
      const resting = [1, 2, 3].map((lots) => script.rest(ANNA, BTC_USD, "sell", 9, lots));
      script.take(BERT, resting, 6);
      const { read } = await projected(await open(), [script.events]);
      const [order] = (await read.orders({ account: BERT, limit: 1 })).items;
      const fills = await read.fillsOfOrder(BERT, order.orderId, 10);
      expect(fills.length).toBe(3);
      const ofFills = await Promise.all(fills.map((fill) => read.fillEntries(fill)));
      for (const [index, { quantityLots }] of fills.entries()) {
        expect(ofFills[index].filter(({ reason }) => reason === "trade").length).toBe(2);
        expect(quantityLots).toBe(index + 1);
      }
      const all = await read.ledgerEntries(BERT, fills[0].sequence);
      const ofOrder = all.filter(({ orderId }) => orderId === order.orderId);
      const holds = await read.holdEntries(order);
      expect(holds.every(({ reason }) => reason === "hold" || reason === "release")).toBe(true);
      const positions = [...ofFills.flat(), ...holds].map(({ position }) => position);
      expect(positions.toSorted((left, right) => left - right)).toEqual(
        ofOrder.map(({ position }) => position),
      );
    });

    test("no user reads the rows of another, whatever cursor is passed", async () => {
      const script = new ExchangeScript().begin();
      for (let i = 0; i < 5; i += 1)
        script.take(BERT, [script.rest(ANNA, BTC_USD, "sell", 9, 2)], 2);
      const { read } = await projected(await open(), [script.events]);
      const { cursor } = await read.fills({ account: ANNA, limit: 2 });
      const stolen = await read.fills({ account: BERT, limit: 10, cursor: cursor ?? undefined });
      expect(stolen.items.length).toBeGreaterThan(0);
      expect(stolen.items.every((fill) => fill.account === BERT)).toBe(true);
      expect((await read.orders({ account: ROBOT, limit: 10 })).items).toEqual([]);
      expect(await read.ledgerEntries(ROBOT, script.sequence)).toEqual([]);
      const [annas] = (await read.orders({ account: ANNA, limit: 1 })).items;
      expect(await read.order(BERT, annas.orderId)).toBeUndefined();
      expect(await read.fillsOfOrder(BERT, annas.orderId, 10)).toEqual([]);
      const [fill] = await read.fillsOfOrder(ANNA, annas.orderId, 10);
      const { sequence, tradeId } = fill;
      expect(await read.fill(ANNA, annas.orderId, tradeId)).toEqual(fill);
      expect(await read.fill(ANNA, annas.orderId, tradeId + 1_000)).toBeUndefined();
      expect(await read.fill(BERT, annas.orderId, tradeId)).toBeUndefined();
      expect((await read.fillEntries(fill)).length).toBeGreaterThan(1);
      expect(await read.fillEntries({ ...fill, sequence: sequence - 1 })).toEqual([]);
      expect(await read.fillEntries({ ...fill, account: BERT })).toEqual([]);
    });
  });

  describe("candles", () => {
    test("every interval on reading equals the candles of its trades", async () => {
      const events = randomCourse(23, 900);
      const { read } = await projected(await open(), cutIntoBatches(events, 4));
      const trades = events.filter(
        (event): event is EventOf<"traded"> =>
          event.type === "traded" && event.marketId === BTC_USD,
      );
      expect(trades.length).toBeGreaterThan(50);
      for (const interval of CANDLE_INTERVALS) {
        if (interval === "1s") continue;
        const expected = new Map<number, EventOf<"traded">[]>();
        for (const trade of trades) {
          const openTime = candleOpenTime(interval, trade.timestampMs);
          expected.set(openTime, [...(expected.get(openTime) ?? []), trade]);
        }
        const candles = [...expected].map(([openTime, of]) => naiveCandle(openTime, of));
        const query = { marketId: BTC_USD, interval, limit: 1_000 };
        const end = trades[trades.length - 1].timestampMs + 1;
        expect(await read.candles({ ...query, before: end }), interval).toEqual(candles);
        // A candle counts by its opening, also when trades in it came after the moment asked for.
        for (const candle of candles.slice(-4)) {
          const earlier = await read.candles({ ...query, limit: 2, before: candle.openTime });
          expect(earlier).toEqual(candles.filter((c) => c.openTime < candle.openTime).slice(-2));
          const after = await read.candles({ ...query, limit: 2, before: candle.openTime + 1 });
          expect(after).toEqual(candles.filter((c) => c.openTime <= candle.openTime).slice(-2));
        }
      }
    });

    test("there are none of one second, of an unknown market and before the first", async () => {
      const { read } = await projected(await open(), [randomCourse(1, 100)]);
      const query = {
        marketId: BTC_USD,
        interval: "1m",
        before: ORIGIN_TIME - 1e9,
        limit: 5,
      } as const;
      expect(await read.candles(query)).toEqual([]);
      expect(await read.candles({ ...query, before: 2e12, interval: "1s" })).toEqual([]);
      expect(await read.candles({ ...query, before: 2e12, marketId: 99 })).toEqual([]);
    });

    test("a simulated market has its simulated history, continued by live trades", async () => {
      const script = new ExchangeScript().begin();
      script.next({ type: "simulationStarted", seed: 5 });
      script.timeMs += 1_000;
      script.take(ANNA, [script.rest(BERT, BTC_USD, "sell", 5_000, 9)], 9);
      const history = await projected(await open(), [script.events]);
      const columns = simulatedCandles(5, "BTC-USD", ORIGIN_TIME);
      const query = { marketId: BTC_USD, before: script.timeMs, limit: 1_000 };
      const minutes = await history.read.candles({ ...query, interval: "1m" });
      expect(minutes.at(-1)).toMatchObject({ openTicks: 5_000, volumeLots: 9 });
      expect(minutes.slice(0, -1)).toEqual(
        Array.from({ length: 999 }, (_, index) => index + columns.openTime.length - 999).map((i) =>
          candleWith({
            openTime: columns.openTime[i],
            openTicks: columns.open[i],
            highTicks: columns.high[i],
            lowTicks: columns.low[i],
            closeTicks: columns.close[i],
            volumeLots: columns.volume[i],
            quoteLow: columns.volume[i] * columns.close[i],
          }),
        ),
      );
      // 09:30: the hour has thirty simulated minutes and the live trade.
      const hour = (await history.read.candles({ ...query, interval: "1h" })).at(-1);
      const last = columns.openTime.length;
      expect(hour).toMatchObject({
        openTime: Date.UTC(2026, 10, 2, 9),
        tradeCount: 1,
        openTicks: columns.open[last - 30],
        highTicks: 5_000,
        lowTicks: Math.min(...columns.low.slice(last - 30)),
        closeTicks: 5_000,
        volumeLots: columns.volume.slice(last - 30).reduce((sum, volume) => sum + volume, 9),
      });
      const eth = await history.read.candles({ ...query, marketId: ETH_USD, interval: "1m" });
      expect(eth.at(-1)?.closeTicks).toBe(
        simulatedCandles(5, "ETH-USD", ORIGIN_TIME).close[last - 1],
      );
    });

    test("a volume stays at the largest exact number, a quote volume is exact beyond it", async () => {
      const lots = 2 ** 52 - 3;
      const script = new ExchangeScript().begin();
      const database = await open();
      const history = await historyOf(database);
      for (let i = 0; i < 3; i += 1) {
        script.take(ANNA, [script.rest(BERT, BTC_USD, "sell", 1, lots)], lots);
        history.project(script.events.splice(0));
        await history.whenProjected();
      }
      const query = { marketId: BTC_USD, interval: "1d", before: script.timeMs, limit: 1 } as const;
      const [candle] = await history.read.candles(query);
      expect(candle.volumeLots).toBe(Number.MAX_SAFE_INTEGER);
      expect(quoteVolumeOf(candle)).toBe(3n * BigInt(lots));
      expect(takerBuyQuoteVolumeOf(candle)).toBe(3n * BigInt(lots));
      expect(candle.tradeCount).toBe(3);
    });
  });

  if (dialect === "sqlite") {
    test("reading answers while the history is being written", async () => {
      const database = await open();
      const history = await historyOf(database);
      const [first, ...later] = cutIntoBatches(randomCourse(29, 3_000), 5);
      history.project(first);
      await history.whenProjected();
      const read = async () => (await history.read.orders({ account: ANNA, limit: 100 })).items;
      const before = await read();
      // While this holds the lock that the history needs, its writing cannot be over.
      await database.write.transaction().execute(async (transaction) => {
        await transaction.updateTable("orders").set({ quantity_lots: 1 }).execute();
        for (const batch of later) history.project(batch);
        for (let reads = 0; reads < 5; reads += 1) expect(await read()).toEqual(before);
        expect(history.health().lag).toBeGreaterThan(0);
      });
      while (history.health().lag > 0) await read();
      expect(await read()).toHaveLength(100);
    });
  }
});
