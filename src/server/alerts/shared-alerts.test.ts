/**
 * Alerts of several nodes, which share the database: each applies the changes that the others have stored.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { beforeEach, expect, onTestFinished, test } from "vitest";
import { type Database, openDatabase } from "../database/open-database.ts";
import { createSilentLog } from "../log.ts";
import type { PriceAlert } from "../records/price-alerts.ts";
import { createAlertStore } from "./alert-store.ts";
import { PriceAlerts } from "./price-alerts.ts";

const ALERTS = 1_200;

function alertOf(at: number): PriceAlert {
  return {
    id: `alert-${at}`,
    userId: `user-${at}`,
    marketId: 1,
    direction: "rise",
    windowMinutes: 0,
    priceTicks: 100,
    changeBps: 0,
    repeats: false,
    createdAtMs: 1,
    status: "active",
    quietUntilMs: 0,
    firedAtMs: 0,
  };
}

let database: Database;

beforeEach(async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "openbell-shared-alerts-"));
  database = await openDatabase({ dataDir, log: createSilentLog() });
  onTestFinished(async () => {
    await database.close();
    await rm(dataDir, { recursive: true });
  });
  await database.migrate();
});

/** The alerts of a node, at a price of 50. */
async function openAlerts(isAlone: boolean, onChange: () => void = () => undefined) {
  const alerts = await PriceAlerts.open({
    database,
    log: createSilentLog(),
    prices: { lastTicks: () => 50, minutes: () => [], closeBefore: () => 0, nowMs: () => 1 },
    onChange,
    onFired: () => undefined,
    isAlone,
    alertsMax: 1_000,
  });
  onTestFinished(() => alerts.close());
  return alerts;
}

const renameAlerts = (from: "price_alerts" | "away", to: string) =>
  database.write.schema.alterTable(from).renameTo(to).execute();

test.each([true, false])(
  "what could not be stored is undone and hinders nothing later, if the node is alone: %s",
  async (isAlone) => {
    const store = createAlertStore(database);
    const [paused, kept] = [{ ...alertOf(0), status: "paused" as const }, alertOf(1)];
    await store.store({ alerts: [paused, kept], gone: [], firings: [], sequence: 7 });
    const alerts = await openAlerts(isAlone);
    await renameAlerts("price_alerts", "away");
    await expect(alerts.setPaused("user-0", "alert-0", false)).rejects.toThrow(/price_alerts/);
    await expect(alerts.setPaused("user-1", "alert-1", true)).rejects.toThrow(/price_alerts/);
    await expect(alerts.remove("user-1", "alert-1")).rejects.toThrow(/price_alerts/);
    await expect(alerts.create({ ...alertOf(2), priceTicks: 60 })).rejects.toThrow(/price_alerts/);
    const statuses = () =>
      [0, 1, 2].map((at) => alerts.of(`user-${at}`).map(({ status }) => status));
    expect(statuses()).toEqual([["paused"], ["active"], []]);
    await renameAlerts("away", "price_alerts");
    const stored = () =>
      database.read.selectFrom("price_alerts").select(["id", "status"]).orderBy("id").execute();
    if (isAlone) {
      await alerts.create({ ...alertOf(3), priceTicks: 60 });
      expect((await stored()).map(({ status }) => status).toSorted()).toEqual([
        "active",
        "active",
        "paused",
      ]);
    } else {
      await store.store({ alerts: [alertOf(3)], gone: [], firings: [], sequence: 8 });
      await expect.poll(() => alerts.of("user-3").length, { timeout: 10_000 }).toBe(1);
      expect(await stored()).toEqual([
        { id: "alert-0", status: "paused" },
        { id: "alert-1", status: "active" },
        { id: "alert-3", status: "active" },
      ]);
    }
    expect(statuses()).toEqual([["paused"], ["active"], []]);
  },
);

test("however many alerts other nodes have stored and removed, they are taken up in turns", async () => {
  let inTurn = 0;
  let inTurnMax = 0;
  const alerts = await openAlerts(false, () => {
    inTurn += 1;
    inTurnMax = Math.max(inTurnMax, inTurn);
  });
  let isTurning = true;
  const turn = () => {
    inTurn = 0;
    if (isTurning) setImmediate(turn);
  };
  turn();
  const store = createAlertStore(database);
  const all = Array.from({ length: ALERTS }, (_, at) => alertOf(at));
  await store.store({ alerts: all, gone: [], firings: [], sequence: 7 });
  const known = () => all.filter(({ userId }) => alerts.of(userId).length === 1).length;
  alerts.setEvaluating(false);
  await expect.poll(known).toBe(ALERTS);
  expect(alerts.usableSequence).toBe(7);
  const gone = all.slice(0, ALERTS / 2).map(({ id }) => id);
  await store.store({ alerts: [], gone, firings: [], sequence: 8 });
  alerts.setEvaluating(false);
  await expect.poll(known).toBe(ALERTS / 2);
  isTurning = false;
  expect(inTurnMax).toBeLessThanOrEqual(ALERTS / 2);
});
