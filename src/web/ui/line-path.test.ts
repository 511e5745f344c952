import { expect, test } from "vitest";
import { linePath } from "./line-path.ts";

test("the highest value touches the upper inset, the lowest the lower one", () => {
  expect(linePath([1, 3, 2], 100, 20, 2)).toBe("M0 18L50 2L100 10");
});

test("equal values draw a line through the middle", () => {
  expect(linePath([5, 5], 10, 10, 1)).toBe("M0 5L10 5");
});

test("values stand where their shares of the width are", () => {
  expect(linePath([1, 3, 2], 100, 20, 2, [0, 0.9, 1])).toBe("M0 18L90 2L100 10");
});

test("one value is one point", () => {
  expect(linePath([5], 10, 10, 1)).toBe("M0 5");
});
