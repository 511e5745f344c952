import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, expect, test } from "vitest";
import { type Database, openDatabase } from "../database/open-database.ts";
import { createSilentLog } from "../log.ts";
import type { Firing, PriceAlert } from "../records/price-alerts.ts";
import { createAlertStore } from "./alert-store.ts";

const ALERTS = 300;

let dataDir: string;
let database: Database;

beforeEach(async () => {
  dataDir = await mkdtemp(join(tmpdir(), "openbell-alerts-"));
  database = await openDatabase({ dataDir, log: createSilentLog() });
  await database.migrate();
});
afterEach(async () => {
  await database.close();
  await rm(dataDir, { recursive: true });
});

function fired(at: number): { alert: PriceAlert; firing: Firing } {
  const common = {
    userId: `user-${at % 20}`,
    marketId: 1,
    direction: "rise",
    windowMinutes: 0,
  } as const;
  const priceTicks = 100 as PriceAlert["priceTicks"];
  const alert: PriceAlert = {
    ...common,
    id: `alert-${at}`,
    priceTicks,
    changeBps: 0,
    repeats: false,
    createdAtMs: 1,
    status: "fired",
    quietUntilMs: 0,
    firedAtMs: 2,
  };
  const firing: Firing = {
    ...common,
    id: `alert-${at}.7`,
    alertId: alert.id,
    atMs: 2,
    priceTicks,
    fromTicks: priceTicks,
    targetTicks: priceTicks,
  };
  return { alert, firing };
}

async function stored(): Promise<PriceAlert[]> {
  const all: PriceAlert[] = [];
  for await (const page of createAlertStore(database).pages()) all.push(...page);
  return all;
}

test("alerts that fire together are stored in one transaction, with turns of the event loop in between", async () => {
  const store = createAlertStore(database);
  const all = Array.from({ length: ALERTS }, (_, at) => fired(at));
  let turns = 0;
  let isTurning = true;
  const next = () => {
    turns += 1;
    if (isTurning) setImmediate(next);
  };
  setImmediate(next);
  await store.store({
    alerts: all.map(({ alert }) => alert),
    gone: [],
    firings: all.map(({ firing }) => firing),
    sequence: 7,
  });
  isTurning = false;
  expect(turns).toBeGreaterThanOrEqual((2 * ALERTS) / 50);
  expect([(await stored()).length, await store.sequence()]).toEqual([ALERTS, 7]);
  expect(await store.firingsOf("user-0")).toHaveLength(ALERTS / 20);
});

test("nothing of it is stored if a statement in a later turn fails", async () => {
  const store = createAlertStore(database);
  const all = Array.from({ length: ALERTS }, (_, at) => fired(at));
  const broken = { ...all[0].firing, id: null as unknown as string };
  const changes = {
    alerts: all.map(({ alert }) => alert),
    gone: [],
    firings: [broken],
    sequence: 7,
  };
  await expect(store.store(changes)).rejects.toThrow(/NOT NULL/);
  expect([await stored(), await store.sequence()]).toEqual([[], 0]);
});
