/**
 * The client order id of what is being sent. The same order tried again keeps its id, so that a
 * retry after a lost connection can never become a second order; a changed one gets a new id.
 */
import type { TicketRequest } from "./order-request.ts";

export interface Submission {
  /** Of each order of it. */
  readonly clientOrderIds: readonly string[];
  /** What is asked for, without the ids, as text. */
  readonly request: string;
}

/** @param newId gives at most 36 characters */
export function submissionOf(
  request: TicketRequest,
  former: Submission | null,
  newId: () => string,
): Submission {
  const text = JSON.stringify(request);
  if (former?.request === text) return former;
  const orders = request.kind === "order" ? [request.order] : request.list.orders;
  return { clientOrderIds: orders.map(() => newId()), request: text };
}
