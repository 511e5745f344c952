import { describe, expect, test } from "vitest";
import type { Amount, Lots, Ticks } from "./amount.ts";
import { ClientOrderIds } from "./client-order-ids.ts";
import type { OrderTerms } from "./commands.ts";
import { REMEMBERED_MS } from "./idempotency-keys.ts";

const order = (clientOrderId: string): OrderTerms => ({
  side: "buy",
  orderType: "limit",
  timeInForce: "gtc",
  postOnly: false,
  priceTicks: 1 as Ticks,
  quantityLots: 1 as Lots,
  quoteAmount: 0 as Amount,
  clientOrderId,
});

function remember(
  ids: ClientOrderIds,
  clientOrderId: string,
  orderId: number,
  sequence: number,
  placedAtMs: number,
  isOpen: boolean,
): void {
  ids.remember(16, 1, order(clientOrderId), orderId, sequence, placedAtMs, isOpen);
}

describe("client order ids", () => {
  test("of ended orders are forgotten after three days, when another comes in", () => {
    const ids = new ClientOrderIds();
    for (let index = 0; index < 100; index++) remember(ids, `${index}`, index + 1, 1, 0, false);
    expect(ids.size).toBe(100);
    remember(ids, "new", 101, 2, REMEMBERED_MS, false);
    expect(ids.size).toBe(1);
  });

  test("of open orders are kept for as long as they are open, and no longer", () => {
    const ids = new ClientOrderIds();
    remember(ids, "open", 1, 1, 0, true);
    remember(ids, "new", 2, 2, REMEMBERED_MS * 2, false);
    expect(ids.find(16, "open", REMEMBERED_MS * 2)?.orderId).toBe(1);
    ids.orderEnded(1);
    expect(ids.find(16, "open", REMEMBERED_MS * 2)).toBeUndefined();
    expect(ids.size).toBe(1);
  });
});
