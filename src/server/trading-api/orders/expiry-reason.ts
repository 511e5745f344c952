/**
 * Whether and why an order expired, in Binance's words: orders expire by their own rules or by the exchange,
 * and are cancelled by their owners (https://developers.binance.com/docs/binance-spot-api-docs/enums).
 */
import { REJECT_REASONS } from "#engine/reject-reasons.ts";
import type { OrderRecord } from "../../records/orders.ts";

export const EXPIRY_REASONS = [
  "REJECTED",
  "EXCHANGE_CANCELED",
  "OCO_TRIGGER",
  "OTO_PHASE_ONE_EXPIRED",
  "UNFILLED_IOC_QUANTITY_EXPIRED",
  "UNFILLED_FOK_ORDER_EXPIRED",
  "INSUFFICIENT_LIQUIDITY",
  "EXECUTION_RULE_PRICE_RANGE_EXCEEDED",
] as const;
export type ExpiryReason = (typeof EXPIRY_REASONS)[number];

type EndReason = OrderRecord["endReason"];

const EXPIRY_REASON_OF: Readonly<Partial<Record<EndReason, ExpiryReason>>> = {
  immediateOrCancel: "UNFILLED_IOC_QUANTITY_EXPIRED",
  wouldNotFill: "UNFILLED_FOK_ORDER_EXPIRED",
  bookExhausted: "INSUFFICIENT_LIQUIDITY",
  priceBand: "EXECUTION_RULE_PRICE_RANGE_EXCEEDED",
  breaker: "EXECUTION_RULE_PRICE_RANGE_EXCEEDED",
  listExpired: "OCO_TRIGGER",
  workingOrderExpired: "OTO_PHASE_ONE_EXPIRED",
  marketClosed: "EXCHANGE_CANCELED",
  accountFrozen: "EXCHANGE_CANCELED",
  balanceTooLarge: "EXCHANGE_CANCELED",
};

/** Ends that the engine counts as cancellations, though not by the owner. */
const NOT_BY_OWNER: ReadonlySet<EndReason> = new Set([
  "listExpired",
  "workingOrderExpired",
  "marketClosed",
  "accountFrozen",
]);

const rejectReasons: ReadonlySet<string> = new Set(REJECT_REASONS);

/** Whether Binance calls the order's end an expiry. */
export function hasExpired({ endReason, status }: OrderRecord): boolean {
  return status === "expired" || (status === "cancelled" && NOT_BY_OWNER.has(endReason));
}

/**
 * Undefined if the order has not expired or Binance has no reason like it: the end of a good-till-date
 * order, and of one that met another order of its owner's.
 */
export function expiryReasonOf(order: OrderRecord): ExpiryReason | undefined {
  if (!hasExpired(order)) return undefined;
  const { conditions, endReason, listId, orderType } = order;
  // The price at which a market order stops is not its owner's.
  if (endReason === "immediateOrCancel" && orderType === "market") return "INSUFFICIENT_LIQUIDITY";
  const known = EXPIRY_REASON_OF[endReason];
  if (known !== undefined || !rejectReasons.has(endReason)) return known;
  const hasWaited = conditions?.trigger !== undefined || listId !== 0;
  return hasWaited ? "REJECTED" : "EXCHANGE_CANCELED";
}
