import { expect, test } from "vitest";
import { candleOpenTime, nextCandleOpenTime } from "./candle-intervals.ts";
import { CANDLE_INTERVALS } from "./types.ts";

const at = (text: string) => Date.parse(`${text}Z`);

test.each([
  ["1s", "2024-02-29T13:47:12.345", "2024-02-29T13:47:12"],
  ["5m", "2024-02-29T13:47:12.345", "2024-02-29T13:45:00"],
  ["4h", "2024-02-29T13:47:12.345", "2024-02-29T12:00:00"],
  ["1d", "2024-02-29T13:47:12.345", "2024-02-29T00:00:00"],
  // A Thursday belongs to the week of the previous Monday; a Monday begins a new week.
  ["1w", "2024-02-29T13:47:12.345", "2024-02-26T00:00:00"],
  ["1w", "2024-02-26T00:00:00.000", "2024-02-26T00:00:00"],
  ["1w", "2024-02-25T23:59:59.999", "2024-02-19T00:00:00"],
  ["1M", "2024-02-29T13:47:12.345", "2024-02-01T00:00:00"],
  ["1M", "2024-12-31T23:59:59.999", "2024-12-01T00:00:00"],
] as const)("the %s candle of %s opens at %s", (interval, time, open) => {
  expect(candleOpenTime(interval, at(time))).toBe(at(open));
});

test("months end where the next begins, in leap years and at the turn of the year", () => {
  expect(nextCandleOpenTime("1M", at("2024-02-01T00:00:00"))).toBe(at("2024-03-01T00:00:00"));
  expect(nextCandleOpenTime("1M", at("2024-12-01T00:00:00"))).toBe(at("2025-01-01T00:00:00"));
});

test("every moment lies in exactly one candle of every interval", () => {
  for (const interval of CANDLE_INTERVALS) {
    for (let time = at("2023-11-30T22:00:00"); time < at("2024-03-02"); time += 7_654_321) {
      const open = candleOpenTime(interval, time);
      const next = nextCandleOpenTime(interval, open);
      expect(open).toBeLessThanOrEqual(time);
      expect(next).toBeGreaterThan(time);
      expect(candleOpenTime(interval, next)).toBe(next);
      expect(candleOpenTime(interval, next - 1)).toBe(open);
    }
  }
});
