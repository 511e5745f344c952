/** The change that one posting made to one balance of a person. */
import type { ExchangeEvent } from "#engine/events.ts";
import type { BalanceKind, Posting, PostingReason } from "#engine/accounts/postings.ts";
import { fixed, RecordKind, type RecordOf } from "./record-kind.ts";

export const LEDGER_ENTRIES = new RecordKind({
  sequence: fixed("sequence").integer(),
  /** Numbers the entries of this account in this sequence, from 0. */
  position: fixed("position").integer(),
  account: fixed("account").integer(),
  assetId: fixed("asset_id").integer(),
  /** Signed: positive if the balance increased. */
  amount: fixed("amount").integer(),
  balance: fixed("balance").text<BalanceKind>(),
  reason: fixed("reason").text<PostingReason>(),
  /** The order that caused the entry, 0 if none. */
  orderId: fixed("order_id").integer(),
  timestampMs: fixed("time").integer(),
});
export type LedgerEntryRecord = RecordOf<typeof LEDGER_ENTRIES.fields>;

/** The entry of the debited or the credited account. */
export function ledgerEntryOf(
  event: ExchangeEvent,
  posting: Posting,
  entered: "debit" | "credit",
  position: number,
): LedgerEntryRecord {
  const isCredit = entered === "credit";
  const account = isCredit ? posting.creditAccount : posting.debitAccount;
  return {
    sequence: event.sequence,
    position,
    account,
    assetId: posting.assetId,
    amount: isCredit ? posting.amount : 0 - posting.amount,
    balance: isCredit ? posting.creditBalance : posting.debitBalance,
    reason: posting.reason,
    orderId: orderOf(event, account),
    timestampMs: event.timestampMs,
  };
}

/** The account's order that caused an event's posting, 0 if none. */
function orderOf(event: ExchangeEvent, account: number): number {
  switch (event.type) {
    case "orderPlaced":
    case "orderActivated":
    case "orderAmended":
    case "waitingOrderAmended":
    case "quantityDecremented":
    case "orderEnded":
      return event.orderId;
    case "traded":
      return event.makerAccount === account ? event.makerOrderId : event.takerOrderId;
    default:
      return 0;
  }
}
