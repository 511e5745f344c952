import { expect, test } from "vitest";
import { startOfRange } from "./profit-range.ts";

test("a range begins its span before now, all time at the beginning", () => {
  const now = Date.UTC(2026, 10, 23, 12);
  expect(startOfRange("1d", now)).toBe(Date.UTC(2026, 10, 22, 12));
  expect(startOfRange("30d", now)).toBe(Date.UTC(2026, 9, 24, 12));
  expect(startOfRange("all", now)).toBe(0);
});
