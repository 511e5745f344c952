import { expect, test } from "vitest";
import { isNearMiss } from "./near-miss.ts";

test.each([
  ["PROT", "PORT", true],
  ["PORTT", "PORT", true],
  ["POT", "PORT", true],
  ["PART", "PORT", true],
  ["DATADIR", "DATA_DIR", true],
  ["PORT", "PORT", false],
  ["HOSTNAME", "HOST", false],
  ["TROP", "PORT", false],
  ["", "PORT", false],
])("%s beside %s: %s", (given, known, expected) => {
  expect(isNearMiss(given, known)).toBe(expected);
});
