import { expect, test } from "vitest";
import { parseDay, startOfDay } from "./day.ts";

test("only days of the calendar are read", () => {
  expect(parseDay("2026-11-21")).toBe("2026-11-21");
  for (const given of ["2026-02-30", "2026-13-01", "21.11.2026", "", 7, undefined]) {
    expect(parseDay(given)).toBeUndefined();
  }
});

test("a day begins at its own midnight, whatever the zone and the season", () => {
  expect(startOfDay("2026-11-21", "UTC")).toBe(Date.UTC(2026, 10, 21));
  expect(startOfDay("2026-07-01", "Europe/Berlin")).toBe(Date.UTC(2026, 5, 30, 22));
  expect(startOfDay("2026-01-01", "Asia/Kolkata")).toBe(Date.UTC(2025, 11, 31, 18, 30));
  // Clocks change on this day.
  expect(startOfDay("2026-10-25", "Europe/Berlin")).toBe(Date.UTC(2026, 9, 24, 22));
  expect(startOfDay("2026-10-25", "Europe/Berlin", 1)).toBe(Date.UTC(2026, 9, 25, 23));
  expect(startOfDay("2026-12-31", "America/New_York", 1)).toBe(Date.UTC(2027, 0, 1, 5));
});
