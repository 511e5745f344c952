import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { startHeartbeat } from "./exchange-info.ts";

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

test("pages are told every second until it is stopped", () => {
  const invalidate = vi.fn<(topics: ReadonlyMap<string, "now" | "conflated">) => void>();
  const stop = startHeartbeat({ invalidate });
  vi.advanceTimersByTime(3_000);
  expect(invalidate.mock.calls).toEqual(
    [1, 2, 3].map(() => [new Map([["heartbeat", "conflated"]])]),
  );
  stop();
  vi.advanceTimersByTime(5_000);
  expect(invalidate).toHaveBeenCalledTimes(3);
});
