/**
 * Assigns client order ids to a submission. Retrying the same order keeps its id, so that a retry
 * after a lost connection never places a second order; a changed order gets a new id.
 */
import type { TicketRequest } from "./order-request.ts";

export interface Submission {
  /** One id for each order of the request. */
  readonly clientOrderIds: readonly string[];
  /** The request without the ids, as text. */
  readonly request: string;
}

/** @param newId returns at most 36 characters */
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
