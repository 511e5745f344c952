/** The common part of all steps of transfers: whether one may be taken, and its effect on the state. */
import { decisionIn, isDecision } from "../command-texts.ts";
import type { Decision } from "../commands.ts";
import type { LoneDecision } from "../dual-control.ts";
import type { RejectReason } from "../reject-reasons.ts";
import type { EngineState } from "../state.ts";
import type { CoinNetwork, Transfer, TransferStatus, TransferTerms } from "./transfer-terms.ts";

export const RECEIPT_LENGTH_MAX = 128;

/** The coin's transfer terms, or why this account cannot transfer the coin. */
export function termsOf(
  { accounts, catalogue }: EngineState,
  account: number,
  assetId: number,
): TransferTerms | RejectReason {
  if (!accounts.exists(account)) return "unknownAccount";
  if (accounts.kindOf(account) !== "person") return "invalidCommand";
  if (!catalogue.coins.has(assetId)) return "unknownAsset";
  return catalogue.coins.get(assetId).transfers ?? "notFunded";
}

export function findNetwork({ networks }: TransferTerms, code: string): CoinNetwork | undefined {
  return networks.find((network) => network.code === code);
}

export function openTransfer(
  { transfers }: EngineState,
  transferId: number,
): Transfer | RejectReason {
  const found = transfers.find(transferId);
  if (found !== undefined) return found;
  const hasEnded = transferId >= 1 && transferId < transfers.nextId;
  return hasEnded && Number.isInteger(transferId) ? "transferNotOpen" : "unknownTransfer";
}

/** An open transfer on which the administrator may act, or the reason for a refusal. */
export function transferToDecide(
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

export function isIn({ status }: Transfer, ...statuses: readonly TransferStatus[]): boolean {
  return statuses.includes(status);
}

/** Whether the administrator may decide the transfer alone, up to the coin's limit per day. */
export function mayDecideAlone(
  { catalogue, nowMs, transfers }: EngineState,
  transfer: Transfer,
  decision: Decision,
): boolean {
  const max = catalogue.coins.get(transfer.assetId).transfers?.oneApprovalMax ?? 0;
  return transfers.decidedAlone.allows(loneDecision(transfer, decision), max, nowMs);
}

/** Counts a transfer that the administrator decides alone. */
export function countLoneDecision(
  { nowMs, transfers }: EngineState,
  transfer: Transfer,
  decision: Decision,
): void {
  transfers.decidedAlone.count(loneDecision(transfer, decision), nowMs);
}

function loneDecision({ account, amount, assetId }: Transfer, { byAdmin }: Decision): LoneDecision {
  return { account, amount, assetId, byAdmin };
}

/** The administrator whose claim to pay stands; undefined if there is no claim. */
export function payerOf({ payers }: Transfer): string | undefined {
  return payers.at(-1);
}

/** Replaces an open transfer by its next step. */
export function changeTransfer(state: EngineState, transfer: Transfer, decision: Decision): void {
  state.transfers.replace(transfer);
  state.events.rare({ type: "transferChanged", ...transfer, ...decisionIn(decision) });
}

/** Ends a transfer without a payment, or whose payment came back, and releases a withdrawal's hold. */
export function endAndRelease(state: EngineState, transfer: Transfer, decision?: Decision): void {
  const { account, amount, assetId, fee, kind } = transfer;
  if (kind === "withdrawal") {
    state.ledger.release(account, assetId, amount + fee);
    state.transfers.withdrawn.uncount(transfer);
  }
  endTransfer(state, transfer, decision);
}

/** Ends a transfer: it is no longer open, and can change no more. */
export function endTransfer(state: EngineState, ended: Transfer, decision?: Decision): void {
  const transfer: Transfer = { ...ended, expiresAtMs: 0 };
  state.transfers.remove(transfer);
  state.events.rare({ type: "transferChanged", ...transfer, ...decisionIn(decision) });
}
