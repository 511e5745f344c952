import { expect, test } from "vitest";
import type { Order } from "#contract/types.ts";
import { countWords, scopeChoices, scopeSentence } from "./cancel-scope.ts";

const order = (market: string, side: Order["side"]) => ({ market, side }) as Order;
const ORDERS = [order("BTC-USD", "buy"), order("BTC-USD", "sell"), order("ETH-USD", "buy")];

test("all markets together offer each side and each market that has orders", () => {
  expect(scopeChoices(ORDERS, undefined).map(({ label, count }) => [label, count])).toEqual([
    ["buy orders", 2],
    ["sell orders", 1],
    ["orders in BTC-USD", 2],
    ["orders in ETH-USD", 1],
  ]);
});

test("one market offers its sides; a side without orders is not offered", () => {
  const shown = ORDERS.filter(({ market }) => market === "ETH-USD");
  expect(scopeChoices(shown, "ETH-USD")).toEqual([
    { label: "buy orders", scope: { market: "ETH-USD", side: "buy" }, count: 1 },
  ]);
});

test("the question counts the orders and says where they are", () => {
  expect(countWords(1, {})).toBe("1 order");
  expect(countWords(3, { side: "sell" })).toBe("3 sell orders");
  expect(scopeSentence({ market: "BTC-USD", side: "sell" })).toContain(
    "open sell order in BTC-USD ends",
  );
  expect(scopeSentence({})).toContain("open order in all markets ends");
});
