import { mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { afterEach, beforeEach, describe, expect, test } from "vitest";
import type { Command } from "#engine/commands.ts";
import type { ExchangeEvent } from "#engine/events.ts";
import { DirectoryLockedError } from "#journal/directory-lock.ts";
import type { Exchange } from "./exchange.ts";
import { ExchangeClock, SYSTEM_TIME } from "./exchange-clock.ts";
import { ClockRefusedError } from "./starting-time.ts";
import { type ExchangeOptions, journalDirectoryOf, openExchange } from "./open-exchange.ts";
import { describeReport, verifyJournal } from "../inspection/verify-journal.ts";

let dataDir: string;
let events: ExchangeEvent[];
let logged: string[];
const opened: Exchange[] = [];

beforeEach(() => {
  dataDir = mkdtempSync(join(tmpdir(), "openbell-exchange-"));
  events = [];
  logged = [];
});

afterEach(async () => {
  for (const exchange of opened.splice(0)) await exchange.close();
  rmSync(dataDir, { recursive: true });
});

const log = {
  info: () => undefined,
  warn: (_fields: object, message: string) => logged.push(message),
  error: (_fields: object, message: string) => logged.push(message),
};

async function open(options: Partial<ExchangeOptions> = {}): Promise<Exchange> {
  const onEvents = (batch: readonly ExchangeEvent[]) => events.push(...batch);
  const exchange = await openExchange({ dataDir, onEvents, log, ...options });
  opened.push(exchange);
  return exchange;
}

const definePlan = (slug: string): Command => ({
  type: "definePlan",
  plan: {
    slug,
    name: slug,
    description: "",
    position: 1,
    makerFeeBps: 20,
    takerFeeBps: 25,
    price: "0",
    interval: "none",
    eligibility: "everyone",
    volumeMin: "0",
    openOrdersMax: 200,
    features: [],
  },
});
const inTime = { state: "ok", skewMs: expect.any(Number) };
const cancel = (orderId: number): Command => ({ type: "cancelOrder", account: 16, orderId });

function newestSegment(): string {
  const directory = journalDirectoryOf(dataDir);
  const segments = readdirSync(directory).filter((name) => name.endsWith(".journal"));
  return join(directory, segments.sort().at(-1) as string);
}

/** Changes the bytes of the newest segment. */
function tamper(change: (bytes: Buffer) => void): void {
  const path = newestSegment();
  const bytes = readFileSync(path);
  change(bytes);
  writeFileSync(path, bytes);
}

describe("submitting", () => {
  test("resolves with the command's own events, in the order of submission", async () => {
    const exchange = await open();
    const outcomes = await Promise.all([
      exchange.submit(definePlan("free")),
      exchange.submit(cancel(5)),
      exchange.submit(definePlan("pro")),
    ]);
    expect(outcomes.map(({ sequence }) => sequence)).toEqual([1, 2, 3]);
    expect(outcomes[0].events).toMatchObject([{ type: "planDefined", planId: 1 }]);
    expect(outcomes[0].rejected).toBeUndefined();
    expect(outcomes[1].rejected).toBe("unknownAccount");
    expect(outcomes[2].events).toMatchObject([{ type: "planDefined", planId: 2 }]);
  });

  test("resolves after every listener has seen the events, and not after unsubscribing", async () => {
    const exchange = await open();
    const later: ExchangeEvent[] = [];
    const unsubscribe = exchange.subscribe((batch) => later.push(...batch));
    const { events: own } = await exchange.submit(definePlan("free"));
    expect(events).toEqual(own);
    expect(later).toEqual(own);
    unsubscribe();
    await exchange.submit(definePlan("pro"));
    expect(later).toEqual(own);
    expect(events).toHaveLength(2);
  });

  test("a repeated idempotency key changes nothing", async () => {
    const exchange = await open();
    await exchange.submit(definePlan("free"), "key");
    const again = await exchange.submit(definePlan("free"), "key");
    expect(again.events).toMatchObject([{ type: "requestRepeated", originalSequence: 1 }]);
  });

  test("is refused before anything happened when too many commands wait", async () => {
    const exchange = await open({ backlogMax: 3 });
    const first = [1, 2, 3].map((orderId) => exchange.submit(cancel(orderId)));
    await expect(exchange.submit(cancel(4))).rejects.toThrow("busy: 3 commands wait");
    await Promise.all(first);
    expect((await exchange.submit(cancel(5))).sequence).toBe(4);
  });

  test("a command that cannot be written down is refused and the others go on", async () => {
    const exchange = await open();
    const before = exchange.submit(definePlan("free"));
    const long = exchange.submit(definePlan("x".repeat(70_000)));
    const malformed = exchange.submit({ ...cancel(1), type: "placeOrder" } as unknown as Command);
    const after = exchange.submit(definePlan("pro"));
    await expect(long).rejects.toThrow("the command is too large");
    await expect(malformed).rejects.toThrow(TypeError);
    expect((await before).sequence).toBe(1);
    expect((await after).sequence).toBe(2);
  });

  test("health says how far the exchange is and how much waits", async () => {
    const exchange = await open();
    expect(exchange.health()).toEqual({ status: "ok", sequence: 0, lag: 0, clock: inTime });
    const outcome = exchange.submit(cancel(1));
    expect(exchange.health()).toEqual({ status: "ok", sequence: 0, lag: 1, clock: inTime });
    await outcome;
    expect(exchange.health()).toEqual({ status: "ok", sequence: 1, lag: 0, clock: inTime });
  });
});

describe("recovery", () => {
  test("does not run ahead of a listener that needs time for the events", async () => {
    const first = await open({ backlogMax: 100_000 });
    await Promise.all(Array.from({ length: 60_000 }, (_, n) => first.submit(cancel(n))));
    await first.close();
    opened.length = 0;
    events = [];
    const gate = Promise.withResolvers<void>();
    const isOpen = { yet: false };
    const opening = open({ onReplayed: () => gate.promise });
    opening.then(
      () => (isOpen.yet = true),
      () => undefined,
    );
    await expect.poll(() => events.length).toBeGreaterThan(0);
    // The engine has applied its next batches by then.
    await new Promise((resolve) => setTimeout(resolve, 300));
    expect(events.length).toBeLessThan(40_000);
    expect(isOpen.yet).toBe(false);
    gate.resolve();
    await opening;
    expect(events).toHaveLength(60_000);
  });

  test("delivers every event again and ends at the same state", async () => {
    const first = await open();
    for (let index = 0; index < 50; index++) void first.submit(definePlan(`plan-${index}`));
    await first.submit(cancel(1));
    const hash = await first.stateHash();
    expect(hash.sequence).toBe(51);
    await first.close();
    const live = events;
    events = [];
    const second = await open();
    expect(events).toEqual(live);
    expect(await second.stateHash()).toEqual(hash);
    expect((await second.submit(cancel(2))).sequence).toBe(52);
  });

  test("of many events comes in bounded batches", async () => {
    const first = await open();
    const submitted = Array.from({ length: 20_000 }, (_, index) => first.submit(cancel(index)));
    await Promise.all(submitted);
    await first.close();
    const sizes: number[] = [];
    await open({ onEvents: (batch) => sizes.push(batch.length) });
    expect(sizes.reduce((sum, size) => sum + size)).toBe(20_000);
    expect(Math.max(...sizes)).toBeLessThanOrEqual(1024);
  });

  test("spans segments", async () => {
    const first = await open({ segmentBytes: 256 * 1024 });
    for (let round = 0; round < 30; round++) {
      const submitted = Array.from({ length: 1000 }, (_, index) => first.submit(cancel(index)));
      await Promise.all(submitted);
    }
    await first.close();
    const directory = journalDirectoryOf(dataDir);
    expect(readdirSync(directory).length).toBeGreaterThan(2);
    expect(readdirSync(directory).every((name) => name.endsWith(".journal"))).toBe(true);
    const second = await open();
    expect(second.health().sequence).toBe(30_000);
  });

  test("cuts a torn tail and says so", async () => {
    const first = await open();
    await first.submit(definePlan("free"));
    await first.submit(definePlan("pro"));
    await first.close();
    tamper((bytes) => bytes.fill(0, bytes.findLastIndex((byte) => byte !== 0) - 30));
    const second = await open();
    expect(second.health().sequence).toBe(1);
    expect(logged).toEqual([expect.stringContaining("cut an incomplete last write")]);
  });

  test("stops at damage and says where", async () => {
    const first = await open();
    for (let index = 0; index < 5; index++) await first.submit(definePlan(`plan-${index}`));
    await first.close();
    tamper((bytes) => (bytes[64 + 80] ^= 1));
    await expect(open()).rejects.toMatchObject({
      name: "JournalDamagedError",
      file: newestSegment(),
      offset: 64,
      sequence: 1,
    });
    // The directory is free again for its repair.
    await expect(open()).rejects.toMatchObject({ name: "JournalDamagedError" });
  });
});

describe("what is due", () => {
  test("happens without a command, and also where its time passed while nothing ran", async () => {
    const person: Command = { type: "openAccount", userId: "anna", kind: "person" };
    const timer = (delayMs: number): Command => ({
      type: "setCancelTimer",
      account: 16,
      marketId: 0,
      delayMs,
    });
    const fired = () => events.filter(({ type }) => type === "cancelTimerFired").length;
    const first = await open();
    await Promise.all([definePlan("free"), person].map((command) => first.submit(command)));
    await first.submit(timer(1000));
    await expect.poll(fired, { timeout: 20_000 }).toBe(1);
    await first.submit(timer(1000));
    await first.close();
    await new Promise((resolve) => setTimeout(resolve, 1100));
    expect(fired()).toBe(1);
    events = [];
    await open();
    await expect.poll(fired, { timeout: 20_000 }).toBe(2);
  });
});

describe("a wall clock that is wrong", () => {
  const DAY_MS = 86_400_000;
  const firedAt = () => events.filter(({ type }) => type === "cancelTimerFired");
  const person: Command = { type: "openAccount", userId: "anna", kind: "person" };
  const timer: Command = { type: "setCancelTimer", account: 16, marketId: 0, delayMs: 1000 };

  test("neither freezes what is due nor lets it happen too soon", async () => {
    let leapMs = 0;
    const clock = new ExchangeClock(log, { ...SYSTEM_TIME, wallMs: () => Date.now() + leapMs });
    const exchange = await open({ clock });
    for (const command of [definePlan("free"), person]) await exchange.submit(command);
    const { timestampMs: beforeMs } = await exchange.submit(cancel(1));
    for (const [index, leap] of [40 * DAY_MS, 0, -DAY_MS].entries()) {
      leapMs = leap;
      const { timestampMs } = await exchange.submit(timer);
      expect(exchange.health().clock.state).toBe(
        leap === 0 ? "ok" : leap > 0 ? "wallClockAhead" : "wallClockBehind",
      );
      expect(timestampMs - beforeMs).toBeLessThan(DAY_MS / 2);
      await expect.poll(() => firedAt().length, { timeout: 20_000 }).toBe(index + 1);
      expect(firedAt()[index].timestampMs - timestampMs).toBeLessThan(DAY_MS / 2);
    }
  });

  test("stops the start with a sentence, and is accepted where that is said", async () => {
    const ahead = { ...SYSTEM_TIME, wallMs: () => Date.now() + 40 * DAY_MS };
    const first = await open({ clock: new ExchangeClock(log, ahead) });
    for (const command of [definePlan("free"), person, timer]) await first.submit(command);
    await expect.poll(() => firedAt().length, { timeout: 20_000 }).toBe(1);
    await first.close();

    const refused = open();
    await expect(refused).rejects.toThrow(ClockRefusedError);
    await expect(refused).rejects.toThrow(/The clock is (39|40) days before the last command/);
    await expect(refused).rejects.toThrow("ACCEPT_CLOCK=on");

    const again = await open({ acceptsClock: true });
    expect(again.health().clock.state).toBe("wallClockBehind");
    events = [];
    await again.submit(timer);
    await expect.poll(() => firedAt().length, { timeout: 20_000 }).toBe(1);
  });
});

describe("one directory, one exchange", () => {
  test("a second one is refused until the first is closed", async () => {
    const first = await open();
    await expect(open()).rejects.toThrow(DirectoryLockedError);
    await first.close();
    await open();
  });
});

describe("the end", () => {
  test("closing flushes what was submitted and refuses what comes after", async () => {
    const exchange = await open();
    const submitted = Array.from({ length: 500 }, (_, index) => exchange.submit(cancel(index)));
    const closed = exchange.close();
    await expect(exchange.submit(cancel(1))).rejects.toThrow("it was closed");
    await expect(exchange.stateHash()).rejects.toThrow("it was closed");
    await closed;
    expect((await Promise.all(submitted)).at(-1)?.sequence).toBe(500);
    await exchange.close();
  });

  test("a listener that fails stops the exchange, and all waiting callers get the reason", async () => {
    const exchange = await open();
    exchange.subscribe(() => {
      throw new Error("the view is lost");
    });
    const waiting = [exchange.submit(cancel(1)), exchange.submit(cancel(2)), exchange.stateHash()];
    const settled = await Promise.allSettled(waiting);
    for (const result of settled) {
      expect(result).toMatchObject({ reason: { name: "ExchangeStoppedError" } });
    }
    expect(exchange.health()).toMatchObject({
      status: "stopped",
      lag: 0,
      failure: "a listener failed: the view is lost",
    });
    await expect(exchange.submit(cancel(3))).rejects.toThrow("the view is lost");
    expect(logged).toContain("the exchange has stopped");
  });
});

describe("verifying", () => {
  test("a journal reports what the exchange reported", async () => {
    const exchange = await open();
    await exchange.submit(definePlan("free"));
    await exchange.submit(cancel(1));
    const { hash } = await exchange.stateHash();
    // It only reads: the exchange may continue beside it.
    const beside = await verifyJournal({ dataDir });
    await exchange.close();
    const report = await verifyJournal({ dataDir });
    expect(beside).toEqual(report);
    expect(report).toMatchObject({ sequence: 2, stateHash: hash, rejected: 1, faults: [] });
    expect(describeReport(report)).toContain("The journal is sound.");
  });
});
