import { expect, test } from "vitest";
import { pointsIn } from "./equity-range.ts";

const DAY_MS = 86_400_000;
const NOW_MS = 400 * DAY_MS;
const curve = [100, 40, 8, 2, 0.5, 0].map((daysAgo) => ({
  time: NOW_MS - daysAgo * DAY_MS,
  equity: daysAgo,
}));
const days = (points: readonly { equity: number }[]) => points.map(({ equity }) => equity);

test("a range has the points up to the newest", () => {
  expect(days(pointsIn(curve, "1d"))).toEqual([0.5, 0]);
  expect(days(pointsIn(curve, "1w"))).toEqual([2, 0.5, 0]);
  expect(days(pointsIn(curve, "3m"))).toEqual([40, 8, 2, 0.5, 0]);
  expect(days(pointsIn(curve, "all"))).toEqual([100, 40, 8, 2, 0.5, 0]);
});

test("a range with a single point shows the whole curve", () => {
  const old = curve.slice(0, 2);
  expect(pointsIn(old, "1d")).toBe(old);
  expect(pointsIn([], "1d")).toEqual([]);
});
