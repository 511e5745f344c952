import { describe, expect, test } from "vitest";
import { retryDelayMs, retryNetworkErrors, ServerFailure } from "./retry.ts";

describe("retryDelayMs", () => {
  test("doubles from 100 ms up to 1000 ms", () => {
    expect([0, 1, 2, 3, 4, 5, 9].map((attempt) => retryDelayMs(attempt, 0.5))).toEqual([
      100, 200, 400, 800, 1000, 1000, 1000,
    ]);
  });

  test("is spread by half in both directions", () => {
    expect(retryDelayMs(0, 0)).toBe(50);
    expect(retryDelayMs(9, 0.999_999)).toBeCloseTo(1500, 2);
  });
});

describe("retryNetworkErrors", () => {
  const networkError = () => new TypeError("Failed to fetch");

  function failing(times: number, error: () => Error) {
    let calls = 0;
    const waits: number[] = [];
    const task = () => {
      calls += 1;
      return calls <= times ? Promise.reject(error()) : Promise.resolve("done");
    };
    const options = {
      random: () => 0.5,
      wait: (ms: number) => {
        waits.push(ms);
        return Promise.resolve();
      },
    };
    return { run: () => retryNetworkErrors(task, options), waits, calls: () => calls };
  }

  test("tries again after network errors until it works", async () => {
    const { run, waits } = failing(3, networkError);
    expect(await run()).toBe("done");
    expect(waits).toEqual([100, 200, 400]);
  });

  test("tries again where the server failed", async () => {
    const { run, calls } = failing(1, () => new ServerFailure("502"));
    expect(await run()).toBe("done");
    expect(calls()).toBe(2);
  });

  test("gives up after ten retries", async () => {
    const { run, calls } = failing(Number.POSITIVE_INFINITY, networkError);
    await expect(run()).rejects.toThrow("Failed to fetch");
    expect(calls()).toBe(11);
  });

  test("passes every other error at once", async () => {
    const { run, calls } = failing(1, () => new Error("refused"));
    await expect(run()).rejects.toThrow("refused");
    expect(calls()).toBe(1);
  });
});
