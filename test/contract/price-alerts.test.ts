import { expect, test, vi } from "vitest";
import type { ExchangeEvent } from "#engine/events.ts";
import { FIRINGS_KEPT } from "#server/alerts/alert-store.ts";
import type { Firing } from "#server/records/price-alerts.ts";
import { PriceAlerts } from "#server/alerts/price-alerts.ts";
import type { Database } from "#server/database/open-database.ts";
import { createSilentLog } from "#server/log.ts";
import { seededRandom } from "../disk/journal-disk.ts";
import { describeEachDatabase } from "./databases.ts";

const MARKET = 1;
const START_MS = Date.UTC(2026, 10, 2);
const STEP_MS = 20_000;

/** A trade of every sequence, as far as alerts read it. */
function tradeAt(sequence: number, priceTicks: number): ExchangeEvent {
  const timestampMs = START_MS + sequence * STEP_MS;
  return { type: "traded", sequence, timestampMs, marketId: MARKET, priceTicks } as ExchangeEvent;
}

/** The database for a process that dies: what it has begun to write ends, and nothing more is written. */
function mortal(database: Database) {
  const underWay = new Set<Promise<unknown>>();
  let isDead = false;
  const write = new Proxy(database.write, {
    get(target, name: keyof Database["write"]) {
      if (name !== "transaction") return target[name];
      return () => ({
        execute(run: Parameters<ReturnType<Database["write"]["transaction"]>["execute"]>[0]) {
          if (isDead) throw new Error("the process is dead");
          const written = target.transaction().execute(run);
          underWay.add(written);
          return written;
        },
      });
    },
  });
  return {
    database: { ...database, write },
    async die() {
      isDead = true;
      await Promise.allSettled(underWay);
    },
  };
}

interface Process {
  readonly alerts: PriceAlerts;
  readonly onFired: ReturnType<typeof vi.fn>;
}

/** Alerts as after a start: the journal's trades are yet to come. */
async function startOn(database: Database, prices: readonly number[]): Promise<Process> {
  const onFired = vi.fn<(firings: readonly Firing[]) => void>();
  let at = 0;
  const alerts = await PriceAlerts.open({
    database,
    log: createSilentLog(),
    prices: {
      lastTicks: () => prices[at] ?? 0,
      minutes: () => [],
      closeBefore: () => 0,
      nowMs: () => START_MS + at * STEP_MS,
    },
    onChange: () => undefined,
    onFired,
    isAlone: true,
    alertsMax: 1_000,
  });
  const fold = alerts.fold.bind(alerts);
  alerts.fold = (events) => {
    at = events.at(-1)?.sequence ?? at;
    fold(events);
  };
  return { alerts, onFired };
}

async function firingsIn(database: Database): Promise<{ id: string; price_ticks: number }[]> {
  return database.read
    .selectFrom("alert_firings")
    .select(["id", "price_ticks"])
    .orderBy("at_ms")
    .orderBy("id")
    .execute();
}

const onPrice = (priceTicks: number, repeats = false) => ({
  userId: "ada",
  marketId: MARKET,
  priceTicks,
  changeBps: 0,
  windowMinutes: 0,
  repeats,
});

