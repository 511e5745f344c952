import { expect, test } from "vitest";
import type { PublicTrade } from "#contract/types.ts";
import { newerThan } from "./newer-trades.ts";

const trades = [9, 7, 4].map((tradeId): PublicTrade => ({
  tradeId,
  price: "1",
  quantity: "1",
  takerSide: "buy",
  time: 0,
}));

test("newer trades are those above the one that was the newest", () => {
  expect(newerThan(trades, 9)).toBe(0);
  expect(newerThan(trades, 4)).toBe(2);
});

test("a trade that has left the list has all of it above", () => {
  expect(newerThan(trades, 2)).toBe(3);
  expect(newerThan([], 2)).toBe(0);
});
