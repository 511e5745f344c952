/**
 * Deposits and withdrawals, reviewed by administrators. Money enters when a deposit is credited and
 * leaves when a withdrawal is settled; until then the exchange holds a withdrawal's amount and fee,
 * which cannot be traded. Rejected, cancelled and returned withdrawals release exactly the held amount.
 *
 * Dual control (dual-control.ts) applies above an amount per day that the coin sets: two different
 * administrators must approve, or declare that a payment came back. Two must always reject what was
 * approved, because it may have been paid. No administrator acts on their own transfers. Before money is
 * sent, one administrator claims to pay it and alone may mark it as sent; who has claimed a payment never
 * declares that it came back.
 *
 * A transfer leaves the state when it ends; every change is one `transferChanged` event.
 */
import { isAmount, type Amount } from "../amount.ts";
import { assert } from "../assert.ts";
import { validateCredit, supplyChanged } from "../accounts/balance-limit.ts";
import { isTextUpTo } from "../command-texts.ts";
import type { CommandOf, Decision } from "../commands.ts";
import { validateSecondAdmin } from "../dual-control.ts";
import type { Outcome } from "../reject-reasons.ts";
import type { EngineState } from "../state.ts";
import {
  RECEIPT_LENGTH_MAX,
  changeTransfer,
  countLoneDecision,
  endAndRelease,
  findNetwork,
  endTransfer,
  isIn,
  mayDecideAlone,
  openTransfer,
  payerOf,
  termsOf,
  transferToDecide,
} from "./transfer-steps.ts";
import { DEPOSIT_HOURS, type Transfer } from "./transfer-terms.ts";
import { validateValue, withdrawalValue } from "./withdrawal-limits.ts";

const ADDRESS_LENGTH_MAX = 256;
const MEMO_LENGTH_MAX = 128;
const HOUR_MS = 3_600_000;

export function requestDeposit(
  state: EngineState,
  { account, assetId, amount, network }: CommandOf<"requestDeposit">,
): Outcome {
  const terms = termsOf(state, account, assetId);
  if (typeof terms === "string") return terms;
  const { status } = state.catalogue.coins.get(assetId);
  const isOpen = status === "listed" || status === "depositOnly";
  if (!isOpen || findNetwork(terms, network)?.depositsOpen !== true) return "depositsClosed";
  if (!isAmount(amount) || amount === 0) return "invalidAmount";
  if (amount < terms.depositMin) return "amountTooSmall";
  const { nowMs, transfers } = state;
  if (transfers.hasManyDeposits(account)) return "tooManyDeposits";
  if (transfers.isFullFor(account) || transfers.isFullOfDeposits) return "limitReached";
  const expiresAtMs = nowMs + (terms.depositHours ?? DEPOSIT_HOURS) * HOUR_MS;
  const requested = {
    ...NEW,
    account,
    assetId,
    amount,
    network,
    requestedAtMs: nowMs,
    expiresAtMs,
  };
  const added = transfers.add({ ...requested, kind: "deposit", status: "requested" });
  state.events.rare({ type: "transferChanged", ...added });
  return "accepted";
}

export function requestWithdrawal(
  state: EngineState,
  { account, assetId, amount, network, address, memo }: CommandOf<"requestWithdrawal">,
): Outcome {
  const { accounts, catalogue, ledger, nowMs, transfers } = state;
  if (!isTextUpTo(address, ADDRESS_LENGTH_MAX)) return "invalidCommand";
  if (typeof memo !== "string" || memo.length > MEMO_LENGTH_MAX) return "invalidCommand";
  const terms = termsOf(state, account, assetId);
  if (typeof terms === "string") return terms;
  if (accounts.isFrozen(account)) return "accountFrozen";
  const way = findNetwork(terms, network);
  if (catalogue.coins.get(assetId).status === "depositOnly" || way?.withdrawalsOpen !== true) {
    return "withdrawalsClosed";
  }
  if (memo !== "" && !way.hasMemo) return "invalidCommand";
  if (!isAmount(amount) || amount === 0) return "invalidAmount";
  if (amount < terms.withdrawalMin) return "amountTooSmall";
  if (terms.withdrawalMax !== undefined && amount > terms.withdrawalMax) return "amountTooLarge";
  const fee = terms.withdrawalFee;
  if (amount + fee > ledger.available(account, assetId)) return "insufficientAvailable";
  if (transfers.isFullFor(account)) return "limitReached";
  const value = withdrawalValue(state, assetId, amount);
  const refusal = validateValue(state, account, value);
  if (refusal !== null) return refusal;
  ledger.hold(account, assetId, amount + fee);
  const requested = { ...NEW, account, assetId, amount, fee, network, address, memo };
  const added = transfers.add({
    ...requested,
    kind: "withdrawal",
    status: "held",
    requestedAtMs: nowMs,
    value: value ?? 0,
  });
  transfers.withdrawn.count(added);
  state.events.rare({ type: "transferChanged", ...added });
  return "accepted";
}

