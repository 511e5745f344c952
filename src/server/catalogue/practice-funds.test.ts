import { expect, test } from "vitest";
import { readConfig } from "../settings/config.ts";

const read = (PRACTICE_FUNDS: string) => readConfig({ PRACTICE_FUNDS }).PRACTICE_FUNDS;

test("an amount alone is of US dollars, others name their coin", () => {
  expect(read("")).toEqual([{ coin: "USD", amount: "100000" }]);
  expect(read("2500.50")).toEqual([{ coin: "USD", amount: "2500.50" }]);
  expect(read("BTC:0.00000001")).toEqual([{ coin: "BTC", amount: "0.00000001" }]);
  expect(read("USD:100000, BTC: 1")).toEqual([
    { coin: "USD", amount: "100000" },
    { coin: "BTC", amount: "1" },
  ]);
});

test.each([
  ["a lot", "must be an amount such as 100000, or USD:100000,BTC:1"],
  ["100000,", "must be an amount such as 100000, or USD:100000,BTC:1"],
  ["USD:-5", "must be an amount such as 100000, or USD:100000,BTC:1"],
  ["USD:1,GOLD:1", "no coin GOLD is listed"],
  ["BTC:0.000000001", "the amount of BTC has more than 8 decimals"],
  ["0", "the amount of USD must be more than 0"],
  ["BTC:90071992.54740992", "the amount of BTC must be at most 90071992.54740991"],
  ["5,BTC:1,USD:5", "names USD twice"],
])("PRACTICE_FUNDS=%s stops the start: %s", (value, reason) => {
  expect(() => read(value)).toThrow(`The setting PRACTICE_FUNDS is wrong: ${reason}.`);
});
