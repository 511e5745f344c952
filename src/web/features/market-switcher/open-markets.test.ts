import { expect, test } from "vitest";
import { neighbourOf, withMarket } from "./open-markets.ts";

test("a market is opened once, as the last tab", () => {
  expect(withMarket(["BTC-USD"], "ETH-USD")).toEqual(["BTC-USD", "ETH-USD"]);
  const tabs = ["BTC-USD", "ETH-USD"];
  expect(withMarket(tabs, "BTC-USD")).toBe(tabs);
});

test("the oldest tab makes room", () => {
  const tabs = Array.from({ length: 10 }, (_, index) => `C${index}-USD`);
  expect(withMarket(tabs, "NEW-USD")).toEqual([...tabs.slice(1), "NEW-USD"]);
});

test("closing a tab shows the next one, or the one before it", () => {
  expect(neighbourOf(["A", "B", "C"], "B")).toBe("C");
  expect(neighbourOf(["A", "B", "C"], "C")).toBe("B");
  expect(neighbourOf(["A"], "A")).toBeUndefined();
});
