import { describe, expect, test } from "vitest";
import type { Order } from "#contract/types.ts";
import { changeableFields, changeRequest, NOTHING_CHANGES, pairedOrder } from "./order-change.ts";

const LIMIT: Order = {
  orderId: "7",
  clientOrderId: "",
  market: "BTC-USD",
  side: "buy",
  type: "limit",
  timeInForce: "gtc",
  postOnly: true,
  price: "60000.00",
  quantity: "0.5000",
  quoteAmount: null,
  filledQuantity: "0.2000",
  filledQuote: "12000.00",
  averagePrice: "60000.00",
  status: "partiallyFilled",
  makerFeeBps: 10,
  takerFeeBps: 20,
  feeSource: "plan",
  placedAt: 1,
  updatedAt: 1,
};
const STOP: Order = {
  ...LIMIT,
  type: "market",
  timeInForce: "ioc",
  postOnly: false,
  price: null,
  filledQuantity: "0.0000",
  special: { trigger: { type: "stop", price: "61000.00" }, waitsFor: "trigger" },
};

describe("an order that rests", () => {
  test("is amended in price and total quantity", () => {
    expect(changeRequest(LIMIT, { price: "59000", quantity: "0.6" })).toEqual({
      kind: "amend",
      args: { orderId: "7", price: "59000", quantity: "0.6" },
      effect: "losesPlace",
    });
  });

  test("keeps its place only with less quantity at the same price", () => {
    const effectOf = (change: { price?: string; quantity?: string }) =>
      changeRequest(LIMIT, change);
    expect(effectOf({ quantity: "0.4", price: "60000" })).toMatchObject({ effect: "keepsPlace" });
    expect(effectOf({ quantity: "0.6" })).toMatchObject({ effect: "losesPlace" });
    expect(effectOf({ quantity: "0.4", price: "60001" })).toMatchObject({ effect: "losesPlace" });
  });

  test("is not sent anywhere if its numbers are the same, however written", () => {
    expect(changeRequest(LIMIT, { price: "60000", quantity: "0.5" })).toEqual({
      kind: "impossible",
      reason: NOTHING_CHANGES,
    });
  });

  test("after its trigger was reached its trigger cannot be changed", () => {
    const active: Order = { ...LIMIT, special: { trigger: { type: "stop", price: "61000.00" } } };
    expect(changeableFields(active)).toEqual(["price", "quantity"]);
    expect(changeRequest(active, { price: "59000" }).kind).toBe("amend");
  });
});

describe("an order that waits", () => {
  test("is amended in its trigger price and still waits", () => {
    expect(changeableFields(STOP)).toEqual(["triggerPrice", "quantity"]);
    expect(changeRequest(STOP, { triggerPrice: "62000", quantity: "0.5" })).toEqual({
      kind: "amend",
      args: { orderId: "7", triggerPrice: "62000" },
      effect: "waits",
    });
  });

  test("a trailing stop takes a new distance, not a price", () => {
    const trailing: Order = {
      ...STOP,
      special: {
        trigger: { type: "trailingStop", price: "61000.00", trailBps: 250 },
        waitsFor: "trigger",
      },
    };
    expect(changeableFields(trailing)).toEqual(["trailBps", "quantity"]);
    expect(changeRequest(trailing, { trailBps: 300 })).toMatchObject({
      args: { orderId: "7", trailBps: 300 },
    });
  });

  test("sized by money it is changed in money", () => {
    const byTotal: Order = { ...STOP, quantity: null, quoteAmount: "500.00" };
    expect(changeableFields(byTotal)).toEqual(["triggerPrice", "quoteAmount"]);
    expect(changeRequest(byTotal, { quoteAmount: "600" })).toMatchObject({
      args: { quoteAmount: "600" },
    });
  });

  test("for its entry order, it has no size of its own where it takes what that receives", () => {
    const pending: Order = {
      ...STOP,
      quantity: null,
      special: { ...STOP.special, waitsFor: "workingOrder" },
    };
    expect(changeableFields(pending)).toEqual(["triggerPrice"]);
    expect(changeableFields({ ...pending, special: { waitsFor: "workingOrder" } })).toEqual([]);
  });
});

describe("the order that an amended quantity concerns too", () => {
  const leg = (orderId: string, special: Order["special"]): Order => ({
    ...LIMIT,
    orderId,
    special: { ...special, listId: "3" },
  });

  test("is the other one of a pair, live or waiting for its entry order", () => {
    const pair = [leg("1", {}), leg("2", STOP.special)];
    expect(pair.map((order) => pairedOrder(order, pair)?.orderId)).toEqual(["2", "1"]);
    const bracket = [
      leg("1", {}),
      leg("2", { waitsFor: "workingOrder" }),
      leg("3", { ...STOP.special, waitsFor: "workingOrder" }),
    ];
    expect(bracket.map((order) => pairedOrder(order, bracket)?.orderId)).toEqual([
      undefined,
      "3",
      "2",
    ]);
  });

  test("is none of another list, or none at all", () => {
    expect(pairedOrder(LIMIT, [LIMIT, STOP])).toBeUndefined();
    expect(pairedOrder(leg("1", {}), [leg("1", {}), LIMIT])).toBeUndefined();
  });
});
