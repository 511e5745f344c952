/**
 * Assigns client order ids to a submission. Retrying the same order keeps its id, so that a retry
 * after a lost connection never places a second order; a changed order gets a new id.
 */
import type { TicketRequest } from "./order-request.ts";

export interface Submission {
  /** One id for each order of the request. */
  readonly clientOrderIds: readonly string[];
  /** The request without its ids, serialized to detect a repeat. */
  readonly request: string;
}

/**
 * Keeps the previous submission's ids if the request is the same.
 * @param newId returns an id of at most 36 characters
 */
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
