/**
 * Cancels all open orders of an account, in as many commands as necessary: one command ends no more
 * orders than the engine's limit of work, so that other users' commands are sequenced in between.
 */
import type { Command, Side } from "#engine/commands.ts";
import type { Exchange } from "./exchange.ts";
import type { RejectReason } from "#engine/reject-reasons.ts";

export interface CancelAllScope {
  readonly account: number;
  /** 0 for all markets. */
  readonly marketId: number;
  /** Both sides if absent. */
  readonly side?: Side;
  /** The request's time limit; one that was sequenced in time is executed in full. */
  readonly validUntilMs?: number;
}

export interface CancelAllOutcome {
  /** How many orders have ended, without those ended by an earlier request with the same key. */
  readonly cancelled: number;
  /** The sequence of an earlier request with the same key. */
  readonly repeatedSequence?: number;
  /** Why nothing was cancelled; having nothing to cancel is not a reason. */
  readonly rejected?: RejectReason;
}

/** Whether the command continues a request that was already sequenced; clients send none such. */
export function isFurtherPart(command: Command): boolean {
  return command.type === "cancelAllOrders" && command.upToOrderId !== undefined;
}

/**
 * Resolves when all orders open at the first command have ended, durably. Orders placed meanwhile
 * stay open. A request with the key of an earlier one finishes what that one left.
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
      // Timers that were due may also end other accounts' orders.
      const isOwnEnd = event.type === "orderEnded" && event.account === account;
      if (isOwnEnd && event.status === "cancelled") cancelled++;
      if (event.type === "ordersLeftOpen") upToOrderId = event.upToOrderId;
      if (event.type === "requestRepeated") {
        repeatedSequence = event.originalSequence;
        upToOrderId = event.orderId;
      }
    }
    if (upToOrderId === 0) return { cancelled, repeatedSequence };
    // A request that was sequenced in time is executed in full, however late its last part.
    outcome = await exchange.submit({ ...asked, upToOrderId });
  }
}
