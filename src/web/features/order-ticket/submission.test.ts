import { expect, test } from "vitest";
import type { TicketRequest } from "./order-request.ts";
import { submissionOf } from "./submission.ts";

function request(quantity: string): TicketRequest {
  const order = { market: "BTC-USD", side: "buy", type: "limit", price: "1", quantity } as const;
  return { kind: "order", order };
}
function ids() {
  let last = 0;
  return () => `id-${(last += 1)}`;
}

test("trying the same order again keeps its id", () => {
  const newId = ids();
  const first = submissionOf(request("2"), null, newId);
  expect(submissionOf(request("2"), first, newId).clientOrderIds).toEqual(["id-1"]);
});

test("another order gets another id", () => {
  const newId = ids();
  const first = submissionOf(request("2"), null, newId);
  expect(submissionOf(request("3"), first, newId).clientOrderIds).toEqual(["id-2"]);
});

test("after an accepted order the same order is a new one", () => {
  const newId = ids();
  submissionOf(request("2"), null, newId);
  expect(submissionOf(request("2"), null, newId).clientOrderIds).toEqual(["id-2"]);
});

test("each order of a list has an id of its own", () => {
  const { order } = request("2") as Extract<TicketRequest, { kind: "order" }>;
  const list = { market: "BTC-USD", kind: "oco", orders: [order, order] } as const;
  const orders = list.orders.map(({ market: _market, ...terms }) => terms);
  expect(
    submissionOf({ kind: "list", list: { ...list, orders } }, null, ids()).clientOrderIds,
  ).toEqual(["id-1", "id-2"]);
});
