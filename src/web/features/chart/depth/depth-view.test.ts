import { expect, test } from "vitest";
import { depthOf, depthPath, depthScale, levelAt } from "./depth-view.ts";

const BOOK = { bids: ["99.00", "1", "98.00", "2.5"], asks: ["101.00", "2", "103.00", "1"] };
const VIEW = depthOf(BOOK);

test("each level has all that lies between it and the best price, and what that is worth", () => {
  expect(VIEW?.bids).toEqual([
    { price: "99.00", quantity: "1", value: "99.00" },
    { price: "98.00", quantity: "3.5", value: "344.000" },
  ]);
  expect(VIEW?.asks.at(-1)).toEqual({ price: "103.00", quantity: "3", value: "305.00" });
});

test("a book with one empty side has no depth to draw", () => {
  expect(depthOf({ ...BOOK, asks: [] })).toBeNull();
});

test("both sides are drawn at the same scale around the middle", () => {
  if (VIEW === null) throw new Error("no depth");
  const scale = depthScale(VIEW);
  const size = { width: 600, height: 100 };
  expect([scale.x("97.00"), scale.x("100.00"), scale.x("103.00")]).toEqual([0, 0.5, 1]);
  expect([scale.y("3.5"), scale.y("0")]).toEqual([0, 1]);
  expect(scale.priceAt(0.5)).toBe(100);
  expect(depthPath(VIEW, "bids", scale, size)).toBe("M200 100H200V71.4H100V0H0V100Z");
  expect(depthPath(VIEW, "asks", scale, size)).toBe("M400 100H400V42.9H600V14.3H600V100Z");
});

test("a single order far away does not flatten what is near", () => {
  const far = depthOf({ ...BOOK, bids: [...BOOK.bids, "1.00", "0.1"] });
  if (VIEW === null || far === null) throw new Error("no depth");
  const [near, scale] = [depthScale(VIEW), depthScale(far)];
  expect(scale.x("98.00")).toBe(near.x("98.00"));
  expect(scale.y("3.5")).toBe(near.y("3.5"));
  // It is still announced: every level can be reached with the keys.
  expect(far.bids.at(-1)).toMatchObject({ price: "1.00", quantity: "3.6" });
});

test("a place is the deepest level that an order to its price would reach", () => {
  if (VIEW === null) throw new Error("no depth");
  expect(levelAt(VIEW, 98.5)).toEqual({ side: "bids", index: 0 });
  expect(levelAt(VIEW, 97)).toEqual({ side: "bids", index: 1 });
  expect(levelAt(VIEW, 100)).toBeNull();
  expect(levelAt(VIEW, 104)).toEqual({ side: "asks", index: 1 });
});
