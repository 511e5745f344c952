import { describe, expect, test } from "vitest";
import type { Amount, Lots, Ticks } from "./amount.ts";
import { ClientOrderIds } from "./client-order-ids.ts";
import type { PlaceOrder } from "./commands.ts";
import { REMEMBERED_MS } from "./idempotency-keys.ts";

const order = (clientOrderId: string): PlaceOrder => ({
  type: "placeOrder",
  account: 16,
  marketId: 1,
  side: "buy",
  orderType: "limit",
  timeInForce: "gtc",
  postOnly: false,
  priceTicks: 1 as Ticks,
  quantityLots: 1 as Lots,
  quoteAmount: 0 as Amount,
  clientOrderId,
});

describe("client order ids", () => {
  test("of ended orders are forgotten after three days, when another comes in", () => {
    const ids = new ClientOrderIds();
    for (let index = 0; index < 100; index++)
      ids.remember(order(`${index}`), index + 1, 1, 0, false);
    expect(ids.size).toBe(100);
    ids.remember(order("new"), 101, 2, REMEMBERED_MS, false);
    expect(ids.size).toBe(1);
  });

  test("of open orders are kept for as long as they are open, and no longer", () => {
    const ids = new ClientOrderIds();
    ids.remember(order("open"), 1, 1, 0, true);
    ids.remember(order("new"), 2, 2, REMEMBERED_MS * 2, false);
    expect(ids.find(16, "open", REMEMBERED_MS * 2)?.orderId).toBe(1);
    ids.orderEnded(1);
    expect(ids.find(16, "open", REMEMBERED_MS * 2)).toBeUndefined();
    expect(ids.size).toBe(1);
  });
});
