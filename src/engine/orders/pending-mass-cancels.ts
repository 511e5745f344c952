/**
 * Mass cancels that are not complete (mass-cancels.ts): the markets and accounts whose orders are
 * still to be ended. Part of the state. Never: whose orders end when.
 */
import { RecordPart } from "../formats/record-format.ts";

export interface PendingMassCancel {
  /** The account whose orders are next. */
  account: number;
  readonly lastAccount: number;
  /** The market whose orders end; 0 for all markets. */
  readonly marketId: number;
  readonly upToOrderId: number;
  /** Why the orders end: a code of end-codes.ts. */
  readonly reason: number;
}

/** Mass cancels in progress, in the order in which they are continued. */
export const MASS_CANCELS = new RecordPart<PendingMassCancel>(
  "mass cancels",
  {
    account: "int",
    lastAccount: "int",
    marketId: "int",
    upToOrderId: "number",
    reason: "int",
  },
  false,
);

/** Whether the market has closed and still has orders to end. */
export function isEndingOrders(
  { massCancels }: { readonly massCancels: readonly PendingMassCancel[] },
  marketId: number,
): boolean {
  return massCancels.some((each) => each.marketId === marketId);
}
