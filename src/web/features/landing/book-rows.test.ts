import { expect, test } from "vitest";
import { bookLevels } from "./book-rows.ts";

test("levels are price and quantity in turn, bars to the largest of both sides", () => {
  const book = {
    bids: ["99.00", "1", "98.00", "4", "97.00", "100"],
    asks: ["101.00", "2", "102.00", "1"],
  };
  expect(bookLevels(book, 2)).toEqual({
    bids: [
      { price: "99.00", quantity: "1", share: 0.26 },
      { price: "98.00", quantity: "4", share: 1 },
    ],
    asks: [
      { price: "101.00", quantity: "2", share: 0.5 },
      { price: "102.00", quantity: "1", share: 0.26 },
    ],
  });
});

test("an empty book has no levels", () => {
  expect(bookLevels({ bids: [], asks: [] }, 5)).toEqual({ bids: [], asks: [] });
});
