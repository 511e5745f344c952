import { expect, test } from "vitest";
import { retrySerialization } from "./retry-serialization.ts";

class CodedError extends Error {
  readonly code: string;
  constructor(code: string) {
    super(`failed with ${code}`);
    this.code = code;
  }
}

function failing(times: number, code: string) {
  let calls = 0;
  return {
    run: async () => {
      calls += 1;
      if (calls <= times) throw new CodedError(code);
      return "done";
    },
    calls: () => calls,
  };
}

test("a transaction that collided is run again until it succeeds", async () => {
  for (const code of ["40001", "40P01"]) {
    const { run, calls } = failing(3, code);
    expect(await retrySerialization(run)).toBe("done");
    expect(calls()).toBe(4);
  }
});

test("after six collisions it gives up with the last error", async () => {
  const { run, calls } = failing(100, "40001");
  await expect(retrySerialization(run)).rejects.toThrow("failed with 40001");
  expect(calls()).toBe(6);
});

test("any other error is passed on at once", async () => {
  const { run, calls } = failing(1, "23505");
  await expect(retrySerialization(run)).rejects.toThrow("failed with 23505");
  expect(calls()).toBe(1);
});
