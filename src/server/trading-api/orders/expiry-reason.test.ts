import { expect, test } from "vitest";
import type { OrderRecord } from "../../records/orders.ts";
import { expiryReasonOf, hasExpired } from "./expiry-reason.ts";

const ORDER = {
  status: "expired",
  orderType: "limit",
  listId: 0,
  listKind: "",
} as Partial<OrderRecord> as OrderRecord;
const trigger = { trigger: { kind: "stop" } } as OrderRecord["conditions"];

test.each<[Partial<OrderRecord>, string | undefined]>([
  [{ endReason: "immediateOrCancel" }, "UNFILLED_IOC_QUANTITY_EXPIRED"],
  [{ endReason: "immediateOrCancel", orderType: "market" }, "INSUFFICIENT_LIQUIDITY"],
  [{ endReason: "wouldNotFill" }, "UNFILLED_FOK_ORDER_EXPIRED"],
  [{ endReason: "bookExhausted" }, "INSUFFICIENT_LIQUIDITY"],
  [{ endReason: "priceBand" }, "EXECUTION_RULE_PRICE_RANGE_EXCEEDED"],
  [{ endReason: "breaker" }, "EXECUTION_RULE_PRICE_RANGE_EXCEEDED"],
  [{ endReason: "listExpired", status: "cancelled" }, "OCO_TRIGGER"],
  [{ endReason: "workingOrderExpired", status: "cancelled" }, "OTO_PHASE_ONE_EXPIRED"],
  [{ endReason: "marketClosed", status: "cancelled" }, "EXCHANGE_CANCELED"],
  [{ endReason: "accountFrozen", status: "cancelled" }, "EXCHANGE_CANCELED"],
  [{ endReason: "balanceTooLarge" }, "EXCHANGE_CANCELED"],
  [{ endReason: "quantityTooLarge" }, "EXCHANGE_CANCELED"],
  [{ endReason: "quantityTooLarge", listId: 7 }, "REJECTED"],
  [{ endReason: "wouldCross", conditions: trigger }, "REJECTED"],
  [{ endReason: "insufficientAvailable", listId: 7 }, "REJECTED"],
  // Binance has no name for these.
  [{ endReason: "expired" }, undefined],
  [{ endReason: "selfTrade" }, undefined],
])("an order that ended so has expired: %o", (ended, reason) => {
  const order = { ...ORDER, ...ended };
  expect(hasExpired(order)).toBe(true);
  expect(expiryReasonOf(order)).toBe(reason);
});

test.each(["byOwner", "cancelTimer", "replaced", "listEnded"] as const)(
  "an order that its owner ended has not expired: %s",
  (endReason) => {
    const order: OrderRecord = { ...ORDER, status: "cancelled", endReason };
    expect(hasExpired(order)).toBe(false);
    expect(expiryReasonOf(order)).toBeUndefined();
  },
);

test("an order that is open or filled has not expired", () => {
  for (const order of [
    { ...ORDER, status: "open", endReason: "" },
    { ...ORDER, status: "filled", endReason: "filled" },
  ] as OrderRecord[]) {
    expect(expiryReasonOf(order)).toBeUndefined();
  }
});
