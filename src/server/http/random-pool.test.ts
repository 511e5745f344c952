import { expect, test } from "vitest";
import { takeRandomBytes } from "./random-pool.ts";

test("no bytes are given twice, before and after the pool is refilled", () => {
  const texts = Array.from({ length: 3_000 }, () => takeRandomBytes(16).toString("hex"));
  expect(new Set(texts).size).toBe(3_000);
  for (const text of texts) expect(text).toMatch(/^[0-9a-f]{32}$/);
  const halves = new Set(texts.flatMap((text) => [text.slice(0, 16), text.slice(16)]));
  expect(halves.size).toBe(6_000);
});

test("what does not fit is refused", () => {
  expect(takeRandomBytes(8_192)).toHaveLength(8_192);
  expect(() => takeRandomBytes(8_193)).toThrow(RangeError);
});
