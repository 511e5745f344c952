import { expect, test } from "vitest";
import { formatDate, formatDateTime, formatShortDateTime, formatSpan, formatTime } from "./time.ts";

const AT = Date.UTC(2026, 10, 21, 23, 5, 9);

test("times follow the given zone, whatever the machine's own", () => {
  expect(formatTime(AT, "UTC")).toBe("23:05:09");
  expect(formatTime(AT, "Asia/Tokyo")).toBe("08:05:09");
  expect(formatDate(AT, "Asia/Tokyo")).toBe("22 Nov 2026");
  expect(formatDateTime(AT, "UTC")).toBe("21 Nov 2026, 23:05:09");
  expect(formatShortDateTime(AT, "UTC")).toBe("21 Nov, 23:05:09");
});

test("midnight is 00, not 24", () => {
  expect(formatTime(Date.UTC(2026, 0, 1), "UTC")).toBe("00:00:00");
});

test("spans print their two largest units", () => {
  expect([0, 45_000, 200_000, 11_520_000, 187_200_000, -5].map(formatSpan)).toEqual([
    "0 s",
    "45 s",
    "3 min",
    "3 h 12 min",
    "2 d 4 h",
    "0 s",
  ]);
});
