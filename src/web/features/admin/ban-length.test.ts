import { expect, test } from "vitest";
import { banSeconds } from "./ban-length.ts";

const now = Date.UTC(2026, 10, 21, 12, 0);

test("fixed lengths are in seconds, and a ban without an end is null", () => {
  expect(banSeconds("hour", "", now, "UTC")).toBe(3600);
  expect(banSeconds("month", "", now, "UTC")).toBe(2_592_000);
  expect(banSeconds("forever", "2020-01-01T00:00", now, "UTC")).toBeNull();
});

test("a date is the viewer's own and lies ahead", () => {
  expect(banSeconds("date", "2026-11-21T12:30", now, "UTC")).toBe(1800);
  expect(banSeconds("date", "2026-11-21T11:59", now, "UTC")).toBe("Choose a moment in the future");
  expect(banSeconds("date", "2026-11-21T12:00", now, "UTC")).toBe("Choose a moment in the future");
  expect(banSeconds("date", "", now, "UTC")).toBe("Choose when the ban ends");
  // In the time zone of the preferences, in which the end is shown then; the browser's may be another.
  expect(banSeconds("date", "2026-11-21T21:30", now, "Asia/Tokyo")).toBe(1800);
});
