/**
 * Cancels all open orders of an account, in as many commands as necessary: one command ends no more
 * orders than the engine's limit of work, so that other users' commands are sequenced in between.
 */
import type { Command, Side } from "#engine/commands.ts";
import type { Exchange } from "./exchange.ts";
import type { RejectReason } from "#engine/reject-reasons.ts";

export interface CancelAllScope {
  readonly account: number;
  /** The market; 0 for all markets. */
  readonly marketId: number;
  /** The side; both sides if absent. */
  readonly side?: Side;
  /**
   * The time limit of the whole request: if its first command was sequenced in time, the whole request
   * is executed.
   */
  readonly validUntilMs?: number;
}

export interface CancelAllOutcome {
  /**
   * How many orders this request has ended, without those that an earlier request with the same key
   * ended.
   */
  readonly cancelled: number;
  /** The sequence of an earlier request with the same key, if there was one. */
  readonly repeatedSequence?: number;
  /** Why nothing was cancelled; that there was nothing to cancel is not a reason. */
  readonly rejected?: RejectReason;
}

/**
 * Whether the command continues a request that was already sequenced; clients never send such
 * commands.
 */
export function isFurtherPart(command: Command): boolean {
  return command.type === "cancelAllOrders" && command.upToOrderId !== undefined;
}

/**
 * Resolves when all orders that were open at the first command have ended, durably. Orders placed in
 * the meantime stay open. A request that repeats the key of an earlier one cancels the orders that the
 * earlier one left open.
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
      // The command may also fire timers that end other accounts' orders.
      const isOwnEnd = event.type === "orderEnded" && event.account === account;
      if (isOwnEnd && event.status === "cancelled") cancelled++;
      if (event.type === "ordersLeftOpen") upToOrderId = event.upToOrderId;
      if (event.type === "requestRepeated") {
        repeatedSequence = event.originalSequence;
        upToOrderId = event.orderId;
      }
    }
    if (upToOrderId === 0) return { cancelled, repeatedSequence };
    // A request that was sequenced in time is executed in full, however late its last command.
    outcome = await exchange.submit({ ...asked, upToOrderId });
  }
}
