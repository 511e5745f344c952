import { describe, expect, test } from "vitest";
import type { Order } from "#contract/types.ts";
import {
  changeableFields,
  changeRequest,
  LINKED_SENTENCE,
  NOTHING_CHANGES,
} from "./order-change.ts";

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
    expect(changeRequest(LIMIT, [LIMIT], { price: "59000", quantity: "0.6" })).toEqual({
      kind: "amend",
      args: { orderId: "7", price: "59000", quantity: "0.6" },
      keepsPlace: false,
    });
  });

  test("keeps its place only with less quantity at the same price", () => {
    const keeps = (change: { price?: string; quantity?: string }) =>
      changeRequest(LIMIT, [LIMIT], change);
    expect(keeps({ quantity: "0.4", price: "60000" })).toMatchObject({ keepsPlace: true });
    expect(keeps({ quantity: "0.6" })).toMatchObject({ keepsPlace: false });
    expect(keeps({ quantity: "0.4", price: "60001" })).toMatchObject({ keepsPlace: false });
  });

  test("is not sent anywhere if its numbers are the same, however written", () => {
    expect(changeRequest(LIMIT, [LIMIT], { price: "60000", quantity: "0.5" })).toEqual({
      kind: "impossible",
      reason: NOTHING_CHANGES,
    });
  });

  test("an iceberg is replaced for a new price, with what is not filled yet", () => {
    const iceberg: Order = {
      ...LIMIT,
      timeInForce: "gtd",
      special: { display: "0.0100", expiresAt: 99, selfTradePrevention: "decrement" },
    };
    expect(changeRequest(iceberg, [iceberg], { quantity: "0.4" }).kind).toBe("amend");
    expect(changeRequest(iceberg, [iceberg], { price: "59000" })).toEqual({
      kind: "replace",
      args: {
        orderId: "7",
        order: {
          market: "BTC-USD",
          side: "buy",
          type: "limit",
          timeInForce: "gtd",
          postOnly: true,
          price: "59000",
          quantity: "0.3000",
          display: "0.0100",
          expiresAt: 99,
          selfTradePrevention: "decrement",
        },
      },
    });
  });

  test("after its trigger was reached it is amended, and its trigger cannot be changed", () => {
    const active: Order = { ...LIMIT, special: { trigger: { type: "stop", price: "61000.00" } } };
    expect(changeableFields(active, [active])).toEqual(["price", "quantity"]);
    expect(changeRequest(active, [active], { price: "59000" }).kind).toBe("amend");
  });
});

describe("an order that waits for a trigger", () => {
  test("is replaced with the new trigger price", () => {
    expect(changeRequest(STOP, [STOP], { triggerPrice: "62000" })).toEqual({
      kind: "replace",
      args: {
        orderId: "7",
        order: {
          market: "BTC-USD",
          side: "buy",
          type: "market",
          timeInForce: "ioc",
          quantity: "0.5000",
          trigger: { type: "stop", price: "62000" },
        },
      },
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
    expect(changeableFields(trailing, [trailing])).toEqual(["trailBps", "quantity"]);
    expect(changeRequest(trailing, [trailing], { trailBps: 300 })).toMatchObject({
      args: { order: { trigger: { type: "trailingStop", trailBps: 300 } } },
    });
  });

  test("sized by money it is changed in money", () => {
    const byTotal: Order = { ...STOP, quantity: null, quoteAmount: "500.00" };
    expect(changeableFields(byTotal, [byTotal])).toEqual(["triggerPrice", "quoteAmount"]);
    expect(changeRequest(byTotal, [byTotal], { quoteAmount: "600" })).toMatchObject({
      args: { order: { quoteAmount: "600" } },
    });
  });
});

describe("a linked order", () => {
  const leg = (orderId: string, special: Order["special"]): Order => ({
    ...LIMIT,
    orderId,
    special: { ...special, listId: "3" },
  });

  test("of a live pair cannot be changed", () => {
    const pair = [leg("1", {}), leg("2", STOP.special)];
    expect(changeableFields(pair[0], pair)).toEqual([]);
    expect(changeRequest(pair[1], pair, { triggerPrice: "1" })).toEqual({
      kind: "impossible",
      reason: LINKED_SENTENCE,
    });
  });

  test("for which others wait changes its quantity only; those that wait do not change", () => {
    const bracket = [
      leg("1", {}),
      leg("2", { waitsFor: "workingOrder" }),
      leg("3", { ...STOP.special, waitsFor: "workingOrder" }),
    ];
    expect(bracket.map((order) => changeableFields(order, bracket))).toEqual([
      ["quantity"],
      [],
      [],
    ]);
    expect(changeRequest(bracket[0], bracket, { price: "1" }).kind).toBe("impossible");
  });

  test("is free once the others have ended", () => {
    const last = leg("1", {});
    expect(changeableFields(last, [last, LIMIT])).toEqual(["price", "quantity"]);
  });
});
