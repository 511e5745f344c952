import { describe, expect, test } from "vitest";
import { addMonths } from "./calendar.ts";

const at = (text: string) => Date.parse(text);

describe("a month later", () => {
  test.each([
    ["2026-01-31T10:30:00.250Z", 1, "2026-02-28T10:30:00.250Z"],
    ["2026-01-31T10:30:00.250Z", 2, "2026-03-31T10:30:00.250Z"],
    ["2028-01-31T00:00:00Z", 1, "2028-02-29T00:00:00Z"],
    ["2028-02-29T00:00:00Z", 12, "2029-02-28T00:00:00Z"],
    ["2026-12-15T23:59:59.999Z", 1, "2027-01-15T23:59:59.999Z"],
    ["2026-11-21T20:00:00Z", 0, "2026-11-21T20:00:00Z"],
    ["1970-01-01T00:00:00Z", 1, "1970-02-01T00:00:00Z"],
  ])("%s and %i months is %s", (from, months, to) => {
    expect(new Date(addMonths(at(from), months)).toISOString()).toBe(new Date(to).toISOString());
  });

  test("agrees with the platform's calendar on every day of 400 years", () => {
    const others: object[] = [];
    for (let day = 0; day < 146_097; day++) {
      const from = new Date(day * 86_400_000 + 12_345);
      const months = 1 + (day % 27);
      const month = from.getUTCMonth() + months;
      const lastDay = new Date(Date.UTC(from.getUTCFullYear(), month + 1, 0)).getUTCDate();
      const expected =
        Date.UTC(from.getUTCFullYear(), month, Math.min(from.getUTCDate(), lastDay)) + 12_345;
      const later = addMonths(from.getTime(), months);
      if (later !== expected) others.push({ from, months, later, expected });
    }
    expect(others).toEqual([]);
  });
});
