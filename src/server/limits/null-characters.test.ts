import { expect, test } from "vitest";
import { nullCharacterAt } from "./null-characters.ts";

test.each<[unknown, string | undefined]>([
  ["a\0", ""],
  [{ name: "a\0b" }, "name"],
  [{ data: { tags: ["a", "b\0"] } }, "data.tags.1"],
  [{ ["a\0"]: 1 }, "a"],
  [{ name: "a", at: [1, null, { text: "\\0 \u0001" }] }, undefined],
  [undefined, undefined],
  [0, undefined],
])("%j has one at %s", (value, path) => {
  expect(nullCharacterAt(value)).toBe(path);
});
