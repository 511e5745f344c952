import { expect, test } from "vitest";
import { timeToClose } from "./time-to-close.ts";

const at = (text: string) => Date.parse(`2026-11-23T${text}Z`);

test.each([
  ["1m", "12:00:00", "01:00"],
  ["1m", "12:00:59.500", "00:01"],
  ["15m", "12:01:30", "13:30"],
  ["4h", "12:00:01", "3:59:59"],
  ["1d", "00:00:00", "1d 00:00"],
  ["1w", "06:30:00", "6d 17:30"],
  ["1M", "00:00:00", "8d 00:00"],
] as const)("a candle of %s at %s closes in %s", (interval, time, expected) => {
  expect(timeToClose(interval, at(time))).toBe(expected);
});
