/** Coins and deposits in the format of Binance's wallet calls. No coin is kept on a chain. */
import { formatDecimal, trimDecimal } from "#contract/decimal.ts";
import type { TransferRecord } from "../../records/activity.ts";
import type { CoinView } from "../../views/catalogue.ts";
import type { Views } from "../../views/views.ts";

/** The status of a deposit that was credited. */
export const CREDITED = 1;
/**
 * The network's name. There is no chain: practice funds are credited in the exchange's own ledger.
 */
const NETWORK_NAME = "LEDGER";
const SPOT_WALLET = 0;
const NONE = "0";

/**
 * An item of `GET /sapi/v1/capital/config/getall`. Its one network is the exchange's own ledger,
 * with its precision.
 * @param isDepositable whether users may take practice funds in the coin
 */
export function describeCoin(
  views: Views,
  account: number,
  { assetId, definition }: CoinView,
  isDepositable: boolean,
) {
  const { symbol: coin, name, kind, scale } = definition;
  const unit = trimDecimal(formatDecimal(1, scale));
  return {
    coin,
    name,
    free: formatDecimal(views.accounts.available(account, assetId), scale),
    locked: formatDecimal(views.accounts.held(account, assetId), scale),
    freeze: NONE,
    ipoable: NONE,
    ipoing: NONE,
    storage: NONE,
    withdrawing: NONE,
    isLegalMoney: kind === "fiat",
    // Describes the wallet only: clients regard a coin without deposits and withdrawals as
    // inactive.
    trading: isDepositable,
    depositAllEnable: isDepositable,
    withdrawAllEnable: false,
    networkList: [
      {
        network: NETWORK_NAME,
        coin,
        name: "Practice funds",
        isDefault: true,
        depositEnable: isDepositable,
        depositDesc: isDepositable ? "" : "Deposits are not offered.",
        depositDust: unit,
        withdrawEnable: false,
        withdrawDesc: "Withdrawals are not offered.",
        withdrawFee: NONE,
        withdrawMin: NONE,
        withdrawMax: NONE,
        withdrawIntegerMultiple: unit,
        minConfirm: 1,
        unLockConfirm: 1,
        estimatedArrivalTime: 0,
        resetAddressStatus: false,
        sameAddress: false,
        busy: false,
        specialTips: "",
        addressRegex: "",
        memoRegex: "",
      },
    ],
  };
}

/** The id of a deposit in this interface. */
export function depositIdOf({ assetId, sequence }: TransferRecord): string {
  return `${sequence}-${assetId}`;
}

/** An item of `GET /sapi/v1/capital/deposit/hisrec`: practice funds that the account took. */
export function describeDeposit(views: Views, transfer: TransferRecord) {
  const { symbol: coin, scale } = views.catalogue.coin(transfer.assetId).definition;
  const id = depositIdOf(transfer);
  return {
    id,
    amount: trimDecimal(formatDecimal(transfer.amount, scale)),
    coin,
    network: NETWORK_NAME,
    status: CREDITED,
    address: "",
    addressTag: "",
    txId: id,
    insertTime: transfer.timestampMs,
    completeTime: transfer.timestampMs,
    updateTime: transfer.timestampMs,
    transactionFee: NONE,
    transferType: 0,
    confirmTimes: "1/1",
    unlockConfirm: 1,
    walletType: SPOT_WALLET,
  };
}

/**
 * An item of `GET /sapi/v1/fiat/orders`: practice funds in a fiat coin. Binance has no `txId` and no
 * `network` here; clients expect both of every deposit.
 */
export function describeMoneyDeposit(views: Views, transfer: TransferRecord) {
  const { amount, coin, id, insertTime } = describeDeposit(views, transfer);
  return {
    orderNo: id,
    fiatCurrency: coin,
    indicatedAmount: amount,
    amount,
    totalFee: NONE,
    method: NETWORK_NAME,
    network: NETWORK_NAME,
    txId: id,
    status: "Successful",
    createTime: insertTime,
    updateTime: insertTime,
  };
}
