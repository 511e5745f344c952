import { expect, test } from "vitest";
import { banSeconds } from "./ban-length.ts";

const now = new Date(2026, 10, 21, 12, 0).getTime();

test("fixed lengths are in seconds, and a ban without an end is null", () => {
  expect(banSeconds("hour", "", now)).toBe(3600);
  expect(banSeconds("month", "", now)).toBe(2_592_000);
  expect(banSeconds("forever", "2020-01-01T00:00", now)).toBeNull();
});

test("a date is the viewer's own and lies ahead", () => {
  expect(banSeconds("date", "2026-11-21T12:30", now)).toBe(1800);
  expect(banSeconds("date", "2026-11-21T11:59", now)).toBe("Choose a moment in the future");
  expect(banSeconds("date", "2026-11-21T12:00", now)).toBe("Choose a moment in the future");
  expect(banSeconds("date", "", now)).toBe("Choose when the ban ends");
});
