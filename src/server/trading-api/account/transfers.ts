/**
 * Reviewed deposits and withdrawals in the format of Binance's wallet calls
 * (https://developers.binance.com/docs/wallet/capital).
 */
import { addDecimals, trimDecimal } from "#contract/decimal.ts";
import type { Transfer } from "#contract/transfers.ts";
import type { TransferStatus } from "#engine/commands.ts";
import { hasEnded, hasFailed } from "#engine/transfers/transfer-ends.ts";
import { presentTransfer } from "../../functions/present-transfer.ts";
import type { TransferView } from "../../views/transfers.ts";
import type { Views } from "../../views/views.ts";

const SPOT_WALLET = 0;
/** Neither deposits nor withdrawals go from one user to another. */
const EXTERNAL = 0;
const NO_FEE = "0";

/** Binance's statuses of deposits. */
export const DEPOSIT_STATUS = { pending: 0, credited: 1, rejected: 2, waitsForUser: 8 } as const;
/** Binance's statuses of withdrawals. */
const WITHDRAWAL_STATUS = {
  cancelled: 1,
  awaitsApproval: 2,
  rejected: 3,
  processing: 4,
  failed: 5,
  completed: 6,
} as const;

/** An announced deposit waits for its owner's payment; one that never arrived counts as rejected. */
function depositStatusOf(status: TransferStatus): number {
  if (status === "requested") return DEPOSIT_STATUS.waitsForUser;
  if (status === "credited") return DEPOSIT_STATUS.credited;
  return hasFailed(status) ? DEPOSIT_STATUS.rejected : DEPOSIT_STATUS.pending;
}

function withdrawalStatusOf(status: TransferStatus): number {
  switch (status) {
    case "held":
    case "approvedOnce":
      return WITHDRAWAL_STATUS.awaitsApproval;
    case "settled":
      return WITHDRAWAL_STATUS.completed;
    case "rejected":
      return WITHDRAWAL_STATUS.rejected;
    case "cancelled":
      return WITHDRAWAL_STATUS.cancelled;
    case "returned":
      return WITHDRAWAL_STATUS.failed;
    default:
      return WITHDRAWAL_STATUS.processing;
  }
}

/** The `status` in the parameters and in the answer of a call. */
function statusOfTransfer({ kind, status }: TransferView): number {
  return kind === "deposit" ? depositStatusOf(status) : withdrawalStatusOf(status);
}

export interface TransferQuery {
  readonly account: number;
  readonly kind: TransferView["kind"];
  /** Restricts the answer to these coins. */
  readonly assetIds?: readonly number[] | undefined;
  readonly status?: number | undefined;
  /** When it was requested; both ends are included. */
  readonly fromMs: number;
  readonly toMs: number;
}

/** The account's transfers, newest first, of the newest that are kept. */
export function reviewedTransfers({ transfers }: Views, query: TransferQuery): TransferView[] {
  const { account, assetIds, fromMs, kind, status, toMs } = query;
  return transfers
    .ofAccount(account)
    .filter(
      (transfer) =>
        transfer.kind === kind &&
        (assetIds === undefined || assetIds.includes(transfer.assetId)) &&
        (status === undefined || statusOfTransfer(transfer) === status) &&
        transfer.requestedAtMs >= fromMs &&
        transfer.requestedAtMs <= toMs,
    );
}

/** The fields of every description of a transfer. */
function partsOf({ amount, changedAt, coin, fee, network, receipt, transferId }: Transfer) {
  const ids = { id: String(transferId), network, txId: receipt ?? "" };
  return { ids, coin, amount: trimDecimal(amount), fee: trimDecimal(fee), updateTime: changedAt };
}

/** An item of `GET /sapi/v1/capital/deposit/hisrec`. Its tag is the reference that its payer states. */
export function describeReviewedDeposit(views: Views, transfer: TransferView) {
  const shown = presentTransfer(views, transfer);
  const { amount, coin, ids, updateTime } = partsOf(shown);
  const { reference, requestedAt, status } = shown;
  return {
    ...ids,
    amount,
    coin,
    status: statusOfTransfer(transfer),
    address: "",
    addressTag: reference ?? "",
    insertTime: requestedAt,
    ...(hasEnded(status) && { completeTime: updateTime }),
    updateTime,
    transactionFee: NO_FEE,
    transferType: EXTERNAL,
    confirmTimes: status === "credited" ? "1/1" : "0/1",
    unlockConfirm: 1,
    walletType: SPOT_WALLET,
  };
}

/** An item of `GET /sapi/v1/capital/withdraw/history`. */
export function describeWithdrawal(views: Views, transfer: TransferView) {
  const shown = presentTransfer(views, transfer);
  const { amount, coin, fee, ids, updateTime } = partsOf(shown);
  const { address, memo, reason, requestedAt, status } = shown;
  return {
    ...ids,
    amount,
    transactionFee: fee,
    coin,
    status: statusOfTransfer(transfer),
    address: address ?? "",
    addressTag: memo ?? "",
    applyTime: dateOf(requestedAt),
    ...(hasEnded(status) && { completeTime: dateOf(updateTime) }),
    updateTime,
    transferType: EXTERNAL,
    info: reason ?? "",
    confirmNo: status === "settled" ? 1 : 0,
    walletType: SPOT_WALLET,
    txKey: "",
  };
}

/** Such as "2026-11-26 07:15:00", in UTC. */
function dateOf(timeMs: number): string {
  return new Date(timeMs).toISOString().slice(0, 19).replace("T", " ");
}

/** An item of `GET /sapi/v1/fiat/orders`. */
export function describeMoneyTransfer(views: Views, transfer: TransferView) {
  const shown = presentTransfer(views, transfer);
  const { amount, coin, fee, ids, updateTime } = partsOf(shown);
  return {
    orderNo: ids.id,
    fiatCurrency: coin,
    indicatedAmount: trimDecimal(addDecimals(amount, fee)),
    amount,
    totalFee: fee,
    method: ids.network,
    network: ids.network,
    txId: ids.txId,
    status: moneyStatusOf(shown.status),
    createTime: shown.requestedAt,
    updateTime,
  };
}

function moneyStatusOf(status: TransferStatus): string {
  if (!hasEnded(status)) return "Processing";
  if (!hasFailed(status)) return "Successful";
  return status === "returned" ? "Refunded" : "Failed";
}

/**
 * The answer of `GET /sapi/v1/capital/deposit/address`: how the deposit that the account announced last is
 * paid; undefined if none waits for its payment. The address is the operator's text for payers.
 * @param network of which the deposit must be; undefined: of any
 */
export function depositAddressOf(
  views: Views,
  account: number,
  coin: string,
  network: string | undefined,
) {
  const announced = views.transfers
    .ofAccount(account)
    .filter(({ status }) => status === "requested")
    .map((transfer) => presentTransfer(views, transfer))
    .find((shown) => shown.coin === coin && (network === undefined || shown.network === network));
  if (announced === undefined) return undefined;
  const { instructions, reference } = announced;
  return { coin, address: instructions ?? "", tag: reference ?? "", url: "" };
}
