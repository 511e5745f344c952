/**
 * Deposits and withdrawals, reviewed by administrators. Money enters when a deposit is credited and
 * leaves when a withdrawal is settled; until then the exchange holds a withdrawal's amount and fee,
 * which cannot be traded. Rejected, cancelled and returned withdrawals release exactly what was held.
 *
 * Above an amount that the coin sets, dual control applies: two different administrators must approve,
 * and two must reject what was approved or declare that a payment came back, because it may have left.
 * No administrator acts on their own transfers. Only administrators other than the one who sent a
 * payment may decide that it came back. The server decides who is an administrator: to the engine their
 * ids are opaque.
 *
 * A transfer leaves the state when it ends; every change is one `transferChanged` event.
 */
import { isAmount, type Amount } from "../amount.ts";
import { refuseCredit, supplyChanged } from "../accounts/balance-limit.ts";
import { EXTERNAL_ACCOUNT, FEES_ACCOUNT } from "../accounts/postings.ts";
import { decisionIn, isDecision, isTextUpTo } from "../command-texts.ts";
import type { CommandOf, Decision } from "../commands.ts";
import type { Outcome, RejectReason } from "../reject-reasons.ts";
import type { EngineState } from "../state.ts";
import type { CoinNetwork, Transfer, TransferStatus, TransferTerms } from "./transfer-terms.ts";
import { refuseValue, withdrawalValue } from "./withdrawal-limits.ts";

const ADDRESS_LENGTH_MAX = 256;
const MEMO_LENGTH_MAX = 128;
const RECEIPT_LENGTH_MAX = 128;

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
  if (state.transfers.isFullFor(account)) return "limitReached";
  const requested = { ...NEW, account, assetId, amount, network, requestedAtMs: state.nowMs };
  const added = state.transfers.add({ ...requested, kind: "deposit", status: "requested" });
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
  const refusal = refuseValue(state, account, value);
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

