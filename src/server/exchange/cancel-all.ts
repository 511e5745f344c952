/**
 * All open orders of an account cancelled, in as many commands as it takes: one ends no more than the
 * engine's limit of work allows, so that others' commands come in between.
 */
import type { Command, Side } from "#engine/commands.ts";
import type { Exchange } from "./exchange.ts";
import type { RejectReason } from "#engine/reject-reasons.ts";

export interface CancelAllScope {
  readonly account: number;
  /** 0 for all markets. */
  readonly marketId: number;
  /** Both where absent. */
  readonly side?: Side;
  /** Until when the request may be sequenced; one taken in time is carried out whole. */
  readonly validUntilMs?: number;
}

export interface CancelAllOutcome {
  /** How many orders have ended; those of the same request sent before are not counted again. */
  readonly cancelled: number;
  /** Of the same request sent before, its sequence. */
  readonly repeatedSequence?: number;
  /** Why nothing was cancelled; to have nothing to cancel is no reason. */
  readonly rejected?: RejectReason;
}

/** Whether the command continues a request of which one was taken before; clients send none such. */
export function isFurtherPart(command: Command): boolean {
  return command.type === "cancelAllOrders" && command.upToOrderId !== undefined;
}

/**
 * Resolves when all that was open at the first command has ended, durably. Orders placed meanwhile
 * stay open. A request with the key of an earlier one finishes what that has left.
 */
export async function cancelAllOrders(
  exchange: Pick<Exchange, "submit">,
  { validUntilMs, ...scope }: CancelAllScope,
  idempotencyKey?: string,
): Promise<CancelAllOutcome> {
  const { account } = scope;
  let cancelled = 0;
  let repeatedSequence: number | undefined;
  const asked = { type: "cancelAllOrders", ...scope } as const;
  let outcome = await exchange.submit({ ...asked, validUntilMs }, idempotencyKey);
  for (;;) {
    const { events, rejected } = outcome;
    if (rejected !== undefined && rejected !== "unknownOrder") {
      return { cancelled, repeatedSequence, rejected };
    }
    let upToOrderId = 0;
    for (const event of events) {
      // Other accounts' orders may end by what was due before.
      const isOwnEnd = event.type === "orderEnded" && event.account === account;
      if (isOwnEnd && event.status === "cancelled") cancelled++;
      if (event.type === "ordersLeftOpen") upToOrderId = event.upToOrderId;
      if (event.type === "requestRepeated") {
        repeatedSequence = event.originalSequence;
        upToOrderId = event.orderId;
      }
    }
    if (upToOrderId === 0) return { cancelled, repeatedSequence };
    // What was taken in time is carried out whole, however late its last part.
    outcome = await exchange.submit({ ...asked, upToOrderId });
  }
}
