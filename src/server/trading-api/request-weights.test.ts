import { expect, test } from "vitest";
import { ApiError } from "./api-error.ts";
import { RequestWeights } from "./request-weights.ts";

function refusal(spend: () => unknown): [status: number, retryAfter: number] {
  try {
    spend();
  } catch (error) {
    if (error instanceof ApiError) return [error.status, error.retryAfterSeconds ?? 0];
  }
  throw new Error("it was admitted");
}

test("the allowance is used to its last unit and begins anew with the minute", () => {
  let nowMs = 60_000 * 7 + 20_000;
  const weights = new RequestWeights(100, () => nowMs);
  weights.spend("one", 60);
  weights.spend("one", 40);
  expect(weights.usedBy("one")).toBe(100);
  expect(refusal(() => weights.spend("one", 1))).toEqual([429, 40]);
  weights.spend("other", 100);
  nowMs = 60_000 * 8;
  expect(weights.usedBy("one")).toBe(0);
  weights.spend("one", 1);
  expect(weights.usedBy("one")).toBe(1);
});

/** Uses the allowance up and asks on until it is shut out. */
function ignoreRefusals(weights: RequestWeights): [status: number, retryAfter: number] {
  weights.spend("one", 100);
  for (let count = 0; count < 20; count++) {
    expect(refusal(() => weights.spend("one", 1))[0]).toBe(429);
  }
  return refusal(() => weights.spend("one", 1));
}

test("after twenty refusals in a minute a client is shut out for two minutes, whatever the minute", () => {
  let nowMs = 60_000 * 7 + 59_000;
  const weights = new RequestWeights(100, () => nowMs);
  expect(ignoreRefusals(weights)).toEqual([418, 120]);
  nowMs += 119_000;
  expect(refusal(() => weights.spend("one", 1))).toEqual([418, 1]);
  nowMs += 1_000;
  weights.spend("one", 1);
});

test("each time it is shut out for twice as long, at most three days, unless it has rested", () => {
  let nowMs = 60_000 * 7;
  const weights = new RequestWeights(100, () => nowMs);
  const seconds: number[] = [];
  for (let count = 0; count < 14; count++) {
    const [, retryAfter] = ignoreRefusals(weights);
    seconds.push(retryAfter);
    nowMs += retryAfter * 1_000;
  }
  expect(seconds.slice(0, 3)).toEqual([120, 240, 480]);
  expect(seconds.slice(-2)).toEqual([259_200, 259_200]);
  nowMs += 259_200_000;
  expect(ignoreRefusals(weights)).toEqual([418, 120]);
});
