import { expect, test } from "vitest";
import { SharedLimits } from "../limits/shared-limits.ts";
import { ApiError } from "./api-error.ts";
import { RequestWeights } from "./request-weights.ts";

const ONE = { client: "one", limit: 100 };
const OTHER = { client: "other", limit: 100 };

function refusal(spend: () => unknown): [status: number, retryAfter: number] {
  try {
    spend();
  } catch (error) {
    if (error instanceof ApiError) return [error.status, error.retryAfterSeconds ?? 0];
  }
  throw new Error("it was admitted");
}

test("the allowance is used to its last unit and is full again with the next minute", () => {
  let nowMs = 60_000 * 7 + 20_000;
  const weights = new RequestWeights(() => nowMs);
  weights.spend(ONE, 60);
  weights.spend(ONE, 40);
  expect(weights.usedBy("one")).toBe(100);
  expect(refusal(() => weights.spend(ONE, 1))).toEqual([429, 40]);
  weights.spend(OTHER, 100);
  nowMs = 60_000 * 8;
  expect(weights.usedBy("one")).toBe(0);
  weights.spend(ONE, 1);
  expect(weights.usedBy("one")).toBe(1);
});

/** Uses up the allowance and continues to send until it is banned. */
function ignoreRefusals(weights: RequestWeights): [status: number, retryAfter: number] {
  weights.spend(ONE, 100);
  for (let count = 0; count < 20; count++) {
    expect(refusal(() => weights.spend(ONE, 1))[0]).toBe(429);
  }
  return refusal(() => weights.spend(ONE, 1));
}

test("after twenty refusals in a minute a client is shut out for two minutes, whatever the minute", () => {
  let nowMs = 60_000 * 7 + 59_000;
  const weights = new RequestWeights(() => nowMs);
  expect(ignoreRefusals(weights)).toEqual([418, 120]);
  nowMs += 119_000;
  expect(refusal(() => weights.spend(ONE, 1))).toEqual([418, 1]);
  nowMs += 1_000;
  weights.spend(ONE, 1);
});

test("each time it is shut out for twice as long, at most three days, unless it has rested", () => {
  let nowMs = 60_000 * 7;
  const weights = new RequestWeights(() => nowMs);
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

test("each client has its own limit, and what is given back can be spent again", () => {
  const weights = new RequestWeights(() => 60_000);
  const small = { client: "small", limit: 10 };
  weights.spend(small, 10);
  weights.spend(ONE, 100);
  expect(refusal(() => weights.spend(small, 1))).toEqual([429, 60]);
  expect(weights.usedBy("small")).toBe(11);
  weights.giveBack(small, 2);
  weights.spend(small, 1);
  weights.giveBack(small, 1_000);
  weights.giveBack({ client: "unknown", limit: 10 }, 1);
  expect([weights.usedBy("small"), weights.usedBy("unknown")]).toEqual([0, 0]);
});

test("weight that a client has used on another node counts here, in the same minute only", () => {
  let nowMs = 60_000;
  const limits = [new SharedLimits(() => nowMs), new SharedLimits(() => nowMs)];
  const [here, there] = limits.map((shared) => new RequestWeights(() => nowMs, shared));
  const tell = () =>
    limits[0].receive("there", limits[1].takeReport() ?? expect.fail("nothing is told"));
  there.spend(ONE, 70);
  there.giveBack(ONE, 10);
  tell();
  expect(here.usedBy("one")).toBe(60);
  here.spend(ONE, 40);
  expect(refusal(() => here.spend(ONE, 1))).toEqual([429, 60]);
  expect(there.usedBy("one")).toBe(60);

  nowMs = 120_000;
  expect(here.usedBy("one")).toBe(0);
});
