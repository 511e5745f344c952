import { expect, test } from "vitest";
import {
  deepestTotal,
  depthShare,
  groupingSteps,
  readRows,
  spreadOf,
  stepDecimals,
} from "./book-view.ts";

const ASKS = readRows(["100.00", "0.5000", "100.10", "1.2500", "101.00", "0.0001"]);
const BIDS = readRows(["99.90", "0.1000"]);

test("totals run from the best price outwards, exactly", () => {
  expect(ASKS.map((row) => row.total)).toEqual(["0.5000", "1.7500", "1.7501"]);
  expect(readRows(["1", "0.1", "2", "0.2"]).at(-1)?.total).toBe("0.3");
});

test("an odd or empty list has no half rows", () => {
  expect(readRows([])).toEqual([]);
  expect(readRows(["1", "2", "3"])).toHaveLength(1);
});

test("the bars of both sides are measured by the deeper one", () => {
  expect(deepestTotal(BIDS, ASKS)).toBe("1.7501");
  expect(depthShare("0.1000", "0.4")).toBe(0.25);
  expect(depthShare("1", "0")).toBe(0);
});

test("the spread is given in money and in percent of the middle", () => {
  expect(spreadOf("99.90", "100.10")).toEqual({ amount: "0.20", percent: "0.200" });
  expect(spreadOf(undefined, "100")).toBeNull();
});

test.each([
  ["0.01", "64000.00", ["0.01", "0.1", "1", "10", "100"]],
  ["0.01", "5.00", ["0.01"]],
  ["0.00000001", "0.00001200", ["0.00000001", "0.0000001"]],
  ["0.5", null, ["0.5", "5", "50", "500", "5000"]],
])("grouping by %s at a price of %s", (tick, price, steps) => {
  expect(groupingSteps(tick, price)).toEqual(steps);
});

test("prices print with the decimals of their step", () => {
  expect(["0.01", "0.10", "1", "100", "0.00000001"].map(stepDecimals)).toEqual([2, 1, 0, 0, 8]);
});
