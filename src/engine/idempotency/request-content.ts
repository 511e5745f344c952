/**
 * A digest of a request's content, so that another request under the same idempotency key is refused
 * instead of answered with the first one's outcome. Only for requests that move money by hand: an order
 * is compared by its client order id, and other requests are harmless to repeat.
 */
import type { Command } from "../commands.ts";
import { StateHash } from "../formats/state-hash.ts";

const COMPARED: ReadonlySet<Command["type"]> = new Set([
  "requestDeposit",
  "requestWithdrawal",
  "cancelTransfer",
  "recordDeposit",
  "approveTransfer",
  "rejectTransfer",
  "claimPayment",
  "sendWithdrawal",
  "settleWithdrawal",
  "returnWithdrawal",
  "forfeitDust",
  "proposeAdjustment",
  "approveAdjustment",
  "rejectAdjustment",
]);

/** Hexadecimal digits of a digest that a float64 holds exactly. */
const EXACT_DIGITS = 13;

/** The digest of a request without its time limit, which a retry may change; 0 if it is not compared. */
export function contentOf(command: Command): number {
  if (!COMPARED.has(command.type)) return 0;
  const hash = new StateHash();
  hash.text(JSON.stringify({ ...command, validUntilMs: undefined }));
  return Number.parseInt(hash.digest().slice(0, EXACT_DIGITS), 16);
}
