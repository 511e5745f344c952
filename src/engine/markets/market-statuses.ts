/**
 * The states of a market: the orders that each accepts, and its successors. Pure.
 *
 *   state         new orders               matching      ends by itself with
 *   preOpen       limit GTC, GTD           none          an auction
 *   auction       limit GTC, GTD           none          trading
 *   trading       all                      continuous
 *   postOnly      post-only                none happens
 *   cancelOnly    none                     none
 *   halted        none                     none          an auction
 *   closed        none; all have ended     none
 *
 * Any state may follow any other (market-states.ts).
 */
import type { MarketStatus, OrderTerms } from "../commands.ts";
import type { RejectReason } from "../reject-reasons.ts";

const STATUSES: ReadonlySet<string> = new Set<MarketStatus>([
  "preOpen",
  "auction",
  "trading",
  "postOnly",
  "cancelOnly",
  "halted",
  "closed",
]);

export function isMarketStatus(status: string): status is MarketStatus {
  return STATUSES.has(status);
}

/** The state that follows this one if it was set for a limited time; undefined if it cannot be. */
export function followerOf(status: MarketStatus): MarketStatus | undefined {
  if (status === "preOpen" || status === "halted") return "auction";
  return status === "auction" ? "trading" : undefined;
}

/** Whether a book in this state never crosses: orders that would trade do so or are refused. */
export function isUncrossed(status: MarketStatus): boolean {
  return status === "trading" || status === "postOnly";
}

/** Whether a market in this state accepts orders that do not trade yet. */
export function gathersOrders(status: MarketStatus): boolean {
  return status === "preOpen" || status === "auction";
}

/**
 * Why a market in this state, which does not trade, refuses an order; null if it accepts the order.
 */
export function validateForStatus(status: MarketStatus, terms: OrderTerms): RejectReason | null {
  const mayRest = terms.timeInForce === "gtc" || terms.timeInForce === "gtd";
  const waits = terms.conditions?.trigger !== undefined;
  const isLetIn = status === "postOnly" ? terms.postOnly : gathersOrders(status);
  return isLetIn && terms.orderType === "limit" && mayRest && !waits ? null : "marketNotTrading";
}
