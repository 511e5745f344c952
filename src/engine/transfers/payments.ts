/**
 * Payments of approved withdrawals: one administrator claims to pay before any money is sent, alone marks
 * it as sent, and an administrator who never claimed it records that it came back.
 */
import { supplyChanged } from "../accounts/balance-limit.ts";
import { EXTERNAL_ACCOUNT, FEES_ACCOUNT } from "../accounts/postings.ts";
import { isTextUpTo } from "../command-texts.ts";
import type { CommandOf } from "../commands.ts";
import { validateSecondAdmin } from "../dual-control.ts";
import type { Outcome } from "../reject-reasons.ts";
import type { EngineState } from "../state.ts";
import {
  RECEIPT_LENGTH_MAX,
  changeTransfer,
  countLoneDecision,
  endAndRelease,
  endTransfer,
  isIn,
  mayDecideAlone,
  payerOf,
  transferToDecide,
} from "./transfer-steps.ts";

const PAYERS_MAX = 32;

export function claimPayment(
  state: EngineState,
  { transferId, decision }: CommandOf<"claimPayment">,
): Outcome {
  const transfer = transferToDecide(state, transferId, decision);
  if (typeof transfer === "string") return transfer;
  const { byAdmin } = decision;
  if (!isIn(transfer, "approved", "paying", "rejectedOnce")) return "transferNotOpen";
  if (isIn(transfer, "paying") && payerOf(transfer) === byAdmin) return "nothingToChange";
  if (state.accounts.isFrozen(transfer.account)) return "accountFrozen";
  const payers = [...transfer.payers.filter((payer) => payer !== byAdmin), byAdmin];
  if (payers.length > PAYERS_MAX) return "limitReached";
  changeTransfer(state, { ...transfer, status: "paying", payers }, decision);
  return "accepted";
}

export function sendWithdrawal(
  state: EngineState,
  { transferId, receipt, decision }: CommandOf<"sendWithdrawal">,
): Outcome {
  const transfer = transferToDecide(state, transferId, decision);
  if (typeof transfer === "string") return transfer;
  if (!isTextUpTo(receipt, RECEIPT_LENGTH_MAX)) return "invalidCommand";
  if (!isIn(transfer, "paying", "rejectedOnce")) return "transferNotOpen";
  if (payerOf(transfer) !== decision.byAdmin) return "notThePayer";
  // Also for a frozen account: the payment is a fact that is recorded.
  changeTransfer(state, { ...transfer, status: "sent", receipt }, decision);
  return "accepted";
}

export function settleWithdrawal(
  state: EngineState,
  { transferId, decision }: CommandOf<"settleWithdrawal">,
): Outcome {
  const transfer = transferToDecide(state, transferId, decision);
  if (typeof transfer === "string") return transfer;
  if (!isIn(transfer, "sent", "returnedOnce")) return "transferNotOpen";
  const { account, amount, assetId, fee } = transfer;
  state.ledger.spendHeld(account, EXTERNAL_ACCOUNT, assetId, amount);
  state.ledger.spendHeld(account, FEES_ACCOUNT, assetId, fee);
  supplyChanged(state, assetId);
  endTransfer(state, { ...transfer, status: "settled" }, decision);
  return "accepted";
}

export function returnWithdrawal(
  state: EngineState,
  { transferId, decision }: CommandOf<"returnWithdrawal">,
): Outcome {
  const transfer = transferToDecide(state, transferId, decision);
  if (typeof transfer === "string") return transfer;
  if (!isIn(transfer, "sent", "returnedOnce")) return "transferNotOpen";
  const { byAdmin } = decision;
  if (transfer.payers.includes(byAdmin)) return "sameAdministrator";
  if (transfer.status === "returnedOnce") {
    const refusal = validateSecondAdmin(transfer.firstBy, byAdmin);
    if (refusal !== null) return refusal;
    endAndRelease(state, { ...transfer, status: "returned" }, decision);
  } else if (mayDecideAlone(state, transfer, decision)) {
    countLoneDecision(state, transfer, decision);
    endAndRelease(state, { ...transfer, status: "returned" }, decision);
  } else {
    changeTransfer(state, { ...transfer, status: "returnedOnce", firstBy: byAdmin }, decision);
  }
  return "accepted";
}
