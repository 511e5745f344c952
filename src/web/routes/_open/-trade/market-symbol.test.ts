import { expect, test } from "vitest";
import { readMarketSymbol } from "./market-symbol.ts";

test("a market of the URL is read in any writing, nonsense is ignored", () => {
  expect(readMarketSymbol("BTC-USD")).toBe("BTC-USD");
  expect(readMarketSymbol("btc/usd")).toBe("BTC-USD");
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
    expect(readMarketSymbol(value)).toBeUndefined();
  }
});