/** By the owner; an approved withdrawal may already be on its way. */
export function cancelTransfer(
  state: EngineState,
  { account, transferId }: CommandOf<"cancelTransfer">,
): Outcome {
  const transfer = openTransfer(state, transferId);
  if (typeof transfer === "string") return transfer;
  if (transfer.account !== account) return "unknownTransfer";
  if (!isIn(transfer, "requested", "held", "approvedOnce")) return "transferNotOpen";
  end(state, { ...transfer, status: "cancelled" });
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
  const arrived = { ...transfer, amount, receipt, firstBy: decision.byAdmin };
  if (state.transfers.receipts.has(arrived)) return "receiptKnown";
  if (isForOne(state, arrived)) return credit(state, arrived, decision);
  change(state, { ...arrived, status: "recorded" }, decision);
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
  if (transfer.firstBy === byAdmin) return "sameAdministrator";
  if (transfer.status === "recorded") return credit(state, transfer, decision);
  if (state.accounts.isFrozen(transfer.account)) return "accountFrozen";
  if (transfer.status === "approvedOnce" || isForOne(state, transfer)) {
    const firstBy = transfer.status === "approvedOnce" ? transfer.firstBy : byAdmin;
    change(state, { ...transfer, status: "approved", firstBy }, decision);
  } else {
    change(state, { ...transfer, status: "approvedOnce", firstBy: byAdmin }, decision);
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
  // An approved one may have been paid and not marked yet.
  if (isIn(transfer, "approved", "rejectedOnce")) {
    return endPayable(state, transfer, "rejectedOnce", "rejected", decision);
  }
  end(state, { ...transfer, status: "rejected" }, decision);
  return "accepted";
}

export function sendWithdrawal(
  state: EngineState,
  { transferId, receipt, decision }: CommandOf<"sendWithdrawal">,
): Outcome {
  const transfer = transferToDecide(state, transferId, decision);
  if (typeof transfer === "string") return transfer;
  if (!isTextUpTo(receipt, RECEIPT_LENGTH_MAX)) return "invalidCommand";
  if (!isIn(transfer, "approved", "rejectedOnce")) return "transferNotOpen";
  if (state.accounts.isFrozen(transfer.account)) return "accountFrozen";
  change(state, { ...transfer, status: "sent", receipt, sentBy: decision.byAdmin }, decision);
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
  finish(state, { ...transfer, status: "settled" }, decision);
  return "accepted";
}

export function returnWithdrawal(
  state: EngineState,
  { transferId, decision }: CommandOf<"returnWithdrawal">,
): Outcome {
  const transfer = transferToDecide(state, transferId, decision);
  if (typeof transfer === "string") return transfer;
  if (!isIn(transfer, "sent", "returnedOnce")) return "transferNotOpen";
  if (transfer.sentBy === decision.byAdmin) return "sameAdministrator";
  return endPayable(state, transfer, "returnedOnce", "returned", decision);
}

const NEW = {
  fee: 0 as Amount,
  address: "",
  memo: "",
  receipt: "",
  value: 0,
  firstBy: "",
  sentBy: "",
} as const;

/** The coin's transfer terms, or why this account cannot transfer the coin. */
function termsOf(
  { accounts, catalogue }: EngineState,
  account: number,
  assetId: number,
): TransferTerms | RejectReason {
  if (!accounts.exists(account)) return "unknownAccount";
  if (accounts.kindOf(account) !== "person") return "invalidCommand";
  if (!catalogue.coins.has(assetId)) return "unknownAsset";
  return catalogue.coins.get(assetId).transfers ?? "notFunded";
}

function findNetwork({ networks }: TransferTerms, code: string): CoinNetwork | undefined {
  return networks.find((network) => network.code === code);
}

function openTransfer({ transfers }: EngineState, transferId: number): Transfer | RejectReason {
  const found = transfers.find(transferId);
  if (found !== undefined) return found;
  const hasEnded = transferId >= 1 && transferId < transfers.nextId;
  return hasEnded && Number.isInteger(transferId) ? "transferNotOpen" : "unknownTransfer";
}

/** An open transfer on which the administrator may act, or the reason for a refusal. */
function transferToDecide(
  state: EngineState,
  transferId: number,
  decision: Decision,
): Transfer | RejectReason {
  if (!isDecision(decision)) return "invalidCommand";
  const transfer = openTransfer(state, transferId);
  if (typeof transfer === "string") return transfer;
  const isOwn = state.accounts.userIdOf(transfer.account) === decision.byAdmin;
  return isOwn ? "ownTransfer" : transfer;
}

function isIn({ status }: Transfer, ...statuses: readonly TransferStatus[]): boolean {
  return statuses.includes(status);
}

function isForOne({ catalogue }: EngineState, { amount, assetId }: Transfer): boolean {
  return amount <= (catalogue.coins.get(assetId).transfers?.oneApprovalMax ?? 0);
}

/** Credits a deposit; refused if the account may not own so much, and then the transfer stays as it is. */
function credit(state: EngineState, transfer: Transfer, decision: Decision): Outcome {
  const { account, amount, assetId } = transfer;
  const refusal = refuseCredit(state, account, assetId, amount);
  if (refusal !== null) return refusal;
  state.ledger.deposit(account, assetId, amount);
  supplyChanged(state, assetId);
  finish(state, { ...transfer, status: "credited" }, decision);
  return "accepted";
}

function change(state: EngineState, transfer: Transfer, decision: Decision): void {
  state.transfers.replace(transfer);
  state.events.rare({ type: "transferChanged", ...transfer, ...decisionIn(decision) });
}

/** Ends a withdrawal that may have been paid; a large one only as the second administrator's decision. */
function endPayable(
  state: EngineState,
  transfer: Transfer,
  once: TransferStatus,
  ended: TransferStatus,
  decision: Decision,
): Outcome {
  const { byAdmin } = decision;
  const isSecond = transfer.status === once;
  if (isSecond && transfer.firstBy === byAdmin) return "sameAdministrator";
  if (isSecond || isForOne(state, transfer)) end(state, { ...transfer, status: ended }, decision);
  else change(state, { ...transfer, status: once, firstBy: byAdmin }, decision);
  return "accepted";
}

/** Ends a transfer that does not happen, and releases its hold. */
function end(state: EngineState, transfer: Transfer, decision?: Decision): void {
  const { account, amount, assetId, fee, kind } = transfer;
  if (kind === "withdrawal") {
    state.ledger.release(account, assetId, amount + fee);
    state.transfers.withdrawn.uncount(transfer);
  }
  finish(state, transfer, decision);
}

function finish(state: EngineState, transfer: Transfer, decision?: Decision): void {
  state.transfers.remove(transfer);
  state.events.rare({ type: "transferChanged", ...transfer, ...decisionIn(decision) });
}
