/** The integers-only records that the read models keep; functions turn them into contract values. */
import type { OrderConditions, OrderType, Side, TimeInForce } from "#engine/commands.ts";
import type { FeeSource, OrderEndReason } from "#engine/events.ts";
import type { BalanceKind, PostingReason } from "#engine/accounts/postings.ts";

export type OrderRecordStatus = "open" | "filled" | "cancelled" | "expired";

export type OrderWaitsFor = "nothing" | "trigger" | "workingOrder";

/** A person's order in its present state. */
export interface OrderRecord {
  readonly orderId: number;
  readonly account: number;
  readonly marketId: number;
  readonly clientOrderId: string;
  readonly side: Side;
  readonly orderType: OrderType;
  readonly timeInForce: TimeInForce;
  readonly postOnly: boolean;
  /** 0 for market orders. */
  readonly priceTicks: number;
  /** 0 for market orders by quote amount. */
  readonly quantityLots: number;
  /** Quote units; 0 where the quantity says how much. */
  readonly quoteAmount: number;
  readonly makerFeeBps: number;
  readonly takerFeeBps: number;
  readonly feeSource: FeeSource;
  /** Absent for a plain order. */
  readonly conditions?: OrderConditions;
  /** The list that it was placed with, 0 where with none. */
  readonly listId: number;
  /** An open order that waits is in no book. */
  readonly waitsFor: OrderWaitsFor;
  /** What the last price must reach, of a trailing stop as it was placed; 0 where nothing. */
  readonly triggerTicks: number;
  readonly placedAtMs: number;
  readonly placedSequence: number;
  readonly status: OrderRecordStatus;
  /** "" while it is open. */
  readonly endReason: OrderEndReason | "";
  readonly filledLots: number;
  /** Quote units exchanged so far. */
  readonly filledNotional: number;
  readonly updatedAtMs: number;
  /** Of the last event that changed it. */
  readonly updatedSequence: number;
}

/** One person's view of a trade. */
export interface FillRecord {
  readonly tradeId: number;
  readonly orderId: number;
  readonly account: number;
  readonly marketId: number;
  readonly side: Side;
  readonly priceTicks: number;
  readonly quantityLots: number;
  /** Quote units. */
  readonly notional: number;
  /** Units of the fee's asset: base to a buyer, quote to a seller. */
  readonly fee: number;
  readonly feeAssetId: number;
  readonly feeBps: number;
  readonly feeSource: FeeSource;
  readonly role: "maker" | "taker";
  readonly timestampMs: number;
  readonly sequence: number;
}

/** Money that came in from outside, or a correction. */
export interface TransferRecord {
  readonly account: number;
  readonly reason: "practiceFunds" | "adjustment";
  readonly assetId: number;
  /** Signed. */
  readonly amount: number;
  /** Why a correction was made, in an administrator's words; else "". */
  readonly note: string;
  readonly timestampMs: number;
  readonly sequence: number;
}

/** What one posting did to one balance of a person. */
export interface LedgerEntryRecord {
  readonly sequence: number;
  /** Counts the entries of this account in this sequence, from 0. */
  readonly position: number;
  readonly account: number;
  readonly assetId: number;
  /** Signed. */
  readonly amount: number;
  readonly balance: BalanceKind;
  readonly reason: PostingReason;
  /** 0 where no order caused it. */
  readonly orderId: number;
  readonly timestampMs: number;
}

export interface PlanChangeRecord {
  readonly account: number;
  readonly planId: number;
  /** What was paid for a period of it; 0 where the account merely came to the plan. */
  readonly amount: number;
  /** Of the amount; 0 where nothing was paid. */
  readonly assetId: number;
  readonly timestampMs: number;
  readonly sequence: number;
}

/** One row of what happened to a person, with its number among those of its journal sequence. */
export type ActivityRecord = {
  readonly sequence: number;
  /** Counts the rows of this account in this sequence, from 0. */
  readonly position: number;
  readonly timestampMs: number;
} & (
  | { readonly kind: "order"; readonly order: OrderRecord }
  | { readonly kind: "fill"; readonly fill: FillRecord }
  | { readonly kind: "transfer"; readonly transfer: TransferRecord }
  | { readonly kind: "plan"; readonly planChange: PlanChangeRecord }
);

export interface PublicTradeRecord {
  readonly tradeId: number;
  readonly priceTicks: number;
  readonly quantityLots: number;
  readonly takerSide: Side;
  readonly timestampMs: number;
}
