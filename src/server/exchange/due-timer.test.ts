import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { DueTimer } from "./due-timer.ts";

const DAY_MS = 86_400_000;

beforeEach(() => {
  vi.useFakeTimers({ now: 1_000_000 });
});
afterEach(() => {
  vi.useRealTimers();
});

test("wakes once when the time has come, also where it has passed", () => {
  const wake = vi.fn();
  const timer = new DueTimer(wake, Date.now);
  timer.set(Date.now() + 5000);
  vi.advanceTimersByTime(4999);
  expect(wake).not.toHaveBeenCalled();
  vi.advanceTimersByTime(DAY_MS);
  expect(wake).toHaveBeenCalledTimes(1);
  timer.set(Date.now() - 1);
  vi.advanceTimersByTime(1);
  expect(wake).toHaveBeenCalledTimes(2);
});

test("goes by the time set last, by none at infinity and after its end", () => {
  const wake = vi.fn();
  const timer = new DueTimer(wake, Date.now);
  timer.set(Date.now() + 5000);
  timer.set(Date.now() + 9000);
  vi.advanceTimersByTime(8999);
  expect(wake).not.toHaveBeenCalled();
  timer.set(Infinity);
  vi.advanceTimersByTime(DAY_MS);
  timer.set(Date.now() + 1);
  timer.stop();
  vi.advanceTimersByTime(DAY_MS);
  expect(wake).not.toHaveBeenCalled();
});

test("waits longer than a timer of the platform can", () => {
  const wake = vi.fn();
  const timer = new DueTimer(wake, Date.now);
  timer.set(Date.now() + 366 * DAY_MS);
  vi.advanceTimersByTime(366 * DAY_MS - 1);
  expect(wake).not.toHaveBeenCalled();
  vi.advanceTimersByTime(1);
  expect(wake).toHaveBeenCalledTimes(1);
});
