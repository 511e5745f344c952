import { expect, test } from "vitest";
import { RecentFailures } from "./recent-failures.ts";

test("a failure is told for a while, and forgotten though every read fails", () => {
  let nowMs = 0;
  const failures = new RecentFailures(1_000, () => nowMs);
  for (let each = 0; each < 100; each += 1) failures.add(`read ${each}`, new Error(`${each}`));
  nowMs = 500;
  failures.add("read 0", new Error("again"));
  expect(() => failures.throwIfFailed("read 0")).toThrow("again");
  expect(() => failures.throwIfFailed("read 7")).toThrow("7");
  expect(() => failures.throwIfFailed("read 100")).not.toThrow();
  nowMs = 1_000;
  expect(() => failures.throwIfFailed("read 7")).not.toThrow();
  expect(() => failures.throwIfFailed("read 0")).toThrow("again");
  expect(failures.count).toBe(1);
  nowMs = 1_500;
  failures.add("read 1", new Error("later"));
  expect(failures.count).toBe(1);
});
