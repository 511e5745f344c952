import { expect, test } from "vitest";
import { TokenBucket } from "./token-bucket.ts";

const TEN_IN_A_SECOND = { capacity: 10, windowMs: 1_000 };

test("a full bucket gives its capacity at once, then one each time it is refilled by one", () => {
  const bucket = new TokenBucket();
  bucket.take(TEN_IN_A_SECOND, 10, 5_000);
  expect(bucket.waitMs(TEN_IN_A_SECOND, 1, 5_000)).toBe(100);
  expect(bucket.waitMs(TEN_IN_A_SECOND, 3, 5_050)).toBe(250);
  expect(bucket.waitMs(TEN_IN_A_SECOND, 1, 5_100)).toBe(0);
});

test("asking takes nothing", () => {
  const bucket = new TokenBucket();
  for (let n = 0; n < 50; n++) expect(bucket.waitMs(TEN_IN_A_SECOND, 10, 0)).toBe(0);
});

test("it never holds more than its capacity", () => {
  const bucket = new TokenBucket();
  bucket.take(TEN_IN_A_SECOND, 1, 0);
  expect(bucket.waitMs(TEN_IN_A_SECOND, 10, 60_000)).toBe(0);
  bucket.take(TEN_IN_A_SECOND, 10, 60_000);
  expect(bucket.waitMs(TEN_IN_A_SECOND, 1, 60_000)).toBe(100);
});

test("a higher limit refills it faster and further", () => {
  const bucket = new TokenBucket();
  bucket.take(TEN_IN_A_SECOND, 10, 0);
  expect(bucket.waitMs({ capacity: 100, windowMs: 1_000 }, 100, 1_000)).toBe(0);
});

test("what is used elsewhere is waited for, but for no longer than a whole capacity takes", () => {
  const bucket = new TokenBucket();
  bucket.charge(TEN_IN_A_SECOND, 4, 0);
  expect(bucket.used(TEN_IN_A_SECOND, 0)).toBe(4);
  bucket.take(TEN_IN_A_SECOND, 6, 0);
  bucket.charge(TEN_IN_A_SECOND, 5, 0);
  expect(bucket.waitMs(TEN_IN_A_SECOND, 1, 0)).toBe(600);
  bucket.charge(TEN_IN_A_SECOND, 1_000, 0);
  expect(bucket.waitMs(TEN_IN_A_SECOND, 1, 0)).toBe(1_100);
  // One with a debt of its own still has it.
  const owing = new TokenBucket();
  owing.take(TEN_IN_A_SECOND, 40, 0);
  owing.charge(TEN_IN_A_SECOND, 5, 0);
  expect(owing.waitMs(TEN_IN_A_SECOND, 1, 0)).toBe(3_100);
});
