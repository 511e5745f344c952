/** Coins and practice funds in the format of Binance's wallet calls. No coin is kept on a chain. */
import { formatDecimal, trimDecimal } from "#contract/decimal.ts";
import { AMOUNT_MAX } from "#engine/amount.ts";
import { hasEnded } from "#engine/transfers/transfer-ends.ts";
import { openingsOf } from "../../functions/transfer-rules.ts";
import type { TransferRecord } from "../../records/activity.ts";
import type { CoinView } from "../../views/catalogue.ts";
import type { TransferView } from "../../views/transfers.ts";
import type { Views } from "../../views/views.ts";
import { DEPOSIT_STATUS } from "./transfers.ts";

/**
 * The network's name. There is no chain: practice funds are credited in the exchange's own ledger.
 */
const NETWORK_NAME = "LEDGER";
const SPOT_WALLET = 0;
const NONE = "0";

/** Whether deposits and withdrawals of the coin are open now, and by which networks. */
interface CoinWays {
  /** Whether users may take practice funds in the coin. */
  readonly isGiven: boolean;
  /** Whether deposits and withdrawals are offered at all. */
  readonly isFunded: boolean;
}

/**
 * An item of `GET /sapi/v1/capital/config/getall`. The hold of withdrawals is `withdrawing`, that of
 * orders `locked`.
 */
export function describeCoin(views: Views, account: number, coin: CoinView, ways: CoinWays) {
  const { assetId, definition } = coin;
  const { kind, name, scale, symbol } = definition;
  const text = (units: number) => formatDecimal(units, scale);
  const withdrawing = views.transfers
    .ofAccount(account)
    .filter((transfer) => transfer.assetId === assetId && isWithdrawing(transfer))
    .reduce((sum, { amount, fee }) => sum + amount + fee, 0);
  const networkList = networksOf(coin, ways);
  const depositAllEnable = networkList.some(({ depositEnable }) => depositEnable);
  const withdrawAllEnable = networkList.some(({ withdrawEnable }) => withdrawEnable);
  return {
    coin: symbol,
    name,
    free: text(views.accounts.available(account, assetId)),
    locked: text(views.accounts.held(account, assetId) - withdrawing),
    freeze: NONE,
    ipoable: NONE,
    ipoing: NONE,
    storage: NONE,
    withdrawing: withdrawing === 0 ? NONE : text(withdrawing),
    isLegalMoney: kind === "fiat",
    // Describes the wallet only: clients regard a coin without deposits and withdrawals as
    // inactive.
    trading: depositAllEnable || withdrawAllEnable,
    depositAllEnable,
    withdrawAllEnable,
    networkList,
  };
}

function isWithdrawing({ kind, status }: TransferView): boolean {
  return kind === "withdrawal" && !hasEnded(status);
}

/** The networks of a funded coin; otherwise one, which is the exchange's own ledger. */
function networksOf(coin: CoinView, { isFunded, isGiven }: CoinWays) {
  const { definition } = coin;
  const { scale, transfers } = definition;
  const unit = trimDecimal(formatDecimal(1, scale));
  if (transfers === undefined) {
    const practice = { network: NETWORK_NAME, name: "Practice funds", isDefault: true };
    return [{ ...CLOSED, ...practice, ...openings(isGiven, false), ...smallest(coin, unit) }];
  }
  const text = (units: number) => trimDecimal(formatDecimal(units, scale));
  const { depositMin, networks, withdrawalFee, withdrawalMax, withdrawalMin } = transfers;
  return networks.map((network, index) => {
    const { depositsOpen, withdrawalsOpen } = openingsOf(definition, network);
    return {
      ...CLOSED,
      network: network.code,
      name: network.name,
      isDefault: index === 0,
      ...openings(isFunded && depositsOpen, isFunded && withdrawalsOpen),
      ...smallest(coin, unit),
      depositDust: text(depositMin),
      withdrawFee: text(withdrawalFee),
      withdrawMin: text(withdrawalMin),
      withdrawMax: text(withdrawalMax ?? AMOUNT_MAX),
      addressRegex: network.addressPattern === undefined ? "" : `^(?:${network.addressPattern})$`,
    };
  });
}

/** The fields that all networks have in common, before those that differ. */
const CLOSED = {
  withdrawFee: NONE,
  withdrawMin: NONE,
  withdrawMax: NONE,
  minConfirm: 1,
  unLockConfirm: 1,
  estimatedArrivalTime: 0,
  resetAddressStatus: false,
  sameAddress: false,
  busy: false,
  specialTips: "",
  addressRegex: "",
  memoRegex: "",
};

function smallest({ definition }: CoinView, unit: string) {
  return { coin: definition.symbol, depositDust: unit, withdrawIntegerMultiple: unit };
}

function openings(depositEnable: boolean, withdrawEnable: boolean) {
  return {
    depositEnable,
    depositDesc: depositEnable ? "" : "Deposits are not offered.",
    withdrawEnable,
    withdrawDesc: withdrawEnable ? "" : "Withdrawals are not offered.",
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
    status: DEPOSIT_STATUS.credited,
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
