import { expect, test } from "vitest";
import { submissionOf } from "./submission.ts";

const ORDER = { market: "BTC-USD", side: "buy", type: "limit", price: "1", quantity: "2" } as const;
function ids() {
  let last = 0;
  return () => `id-${(last += 1)}`;
}

test("trying the same order again keeps its id", () => {
  const newId = ids();
  const first = submissionOf(ORDER, null, newId);
  expect(submissionOf({ ...ORDER }, first, newId).clientOrderId).toBe("id-1");
});

test("another order gets another id", () => {
  const newId = ids();
  const first = submissionOf(ORDER, null, newId);
  expect(submissionOf({ ...ORDER, quantity: "3" }, first, newId).clientOrderId).toBe("id-2");
});

test("after an accepted order the same order is a new one", () => {
  const newId = ids();
  submissionOf(ORDER, null, newId);
  expect(submissionOf(ORDER, null, newId).clientOrderId).toBe("id-2");
});
