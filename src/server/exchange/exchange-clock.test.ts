import { beforeEach, describe, expect, test } from "vitest";
import { ExchangeClock } from "./exchange-clock.ts";
import { beginAfter, ClockRefusedError } from "./starting-time.ts";

const SECOND_MS = 1_000;
const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const START_MS = 1_800_000_000_000;

let wallMs: number;
let monotonicMs: number;
let uptimeMs: number;
let logged: string[];
let clock: ExchangeClock;

const log = {
  info: (_fields: object, message: string) => void logged.push(message),
  warn: (_fields: object, message: string) => void logged.push(message),
};

beforeEach(() => {
  wallMs = START_MS;
  monotonicMs = 12_345.678;
  uptimeMs = 99_000;
  logged = [];
  clock = new ExchangeClock(log, {
    wallMs: () => wallMs,
    monotonicMs: () => monotonicMs,
    uptimeMs: () => uptimeMs,
  });
});

/** Advances all clocks alike, observing every second; returns each second's `now`. */
function pass(seconds: number): number[] {
  return Array.from({ length: seconds }, () => {
    wallMs += SECOND_MS;
    monotonicMs += SECOND_MS;
    uptimeMs += SECOND_MS;
    clock.observe();
    return clock.now();
  });
}

/** The time advanced in each second. */
const steps = (times: readonly number[]) => times.slice(1).map((ms, index) => ms - times[index]);

describe("exchange time", () => {
  test("is the wall clock's while that is right", () => {
    expect(clock.now()).toBe(START_MS);
    pass(100);
    expect(clock.now()).toBe(START_MS + 100 * SECOND_MS);
    expect(clock.health()).toEqual({ state: "ok", skewMs: 0 });
    expect(logged).toEqual([]);
  });

  test("passes as before while the wall clock is forty days ahead, and after it came back", () => {
    wallMs += 40 * DAY_MS;
    expect(steps([clock.now(), ...pass(100)])).toEqual(Array(100).fill(SECOND_MS));
    expect(clock.health()).toEqual({ state: "wallClockAhead", skewMs: 40 * DAY_MS });
    wallMs -= 40 * DAY_MS;
    expect(steps([clock.now(), ...pass(100)])).toEqual(Array(100).fill(SECOND_MS));
    expect(clock.now()).toBe(wallMs);
    expect(clock.health()).toEqual({ state: "ok", skewMs: 0 });
    expect(logged).toEqual([
      expect.stringContaining("is not followed"),
      "the wall clock is followed again",
    ]);
  });

  test("passes as before while the wall clock is two hours behind", () => {
    wallMs -= 2 * HOUR_MS;
    expect(steps([clock.now(), ...pass(10)])).toEqual(Array(10).fill(SECOND_MS));
    expect(clock.health()).toEqual({ state: "wallClockBehind", skewMs: -2 * HOUR_MS });
    expect(logged).toHaveLength(1);
  });

  test.each([30_000, -30_000])("catches up a difference of %i ms, slowly, and never back", (ms) => {
    wallMs += ms;
    const seconds = steps([clock.now(), ...pass(650)]);
    expect(Math.min(...seconds)).toBeGreaterThanOrEqual(949);
    expect(Math.max(...seconds)).toBeLessThanOrEqual(1_051);
    expect(clock.now()).toBe(wallMs);
    expect(logged).toEqual([]);
  });

  test("follows the machine's sleep, as far as wall clock and uptime agree about it", () => {
    wallMs += 8 * HOUR_MS;
    uptimeMs += 8 * HOUR_MS;
    expect(clock.observe()).toBe(true);
    expect(clock.now()).toBe(START_MS + 8 * HOUR_MS);
    expect(clock.health().state).toBe("ok");

    // It slept for an hour, and woke with a clock that is days off.
    wallMs += 10 * DAY_MS;
    uptimeMs += HOUR_MS;
    expect(clock.observe()).toBe(true);
    expect(clock.now()).toBe(START_MS + 9 * HOUR_MS);
    expect(clock.health().state).toBe("wallClockAhead");
    wallMs = clock.now();

    // A jump of the uptime alone means another machine.
    uptimeMs += 5 * DAY_MS;
    expect(clock.observe()).toBe(false);
    uptimeMs -= 9 * DAY_MS;
    expect(clock.observe()).toBe(false);
    expect(clock.now()).toBe(START_MS + 9 * HOUR_MS);
    pass(3);
    expect(clock.health()).toEqual({ state: "ok", skewMs: 0 });
  });
});

describe("the time at which the exchange starts", () => {
  const begin = (lastTimestampMs: number, isAccepted = false) =>
    beginAfter(lastTimestampMs, clock.time, isAccepted);

  test("is the clock's after a pause of up to thirty days", () => {
    begin(START_MS - 30 * DAY_MS);
    expect(clock.now()).toBe(START_MS);
  });

  test("is that of the last command where the clock is a little behind it", () => {
    begin(START_MS + 50_000);
    expect(clock.now()).toBe(START_MS + 50_000);
    expect(steps([clock.now(), ...pass(3)])).toEqual([950, 950, 950]);
  });

  test("is refused where the clock is far behind or ahead, with a sentence that says both", () => {
    expect(() => begin(START_MS + 40 * DAY_MS)).toThrow(ClockRefusedError);
    expect(() => begin(START_MS + 40 * DAY_MS)).toThrow(
      "The clock of this machine says 2027-01-15T08:00:00.000Z, and the last command of the journal " +
        "is of 2027-02-24T08:00:00.000Z. The clock is 40 days before the last command",
    );
    expect(() => begin(START_MS - 31 * DAY_MS)).toThrow(
      "The clock is 31 days after it: orders and plans that ended since would end at once.",
    );
    expect(clock.now()).toBe(START_MS);
  });

  test("that is accepted is the later of both, and continues from there", () => {
    begin(START_MS - 400 * DAY_MS, true);
    expect(clock.now()).toBe(START_MS);
    begin(START_MS + 40 * DAY_MS, true);
    expect(steps([clock.now(), ...pass(5)])).toEqual(Array(5).fill(SECOND_MS));
    expect(clock.now()).toBe(START_MS + 40 * DAY_MS + 5 * SECOND_MS);
    expect(clock.health().state).toBe("wallClockBehind");
  });
});
