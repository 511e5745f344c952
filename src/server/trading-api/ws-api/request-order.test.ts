import { expect, test } from "vitest";
import { findEndpoint } from "../endpoints/endpoints.ts";
import { RequestOrder } from "./request-order.ts";

const place = findEndpoint("POST", "/api/v3/order");
const cancel = findEndpoint("DELETE", "/api/v3/order");
const read = findEndpoint("GET", "/api/v3/allOrders");

/** Requests that begin and are answered when the test says so. */
function scene() {
  const order = new RequestOrder();
  const begun: string[] = [];
  const ask = (name: string, call: typeof place) => {
    const turn = order.next();
    const { promise: answer, resolve: end } = Promise.withResolvers<void>();
    const isNext = turn.isNext ?? Promise.resolve();
    const asked = isNext.then(() => order.answer(call, turn, () => (begun.push(name), answer)));
    return { submit: turn.begin, end: () => (end(), asked) };
  };
  return { begun, ask };
}
const settle = () => new Promise((resolve) => setImmediate(resolve));

test("a call that trades begins once the one before is submitted, not once it is answered", async () => {
  const { ask, begun } = scene();
  const first = ask("first", place);
  ask("second", place);
  await settle();
  expect(begun).toEqual(["first"]);
  first.submit();
  await settle();
  expect(begun).toEqual(["first", "second"]);
});

test("a call that names an order waits for the answers to those before", async () => {
  const { ask, begun } = scene();
  const first = ask("order", place);
  const second = ask("cancellation", cancel);
  first.submit();
  await settle();
  expect(begun).toEqual(["order"]);
  await first.end();
  await settle();
  expect(begun).toEqual(["order", "cancellation"]);
  void second.end();
});

test("nothing waits for a read", async () => {
  const { ask, begun } = scene();
  ask("read", read);
  ask("cancellation", cancel);
  await settle();
  expect(begun).toEqual(["read", "cancellation"]);
});
