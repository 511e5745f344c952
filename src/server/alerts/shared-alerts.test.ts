/** Alerts of several nodes, which share the database: each takes up what the others have stored. */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { expect, onTestFinished, test } from "vitest";
import { openDatabase } from "../database/open-database.ts";
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

test("however many alerts other nodes have stored and removed, they are taken up in turns", async () => {
  const dataDir = await mkdtemp(join(tmpdir(), "openbell-shared-alerts-"));
  const database = await openDatabase({ dataDir, log: createSilentLog() });
  onTestFinished(async () => {
    await database.close();
    await rm(dataDir, { recursive: true });
  });
  await database.migrate();
  let inTurn = 0;
  let inTurnMax = 0;
  const alerts = await PriceAlerts.open({
    database,
    log: createSilentLog(),
    prices: { lastTicks: () => 50, minutes: () => [], closeBefore: () => 0, nowMs: () => 1 },
    onChange() {
      inTurn += 1;
      inTurnMax = Math.max(inTurnMax, inTurn);
    },
    onFired: () => undefined,
    isAlone: false,
  });
  onTestFinished(() => alerts.close());
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
