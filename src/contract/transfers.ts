/** Deposits and withdrawals, as their owners and administrators see them. */
import type { Decimal } from "./types.ts";

export const TRANSFER_STATUSES = [
  "requested",
  "recorded",
  "credited",
  "held",
  "approvedOnce",
  "approved",
  "sent",
  "settled",
  "rejected",
  "cancelled",
  "returned",
] as const;
export type TransferStatus = (typeof TRANSFER_STATUSES)[number];

/** How many addresses one user may keep. */
export const ADDRESSES_MAX = 50;
/** Of an imported statement. */
export const IMPORTED_ROWS_MAX = 500;
/** Bytes of an imported statement. */
export const IMPORTED_BYTES_MAX = 200_000;

export interface Transfer {
  transferId: number;
  kind: "deposit" | "withdrawal";
  status: TransferStatus;
  coin: string;
  /** Of a deposit, what was announced, then what arrived; of a withdrawal, without the fee. */
  amount: Decimal;
  fee: Decimal;
  /** A network's code. */
  network: string;
  /** Where a withdrawal goes; null for a deposit. */
  address: string | null;
  memo: string | null;
  /** What the payer states, so that a deposit is matched; null for a withdrawal. */
  reference: string | null;
  /** What the payer does; null unless a deposit is still to arrive. */
  instructions: string | null;
  /** What identifies the payment outside; null until it is recorded or sent. */
  receipt: string | null;
  requestedAt: number;
  /** Of the last step. */
  changedAt: number;
  /** Why it was rejected or came back; null if it was not. */
  reason: string | null;
}

export interface ReviewStep {
  status: TransferStatus;
  time: number;
  /** The administrator; null if its owner did it. */
  byAdmin: string | null;
  reason: string | null;
}

export interface ReviewedTransfer extends Transfer {
  userId: string;
  /** Oldest first. */
  steps: ReviewStep[];
  /** Who recorded the deposit or approved the withdrawal first; they may not do so again. */
  firstBy: string | null;
  /** Who marked the withdrawal as sent; they may not say that it came back. */
  sentBy: string | null;
}

export interface TransferNetwork {
  code: string;
  name: string;
  hasMemo: boolean;
  depositsOpen: boolean;
  withdrawalsOpen: boolean;
}

/** A coin that can be paid in and out, on its present terms. */
export interface TransferCoin {
  coin: string;
  name: string;
  scale: number;
  available: Decimal;
  depositMin: Decimal;
  withdrawalMin: Decimal;
  withdrawalFee: Decimal;
  withdrawalMax: Decimal | null;
  networks: TransferNetwork[];
}

/** What a plan lets its users withdraw, in the settlement coin. */
export interface WithdrawalLimit {
  max: Decimal;
  left: Decimal;
}

export interface TransferOptions {
  /** Whether the exchange takes deposits and makes withdrawals at all. */
  funded: boolean;
  settlementCoin: string;
  /** Funded coins only. */
  coins: TransferCoin[];
  /** Of this UTC day; null if unlimited. */
  daily: WithdrawalLimit | null;
  /** Of this UTC month. */
  monthly: WithdrawalLimit | null;
  /** For how long an address must have been kept before it can be used. */
  addressWaitHours: number;
  /** How long nothing can be withdrawn after a change of the password or the second factor. */
  pauseHours: number;
}

export interface WithdrawalAddress {
  addressId: string;
  label: string;
  coin: string;
  network: string;
  address: string;
  memo: string | null;
  createdAt: number;
  /** Milliseconds since 1970 from which it can be used. */
  usableFrom: number;
}

export const IMPORT_OUTCOMES = [
  "new",
  "credited",
  "recorded",
  "known",
  "ended",
  "unmatched",
  "refused",
] as const;

/** A row of an imported statement, and what it does or would do. */
export interface ImportedRow {
  /** In the file, from 1. */
  line: number;
  reference: string;
  coin: string;
  amount: string;
  receipt: string;
  /**
   * "new" would be recorded; "credited" and "recorded" were; "known" was recorded from the same
   * receipt before; "ended" has ended otherwise; "unmatched" has no deposit; "refused" cannot be.
   */
  outcome: (typeof IMPORT_OUTCOMES)[number];
  /** A sentence. */
  detail: string;
}
