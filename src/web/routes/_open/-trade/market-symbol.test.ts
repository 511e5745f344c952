import { expect, test } from "vitest";
import { parseMarketSymbol } from "./market-symbol.ts";

test("a market of the URL is read in any writing, nonsense is ignored", () => {
  expect(parseMarketSymbol("BTC-USD")).toBe("BTC-USD");
  expect(parseMarketSymbol("btc/usd")).toBe("BTC-USD");
  for (const value of [
    "",
    "BTC",
    "<script>",
    "A-B-C",
    7,
    null,
    ["BTC-USD"],
    "X".repeat(40) + "-USD",
  ]) {
    expect(parseMarketSymbol(value)).toBeUndefined();
  }
});