/** Ends a deposit that was announced and did not arrive in time. */
export function expireDeposit(state: EngineState, transferId: number): void {
  const { transfers } = state;
  transfers.expiryFired(transferId);
  const transfer = transfers.find(transferId);
  assert(transfer?.status === "requested", "only an announced deposit expires");
  endAndRelease(state, { ...transfer, status: "expired" });
}

/** By the owner; an approved withdrawal may already be on its way. */
export function cancelTransfer(
  state: EngineState,
  { account, transferId }: CommandOf<"cancelTransfer">,
): Outcome {
  const transfer = openTransfer(state, transferId);
  if (typeof transfer === "string") return transfer;
  if (transfer.account !== account) return "unknownTransfer";
  if (!isIn(transfer, "requested", "held", "approvedOnce")) return "transferNotOpen";
  endAndRelease(state, { ...transfer, status: "cancelled" });
  return "accepted";
}

export function recordDeposit(
  state: EngineState,
  { transferId, amount, receipt, decision }: CommandOf<"recordDeposit">,
): Outcome {
  const transfer = transferToDecide(state, transferId, decision);
  if (typeof transfer === "string") return transfer;
  if (!isTextUpTo(receipt, RECEIPT_LENGTH_MAX)) return "invalidCommand";
  if (!isIn(transfer, "requested")) return "transferNotOpen";
  if (!isAmount(amount) || amount === 0) return "invalidAmount";
  const arrived = { ...transfer, amount, receipt, firstBy: decision.byAdmin, expiresAtMs: 0 };
  if (state.transfers.receipts.has(arrived)) return "receiptKnown";
  if (mayDecideAlone(state, arrived, decision)) {
    const outcome = credit(state, arrived, decision);
    if (outcome === "accepted") countLoneDecision(state, arrived, decision);
    return outcome;
  }
  changeTransfer(state, { ...arrived, status: "recorded" }, decision);
  return "accepted";
}

export function approveTransfer(
  state: EngineState,
  { transferId, decision }: CommandOf<"approveTransfer">,
): Outcome {
  const transfer = transferToDecide(state, transferId, decision);
  if (typeof transfer === "string") return transfer;
  const { byAdmin } = decision;
  if (!isIn(transfer, "recorded", "held", "approvedOnce")) return "transferNotOpen";
  const refusal = validateSecondAdmin(transfer.firstBy, byAdmin);
  if (refusal !== null) return refusal;
  if (transfer.status === "recorded") return credit(state, transfer, decision);
  if (state.accounts.isFrozen(transfer.account)) return "accountFrozen";
  if (transfer.status === "approvedOnce") {
    changeTransfer(state, { ...transfer, status: "approved" }, decision);
  } else if (mayDecideAlone(state, transfer, decision)) {
    countLoneDecision(state, transfer, decision);
    changeTransfer(state, { ...transfer, status: "approved", firstBy: byAdmin }, decision);
  } else {
    changeTransfer(state, { ...transfer, status: "approvedOnce", firstBy: byAdmin }, decision);
  }
  return "accepted";
}

export function rejectTransfer(
  state: EngineState,
  { transferId, decision }: CommandOf<"rejectTransfer">,
): Outcome {
  const transfer = transferToDecide(state, transferId, decision);
  if (typeof transfer === "string") return transfer;
  // A sent payment is on its way: the exchange does not decide whether it arrives.
  if (isIn(transfer, "sent", "returnedOnce")) return "transferNotOpen";
  // Only the payer knows whether it was paid; another administrator first takes the payment over.
  if (isIn(transfer, "paying") && payerOf(transfer) !== decision.byAdmin) return "notThePayer";
  // An approved one may have been paid and not marked yet, whatever its amount.
  if (isIn(transfer, "approved", "paying")) {
    const firstBy = decision.byAdmin;
    changeTransfer(state, { ...transfer, status: "rejectedOnce", firstBy }, decision);
    return "accepted";
  }
  if (isIn(transfer, "rejectedOnce")) {
    const refusal = validateSecondAdmin(transfer.firstBy, decision.byAdmin);
    if (refusal !== null) return refusal;
  }
  endAndRelease(state, { ...transfer, status: "rejected" }, decision);
  return "accepted";
}

const NEW = {
  fee: 0 as Amount,
  address: "",
  memo: "",
  receipt: "",
  expiresAtMs: 0,
  value: 0,
  firstBy: "",
  payers: [],
} as const;

/** Credits a deposit; refused if the account may not own so much, in which case the transfer stays as it is. */
function credit(state: EngineState, transfer: Transfer, decision: Decision): Outcome {
  const { account, amount, assetId } = transfer;
  const refusal = validateCredit(state, account, assetId, amount);
  if (refusal !== null) return refusal;
  state.ledger.deposit(account, assetId, amount);
  supplyChanged(state, assetId);
  endTransfer(state, { ...transfer, status: "credited" }, decision);
  return "accepted";
}
