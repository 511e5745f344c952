/**
 * Adjustments of balances by administrators under dual control: one proposes, another approves, and
 * only then does money move, from or to the adjustments account. An approval that cannot be
 * executed is refused and the adjustment stays pending; an adjustment never makes a balance
 * negative.
 *
 * The server decides who is an administrator: here an administrator is an opaque name, and the
 * engine only checks that the two names differ.
 */
import { validateCredit, supplyChanged } from "./balance-limit.ts";
import type { CommandOf } from "../commands.ts";
import { isIdentity, isReason } from "../command-texts.ts";
import { validateSecondAdmin } from "../dual-control.ts";
import { ADJUSTMENTS_ACCOUNT } from "./postings.ts";
import type { Outcome } from "../reject-reasons.ts";
import type { EngineState } from "../state.ts";

export function proposeAdjustment(
  { accounts, adjustments, catalogue, events }: EngineState,
  { account, assetId, amount, reason, proposedBy }: CommandOf<"proposeAdjustment">,
): Outcome {
  if (!isReason(reason) || !isIdentity(proposedBy)) return "invalidCommand";
  if (!accounts.exists(account)) return "unknownAccount";
  if (!catalogue.coins.has(assetId)) return "unknownAsset";
  if (!Number.isSafeInteger(amount) || amount === 0) return "invalidAmount";
  if (adjustments.isFull) return "limitReached";
  const proposed = adjustments.add({ account, assetId, amount, reason, proposedBy });
  events.rare({ type: "adjustmentProposed", ...proposed });
  return "accepted";
}

export function approveAdjustment(
  state: EngineState,
  { adjustmentId, approvedBy }: CommandOf<"approveAdjustment">,
): Outcome {
  const { adjustments, ledger } = state;
  if (!isIdentity(approvedBy)) return "invalidCommand";
  const adjustment = adjustments.find(adjustmentId);
  if (adjustment === undefined) return "unknownAdjustment";
  const refusedSecond = validateSecondAdmin(adjustment.proposedBy, approvedBy);
  if (refusedSecond !== null) return refusedSecond;
  const { account, assetId, amount } = adjustment;
  if (amount > 0) {
    const refusal = validateCredit(state, account, assetId, amount);
    if (refusal !== null) return refusal;
    ledger.transfer(ADJUSTMENTS_ACCOUNT, account, assetId, amount);
  } else {
    if (0 - amount > ledger.available(account, assetId)) return "insufficientAvailable";
    ledger.transfer(account, ADJUSTMENTS_ACCOUNT, assetId, 0 - amount);
  }
  supplyChanged(state, assetId);
  adjustments.remove(adjustmentId);
  state.events.rare({ type: "adjustmentApproved", ...adjustment, approvedBy });
  return "accepted";
}

export function rejectAdjustment(
  { adjustments, events }: EngineState,
  { adjustmentId, rejectedBy }: CommandOf<"rejectAdjustment">,
): Outcome {
  if (!isIdentity(rejectedBy)) return "invalidCommand";
  const adjustment = adjustments.find(adjustmentId);
  if (adjustment === undefined) return "unknownAdjustment";
  const { account } = adjustment;
  adjustments.remove(adjustmentId);
  events.rare({ type: "adjustmentRejected", adjustmentId, account, rejectedBy });
  return "accepted";
}
