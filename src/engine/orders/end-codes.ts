/** How and why orders end as small integers, as rows of events store them. */
import { ORDER_END_REASONS, type OrderEndReason, type OrderEndStatus } from "../events.ts";
import { REJECT_REASONS, rejectReasonCode, type RejectReason } from "../reject-reasons.ts";

export const END_FILLED = 0;
export const END_CANCELLED = 1;
export const END_EXPIRED = 2;
const END_STATUSES: readonly OrderEndStatus[] = ["filled", "cancelled", "expired"];

type OwnReason = (typeof ORDER_END_REASONS)[number];

/** Codes of the engine's own reasons, which are indexes into ORDER_END_REASONS. */
export const END_REASON = Object.fromEntries(
  ORDER_END_REASONS.map((reason, code) => [reason, code]),
) as Readonly<Record<OwnReason, number>>;

/** The reason `listEnded` of an order whose list was not cancelled but expired. */
export const LIST_EXPIRED = 63;

/** The offset of reject reasons: if an order ended for one, its code is added to this. */
const FIRST_REJECT_CODE = 64;

/** The code of any end reason; no reject reason has the name of one of the engine's own. */
export function endReasonCode(reason: OrderEndReason, isListExpired = false): number {
  if (isListExpired) return LIST_EXPIRED;
  if (reason in END_REASON) return END_REASON[reason as OwnReason];
  return FIRST_REJECT_CODE + rejectReasonCode(reason as RejectReason);
}

/** The end reason with this code. */
export function endReasonOf(code: number): OrderEndReason {
  if (code === LIST_EXPIRED) return "listEnded";
  return code < FIRST_REJECT_CODE
    ? ORDER_END_REASONS[code]
    : REJECT_REASONS[code - FIRST_REJECT_CODE];
}

export const endStatusCode = (status: OrderEndStatus): number => END_STATUSES.indexOf(status);
/** The status with this code: END_FILLED, END_CANCELLED or END_EXPIRED. */
export const endStatusOf = (code: number): OrderEndStatus => END_STATUSES[code];
