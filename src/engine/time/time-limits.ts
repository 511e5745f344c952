/**
 * The time limit of a command, until when it may be sequenced. A request may be delayed without its
 * sender knowing, in a browser that has lost its connection or in a queue. A request that is too
 * old is then refused instead of traded at a market that has moved on.
 */
import type { TimeLimited } from "../commands.ts";
import type { RejectReason } from "../reject-reasons.ts";

/**
 * How far ahead of its sequencing a command's time limit may lie, in milliseconds: a later limit
 * would not protect the sender.
 */
const TIME_LIMIT_MS_MAX = 60_000;

/**
 * Why a command with this time limit may not be sequenced at `nowMs`; null if it may, or has no time
 * limit. It is given the time limit, not the command: commands of every type come here, and code that
 * reads a field of so many shapes looks it up in a table each time.
 */
export function validateTimeLimit(
  validUntilMs: TimeLimited["validUntilMs"],
  nowMs: number,
): RejectReason | null {
  if (validUntilMs === undefined) return null;
  const aheadMs = validUntilMs - nowMs;
  if (!Number.isSafeInteger(validUntilMs) || aheadMs > TIME_LIMIT_MS_MAX) {
    return "invalidValidUntil";
  }
  return aheadMs < 0 ? "requestExpired" : null;
}
