import { expect, test } from "vitest";
import {
  bidShareOf,
  deepestTotal,
  depthShare,
  groupingSteps,
  levelKey,
  levelOf,
  midPriceOf,
  reachOf,
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

test("the cost of all levels down to a row is exact", () => {
  // 0.5 × 100 + 1.25 × 100.1 + 0.0001 × 101
  expect(ASKS.map((row) => row.quoteTotal)).toEqual(["50.000000", "175.125000", "175.135100"]);
});

test("a level tells the sum, the average price and the distance from the middle", () => {
  const midPrice = midPriceOf("99.90", "100.00");
  expect(midPrice).toBe("99.950");
  expect(reachOf(ASKS[1], midPrice, 2)).toEqual({
    quantity: "1.7500",
    quoteTotal: "175.125000",
    averagePrice: "100.07",
    distance: "0.15",
  });
  expect(reachOf(BIDS[0], midPrice, 2).distance).toBe("-0.05");
  expect(reachOf(BIDS[0], null, 2).distance).toBeNull();
  expect(midPriceOf(undefined, "100.00")).toBeNull();
});

test("the imbalance is the bids' share of both sides", () => {
  expect(bidShareOf(BIDS, ASKS)).toBe("5");
  expect(bidShareOf(ASKS, [])).toBe("100");
  expect(bidShareOf([], [])).toBeNull();
});

test("the imbalance compares 25 levels a side, however many are shown", () => {
  const flat = (count: number) => Array.from({ length: count }, () => ["1", "1"]).flat();
  expect(bidShareOf(readRows(flat(50)), readRows(flat(25)))).toBe("50");
});

test.each([
  ["64123.47", "buy", "10", "64120"],
  ["64123.47", "sell", "10", "64130"],
  ["64120.00", "sell", "10", "64120"],
  ["64123.47", "sell", "0.01", "64123.47"],
  ["0.00001234", "buy", "0.0000001", "0.0000123"],
] as const)("an order at %s to %s is in the level of step %s at %s", (price, side, step, level) => {
  expect(levelOf(price, side, step)).toBe(level);
});

test("a level has one key however its price is written", () => {
  expect(levelKey("64120.00")).toBe(levelKey("64120"));
});

test("the bars of both sides are measured by the deeper one of what is visible", () => {
  expect(deepestTotal(BIDS, ASKS, { bids: 9, asks: 9 })).toBe("1.7501");
  expect(deepestTotal(BIDS, ASKS, { bids: 9, asks: 2 })).toBe("1.7500");
  expect(deepestTotal(BIDS, ASKS, { bids: 1, asks: 0 })).toBe("0.1000");
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