describeEachDatabase("price alerts", (openDatabase) => {
  test("are kept with what they told, for a later process", async () => {
    const database = await openDatabase();
    const prices = [0, 100, 100, 110];
    const { alerts, onFired } = await startOn(database, prices);
    alerts.fold([tradeAt(1, 100)]);
    const once = await alerts.create(onPrice(105));
    const paused = await alerts.create(onPrice(104));
    await alerts.setPaused("ada", paused.id, true);
    alerts.fold([tradeAt(2, 100), tradeAt(3, 110)]);
    await vi.waitFor(() => expect(onFired).toHaveBeenCalled());
    expect(alerts.of("ada").map(({ id, status }) => [id, status])).toEqual(
      expect.arrayContaining([
        [once.id, "fired"],
        [paused.id, "paused"],
      ]),
    );

    const later = (await startOn(database, prices)).alerts;
    expect(later.of("ada").map(({ id, status }) => [id, status])).toEqual(
      expect.arrayContaining([
        [once.id, "fired"],
        [paused.id, "paused"],
      ]),
    );
    expect(await later.loadFirings("ada")).toMatchObject([
      { alertId: once.id, priceTicks: 110, targetTicks: 105, direction: "rise" },
    ]);
    expect(await later.loadFirings("bob")).toEqual([]);
  });

  test("fire once per crossing however often the process dies", async () => {
    for (const seed of [1, 2, 3]) {
      const random = seededRandom(seed);
      const prices = [0, 100];
      while (prices.length < 200) prices.push((prices.at(-1) ?? 0) + random(7) - 3);
      const trades = prices.map((price, sequence) => tradeAt(sequence, price)).slice(1);
      const targets = [92, 94, 96, 98, 99, 101, 102, 104, 106, 108];

      const plain = await openDatabase();
      const { alerts } = await startOn(plain, prices);
      alerts.fold(trades.slice(0, 1));
      for (const target of targets) await alerts.create(onPrice(target, target % 3 !== 0));
      for (const trade of trades.slice(1)) alerts.fold([trade]);
      await alerts.close();
      const expected = (await firingsIn(plain)).map(({ price_ticks }) => price_ticks);
      expect(expected.length).toBeGreaterThan(targets.length);

      const database = await openDatabase();
      let life = mortal(database);
      let running = (await startOn(life.database, prices)).alerts;
      running.fold(trades.slice(0, 1));
      for (const target of targets) await running.create(onPrice(target, target % 3 !== 0));
      let reached = 1;
      while (reached < trades.length) {
        const count = 1 + random(12);
        for (const trade of trades.slice(reached, reached + count)) {
          running.fold([trade]);
          // Now and then what fired is stored before the process dies, and now and then it is not.
          if (random(5) === 0) await new Promise((resolve) => setTimeout(resolve, 5));
        }
        reached += count;
        // It dies without closing, and the next start replays the journal from its beginning.
        await life.die();
        life = mortal(database);
        running = (await startOn(life.database, prices)).alerts;
        for (const trade of trades.slice(0, reached)) running.fold([trade]);
      }
      await running.close();
      const firings = await firingsIn(database);
      expect(firings.map(({ price_ticks }) => price_ticks)).toEqual(expected);
      expect(new Set(firings.map(({ id }) => id)).size).toBe(firings.length);
    }
  });

  test("hold back snapshots that are beyond what was evaluated", async () => {
    const database = await openDatabase();
    const { alerts } = await startOn(database, [0, 100]);
    expect(alerts.usableSequence).toBe(Number.POSITIVE_INFINITY);
    alerts.fold([tradeAt(1, 100)]);
    const alert = await alerts.create(onPrice(105));
    expect(alerts.usableSequence).toBe(1);
    alerts.fold([tradeAt(2, 100)]);
    expect(alerts.usableSequence).toBe(1);
    await alerts.remove("ada", alert.id);
    expect(alerts.usableSequence).toBe(Number.POSITIVE_INFINITY);
  });

  test("wait for a database that fails, and lose nothing", async () => {
    const database = await openDatabase();
    const { alerts, onFired } = await startOn(database, [0, 100, 110]);
    alerts.fold([tradeAt(1, 100)]);
    await alerts.create(onPrice(105));
    const failing = vi.spyOn(database.write, "transaction").mockImplementation(() => {
      throw new Error("the database is away");
    });
    alerts.fold([tradeAt(2, 110)]);
    await vi.waitFor(() => expect(failing).toHaveBeenCalled());
    expect(onFired).not.toHaveBeenCalled();
    failing.mockRestore();
    await vi.waitFor(() => expect(onFired).toHaveBeenCalledTimes(1), { timeout: 5_000 });
    expect(await firingsIn(database)).toHaveLength(1);
    await alerts.close();
  });

  test("keep the newest of what they told, and nothing of a deleted user", async () => {
    const database = await openDatabase();
    const count = FIRINGS_KEPT + 5;
    const { alerts } = await startOn(database, [0, 100]);
    alerts.fold([tradeAt(1, 100)]);
    for (let target = 1; target <= count; target += 1) await alerts.create(onPrice(100 + target));
    for (let target = 1; target <= count; target += 1) {
      alerts.fold([tradeAt(1 + target, 100 + target)]);
    }
    await alerts.close();
    const firings = await firingsIn(database);
    expect(firings).toHaveLength(FIRINGS_KEPT);
    expect(firings[0].price_ticks).toBe(106);
    await alerts.forget("ada");
    expect(await firingsIn(database)).toEqual([]);
    expect((await startOn(database, [])).alerts.of("ada")).toEqual([]);
  });
});
