/** The rules that the requests, the addresses and the review of deposits and withdrawals have in common. */
import { AMOUNT_MAX, type Amount } from "#engine/amount.ts";
import type { CoinDefinition, CoinNetwork } from "#engine/commands.ts";
import { isAmongAdministrators } from "#engine/transfers/transfer-ends.ts";
import { DecimalError, parseDecimal } from "#contract/decimal.ts";
import type { CoinView } from "../views/catalogue.ts";
import type { TransferView } from "../views/transfers.ts";
import type { Views } from "../views/views.ts";
import { requireInTime } from "./caller.ts";
import { FunctionError } from "./function-error.ts";
import { presentTransfer } from "./present-transfer.ts";
import { invalidArgument, refused } from "./refusals.ts";
import type { Services } from "./services.ts";

/** @throws FunctionError `transfersOff`, or a refusal of the time limit */
export function requireFunded(
  services: Pick<Services, "config" | "views">,
  validUntil?: number,
): void {
  if (services.config.FUNDED_MODE !== "off") return;
  requireInTime(services, validUntil);
  const message = "This exchange trades practice money: nothing is deposited or withdrawn.";
  throw new FunctionError({ code: "transfersOff", message });
}

/** Whether deposits and withdrawals of a coin by one of its networks are open, where they are offered. */
export function openingsOf({ status }: CoinDefinition, network: CoinNetwork) {
  return {
    depositsOpen: network.depositsOpen && (status === "listed" || status === "depositOnly"),
    withdrawalsOpen: network.withdrawalsOpen && status !== "depositOnly" && status !== "hidden",
  };
}

/** @throws FunctionError `unknownAsset` */
export function requireCoin(views: Views, symbol: string): CoinView {
  const coin = views.catalogue.coinBySymbol(symbol);
  if (coin === undefined) throw refused("unknownAsset");
  return coin;
}

/** @throws FunctionError that names the amount if it does not fit the coin */
export function unitsOf(amount: string, { definition }: CoinView): Amount {
  try {
    const units = parseDecimal(amount, definition.scale);
    if (units >= 0n && units <= BigInt(AMOUNT_MAX)) return Number(units) as Amount;
  } catch (error) {
    if (!(error instanceof DecimalError)) throw error;
    throw invalidArgument("amount", `amount ${error.message}.`);
  }
  throw invalidArgument("amount", "amount is negative or too large.");
}

/**
 * Refuses a receipt from which another deposit was recorded, however it is written. The engine compares
 * letter by letter, but remembers more of them.
 * @throws FunctionError `receiptKnown`
 */
export function requireOtherReceipt(views: Views, transfer: TransferView, receipt: string): void {
  const other = views.transfers.depositOf(transfer, receipt);
  // A repeated request finds the deposit itself.
  if (other !== undefined && other.transferId !== transfer.transferId)
    throw refused("receiptKnown");
}

/** The terms of mails that differ from the engine's, as on the page of the owner's transfers. */
const STATUS_WORDS: Readonly<Partial<Record<TransferView["status"], string>>> = {
  held: "is in review",
  settled: "is paid out",
  returned: "came back",
};

/**
 * Mails the owner the outcome of a transfer's step, unless it concerns administrators alone.
 * The mail follows the step and never fails it.
 */
export function mailStep(
  { accounts, log, views }: Pick<Services, "accounts" | "log" | "views">,
  transfer: TransferView,
): void {
  const { account, status, transferId } = transfer;
  if (isAmongAdministrators(status)) return;
  const userId = views.accounts.account(account)?.userId;
  if (userId === undefined) return;
  const { amount, coin, kind, reason } = presentTransfer(views, transfer);
  const what = `${kind === "deposit" ? "Deposit" : "Withdrawal"} ${transferId} of ${amount} ${coin}`;
  const why = reason === null ? "" : `: ${reason}`;
  accounts
    .mailNotices(userId, [`${what} ${STATUS_WORDS[status] ?? `is ${status}`}${why}.`])
    .catch((error: unknown) => {
      log.warn(
        { userId, transferId, error: String(error) },
        "a mail about a transfer was not sent",
      );
    });
}
