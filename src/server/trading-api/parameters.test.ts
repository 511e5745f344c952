import { expect, test } from "vitest";
import { pairsOf } from "./parameters.ts";

/** Parameters that a program may send, needed or not. */
const PARTS = [
  "symbol=BTCUSD",
  "a",
  "b=",
  "=c",
  "",
  "d=1=2",
  "?e=3",
  "f=é",
  "g=%20",
  "h=1+2",
  "i=a b",
];

test.each(PARTS.flatMap((first) => PARTS.map((second) => `${first}&${second}&z=9`)))(
  "%j is read as the standard reads it",
  (text) => {
    const expected = [...new URLSearchParams(text)];
    const names = expected.map(([name]) => name);
    if (new Set(names).size < names.length) {
      expect(() => pairsOf(text, "")).toThrow("Duplicate values");
    } else {
      expect(pairsOf(text, "")).toEqual(expected);
      expect(pairsOf("", text)).toEqual(expected);
    }
  },
);

test("nothing is read as nothing, and the query goes before the body", () => {
  expect(pairsOf("", "")).toEqual([]);
  expect(pairsOf("?", "")).toEqual([]);
  expect(pairsOf("a=1&b=2", "b=3&c=4")).toEqual([
    ["a", "1"],
    ["b", "2"],
    ["c", "4"],
  ]);
});
