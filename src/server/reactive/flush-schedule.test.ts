import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { FlushSchedule } from "./flush-schedule.ts";

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

function start() {
  const schedule = new FlushSchedule(Date.now);
  const connection = {
    updates: 0,
    flush() {
      connection.updates++;
      schedule.remove(connection);
    },
  };
  return { schedule, connection };
}

test("an urgent change is shown at once", async () => {
  const { schedule, connection } = start();
  schedule.add(connection, "now");
  await vi.advanceTimersByTimeAsync(1);
  expect(connection.updates).toBe(1);
});

test("a thousand urgent changes a second update a connection at most twenty times, and the last is shown", async () => {
  const { schedule, connection } = start();
  for (let change = 0; change < 1_000; change++) {
    schedule.add(connection, "now");
    await vi.advanceTimersByTimeAsync(1);
  }
  expect(connection.updates).toBeGreaterThanOrEqual(9);
  // 20 intervals have 21 ends.
  expect(connection.updates).toBeLessThanOrEqual(21);
  const { updates } = connection;
  schedule.add(connection, "now");
  await vi.advanceTimersByTimeAsync(200);
  expect(connection.updates).toBe(updates + 1);
});

test("a fan-out to a thousand connections leaves the thread to others after a few of them", () => {
  const { schedule } = start();
  let updates = 0;
  for (let each = 0; each < 1_000; each++) schedule.add({ flush: () => void updates++ }, "now");
  for (let before = 0; updates < 1_000; before = updates) {
    vi.advanceTimersToNextTimer();
    expect(updates - before).toBeGreaterThan(0);
    expect(updates - before).toBeLessThanOrEqual(8);
  }
});

test("one connection's changes hold up no other's", async () => {
  const { schedule, connection } = start();
  const other = { updates: 0, flush: () => void other.updates++ };
  schedule.add(connection, "now");
  await vi.advanceTimersByTimeAsync(1);
  schedule.add(connection, "now");
  schedule.add(other, "now");
  await vi.advanceTimersByTimeAsync(1);
  expect([connection.updates, other.updates]).toEqual([1, 1]);
});
