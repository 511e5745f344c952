import { expect, test } from "vitest";
import { DESCRIPTIONS, matchingIndicators } from "./catalogue.ts";
import { DEFAULT_PARAMETERS, INDICATOR_NAMES, parseChosenIndicator } from "./indicator-names.ts";

test("every parameter of an indicator has a label", () => {
  for (const name of INDICATOR_NAMES) {
    expect([name, DESCRIPTIONS[name].parameters.length]).toEqual([
      name,
      DEFAULT_PARAMETERS[name].length,
    ]);
  }
});

test("an indicator is found by its short name and by any words of its label", () => {
  expect(matchingIndicators(INDICATOR_NAMES, "rsi")).toEqual(["RSI"]);
  expect(matchingIndicators(INDICATOR_NAMES, "average exponential")).toEqual(["EMA", "TRIX"]);
  expect(matchingIndicators(INDICATOR_NAMES, "")).toEqual(INDICATOR_NAMES);
  expect(matchingIndicators(INDICATOR_NAMES, "nothing")).toEqual([]);
});

test.each([
  ["a name alone has its default parameters", "RSI", { name: "RSI", parameters: [14] }],
  [
    "edited parameters are kept",
    { name: "BOLL", parameters: [30, 2.5] },
    { name: "BOLL", parameters: [30, 2.5] },
  ],
  [
    "parameters that make no sense are the default ones",
    { name: "BOLL", parameters: [0, -2] },
    { name: "BOLL", parameters: [20, 2] },
  ],
  [
    "too few parameters are the default ones",
    { name: "BOLL", parameters: [30] },
    { name: "BOLL", parameters: [20, 2] },
  ],
  ["an unknown indicator is dropped", "XXX", null],
  ["anything else is dropped", 7, null],
])("%s", (_, stored, expected) => {
  expect(parseChosenIndicator(stored)).toEqual(expected);
});
