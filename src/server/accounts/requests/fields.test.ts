import { expect, test } from "vitest";
import { fieldOf, hasField, textOf } from "./fields.ts";

test("fields are read of objects that have them, whatever else was sent", () => {
  expect(fieldOf({ a: 1 }, "a")).toBe(1);
  expect(textOf({ a: "text" }, "a")).toBe("text");
  expect(textOf({ a: 1 }, "a")).toBeUndefined();
  expect(hasField({ a: undefined }, "a")).toBe(true);
  for (const sent of [null, undefined, "text", 7, [], {}]) {
    expect([fieldOf(sent, "a"), textOf(sent, "a"), hasField(sent, "a")]).toEqual([
      undefined,
      undefined,
      false,
    ]);
  }
});

test("what every object inherits is no field", () => {
  expect(fieldOf({}, "constructor")).toBeUndefined();
  expect(fieldOf(JSON.parse('{"__proto__":{"a":1}}'), "a")).toBeUndefined();
});
