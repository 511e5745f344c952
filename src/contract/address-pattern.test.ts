import { expect, test } from "vitest";
import { fitsPattern, isAddressPattern } from "./address-pattern.ts";

test.each([
  "DE[0-9]{20}",
  "bc1[a-z0-9]{25,87}",
  "0x[0-9a-fA-F]{40}",
  "[A-Z]{2}[0-9]{2}[A-Z0-9]{1,30}",
])("%s is a pattern", (pattern) => {
  expect(isAddressPattern(pattern)).toBe(true);
});

test.each([
  "",
  "(a+)+",
  "a*",
  ".*?",
  "[a-z]+",
  "[a-z]{1,9}[a-z]{1,9}[a-z]{1,9}[a-z]{1,9}",
  "[z-a]",
  "[a-z]{9,1}",
  "a|b",
  "[^a]",
])("%j is none", (pattern) => {
  expect(isAddressPattern(pattern)).toBe(false);
});

test("an address fits as a whole", () => {
  expect(fitsPattern("DE12", "DE[0-9]{2}")).toBe(true);
  expect(fitsPattern("DE123", "DE[0-9]{2}")).toBe(false);
  expect(fitsPattern(" DE12", "DE[0-9]{2}")).toBe(false);
  expect(fitsPattern("anything", undefined)).toBe(true);
});
