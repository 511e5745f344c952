/**
 * The client order id of what is being sent. The same order tried again keeps its id, so that a
 * retry after a lost connection can never become a second order; a changed one gets a new id.
 */
import type { PlaceOrderArgs } from "#contract/functions.ts";

export interface Submission {
  readonly clientOrderId: string;
  /** The order without its id, as text. */
  readonly order: string;
}

/** @param newId gives at most 36 characters */
export function submissionOf(
  order: Omit<PlaceOrderArgs, "clientOrderId">,
  former: Submission | null,
  newId: () => string,
): Submission {
  const text = JSON.stringify(order, Object.keys(order).sort());
  return former?.order === text ? former : { clientOrderId: newId(), order: text };
}
