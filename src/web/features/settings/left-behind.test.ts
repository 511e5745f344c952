import { expect, test } from "vitest";
import type { Balance } from "#contract/types.ts";
import { leftBehind } from "./left-behind.ts";

const balance = (coin: string, total: string, value: string | null): Balance => ({
  coin,
  displayDecimals: 8,
  available: total,
  held: "0",
  total,
  value,
});
const coins = [
  { symbol: "USD", displayDecimals: 2 },
  { symbol: "BTC", displayDecimals: 6 },
];

test("nothing is left behind where nothing is", () => {
  expect(leftBehind([], coins)).toBeNull();
  expect(leftBehind([balance("USD", "0.00", "0.00")], coins)).toBeNull();
});

test("what is left behind is named, the most valuable first", () => {
  expect(leftBehind([balance("USD", "1250.00", "1250.00")], coins)).toBe("1,250.00 USD");
  expect(
    leftBehind([balance("USD", "10.00", "10.00"), balance("BTC", "0.5", "30000.00")], coins),
  ).toBe("0.500000 BTC and 10.00 USD");
});

test("a long list ends with how many there are besides", () => {
  const many = ["A", "B", "C", "D", "E", "F"].map((coin) => balance(coin, "1", "1"));
  expect(leftBehind(many, coins)).toMatch(/^1.0+ A, 1.0+ B, 1.0+ C, 1.0+ D and 2 more coins$/);
  expect(leftBehind(many.slice(0, 5), coins)).toMatch(/ D and 1 more coin$/);
});
