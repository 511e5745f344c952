import { beforeEach, expect, test } from "vitest";
import type { ExchangeHealth } from "../exchange/exchange.ts";
import type { HistoryHealth } from "../history/history.ts";
import type { Log } from "../log.ts";
import { FreeSpace } from "./free-space.ts";
import { Health } from "./health.ts";

let exchange: ExchangeHealth;
let history: HistoryHealth;
let freeBytes: number | undefined;
let mailWaitMs: () => Promise<number>;
let nowMs: number;
let logged: { message: string; fields: Record<string, unknown> }[];
let health: Health;

beforeEach(() => {
  exchange = { status: "ok", sequence: 10, lag: 0, clock: { state: "ok", skewMs: 0 } };
  history = { status: "ok", projectedSequence: 10, lag: 0 };
  freeBytes = 5000;
  mailWaitMs = () => Promise.resolve(0);
  nowMs = 1_700_000_000_000;
  logged = [];
  const log = (fields: object, message: string) =>
    void logged.push({ message, fields: fields as Record<string, unknown> });
  health = new Health({
    exchange: () => exchange,
    history: () => history,
    space: new FreeSpace(async () => {
      if (freeBytes === undefined) throw new Error("ENOSYS");
      return { free: freeBytes, total: 50_000 };
    }, 300),
    freeBytesMin: 1000,
    mailWaitMs: () => mailWaitMs(),
    log: { info: log, warn: log } as unknown as Log,
    now: () => nowMs,
  });
});

const problems = () => health.report().problems.map(({ part, reason }) => `${part}: ${reason}`);

test("is ok while nothing is wrong", async () => {
  await health.check();
  expect(health.report()).toMatchObject({ status: "ok", sequence: 10, problems: [] });
  expect(logged).toEqual([]);
});

test("a stopped exchange is told without its paths, and logged once", () => {
  const failure = "The journal could not write to /srv/secret/journal: ENOSPC";
  exchange = { ...exchange, status: "stopped", failure };
  for (let time = 0; time < 100; time++) health.report();
  expect(health.report()).toMatchObject({ status: "stopped" });
  expect(JSON.stringify(health.report())).not.toContain("secret");
  expect(problems()).toEqual(["exchange: the disk is full"]);
  expect(logged).toMatchObject([{ fields: { reason: failure } }]);
});

test("keeps the first failure of a history, and says when it is over", () => {
  history = { ...history, status: "retrying", failure: "connect ECONNREFUSED 10.0.0.1:5432" };
  expect(health.report().status).toBe("degraded");
  nowMs += 90_000;
  history = { ...history, status: "behind", failure: "too many events wait" };
  expect(health.report().problems).toEqual([
    {
      part: "history",
      reason: "the database cannot be reached",
      since: "2023-11-14T22:13:20.000Z",
    },
  ]);
  expect(JSON.stringify(health.report())).not.toContain("10.0.0.1");
  history = { status: "ok", projectedSequence: 10, lag: 0 };
  expect(health.report().status).toBe("ok");
  expect(logged.map(({ message }) => message)).toEqual([
    "the exchange is not healthy",
    "a problem is over",
  ]);
});

test("a history that falls more than a minute behind is not ok, whatever the load", async () => {
  for (let second = 0; second <= 65; second += 5) {
    exchange = { ...exchange, sequence: exchange.sequence + 100_000 };
    history = { ...history, projectedSequence: exchange.sequence - 150_000 };
    await health.check();
    nowMs += 5000;
  }
  expect(problems()).toEqual([]);
  for (let second = 0; second <= 65; second += 5) {
    exchange = { ...exchange, sequence: exchange.sequence + 1 };
    await health.check();
    nowMs += 5000;
  }
  expect(problems()).toEqual(["history: the history is more than a minute behind"]);
  history = { ...history, projectedSequence: exchange.sequence };
  expect(problems()).toEqual([]);
});

test("little space on the disk is told before there is none", async () => {
  freeBytes = 999;
  await health.check();
  expect(problems()).toEqual(["disk: there is little space left on the disk"]);
  freeBytes = 1000;
  await health.check();
  expect(problems()).toEqual([]);
  freeBytes = undefined;
  await health.check();
  expect(problems()).toEqual([]);
});

test("a disk with less than a tenth free is warned of once, and is no problem yet", async () => {
  freeBytes = 4999;
  for (let time = 0; time < 3; time++) await health.check();
  expect(health.report()).toMatchObject({
    status: "ok",
    warnings: ["Less than a tenth of the disk is free."],
  });
  expect(logged).toMatchObject([{ fields: { freeBytes: 4999 } }]);
  freeBytes = 5000;
  await health.check();
  expect(health.report().warnings).toEqual([]);
  freeBytes = 4000;
  await health.check();
  expect(logged).toHaveLength(2);
});

test("a nearly full disk is told to refuse new orders until there is space", async () => {
  freeBytes = 299;
  await health.check();
  expect(problems()).toEqual([
    "disk: there is little space left on the disk",
    "orders: new orders are refused: the disk is nearly full",
  ]);
  expect(health.report().status).toBe("degraded");
  freeBytes = 300;
  await health.check();
  expect(problems()).toEqual(["disk: there is little space left on the disk"]);
});

test("mail that has waited for long is a problem until it is gone, and trading is not stopped by it", async () => {
  mailWaitMs = () => Promise.resolve(600_000);
  await health.check();
  expect(problems()).toEqual([]);
  mailWaitMs = () => Promise.resolve(600_001);
  await health.check();
  expect(health.report().status).toBe("degraded");
  expect(problems()).toEqual(["mail: mail has waited for more than ten minutes"]);
  mailWaitMs = () => Promise.reject(new Error("connect ECONNREFUSED"));
  await health.check();
  expect(problems()).toEqual(["mail: mail has waited for more than ten minutes"]);
  mailWaitMs = () => Promise.resolve(0);
  await health.check();
  expect(problems()).toEqual([]);
});

test("a wall clock that is not followed is a problem", () => {
  exchange = { ...exchange, clock: { state: "wallClockAhead", skewMs: 9e9 } };
  expect(problems()).toEqual(["clock: the wall clock has leapt and is not followed"]);
});

test("a damaged database stays a problem", () => {
  health.databaseDamaged("row 7 missing from index");
  expect(problems()).toEqual(["database: the database is damaged"]);
});
