/** Deposits and withdrawals, as their owners and administrators see them. */
import type { Decimal } from "./types.ts";

export const TRANSFER_STATUSES = [
  "requested",
  "recorded",
  "credited",
  "held",
  "approvedOnce",
  "approved",
  "paying",
  "rejectedOnce",
  "sent",
  "returnedOnce",
  "settled",
  "rejected",
  "cancelled",
  "returned",
  "expired",
] as const;
export type TransferStatus = (typeof TRANSFER_STATUSES)[number];

/** Addresses in one user's address book. */
export const ADDRESSES_MAX = 50;
/** Rows of an imported statement. */
export const IMPORTED_ROWS_MAX = 500;
/** Bytes of an imported statement. */
export const IMPORTED_BYTES_MAX = 200_000;

export interface Transfer {
  transferId: number;
  kind: "deposit" | "withdrawal";
  status: TransferStatus;
  coin: string;
  /** For a deposit, the amount announced, later the amount that arrived; for a withdrawal, without the fee. */
  amount: Decimal;
  fee: Decimal;
  /** A network's code. */
  network: string;
  /** Where a withdrawal goes; null for a deposit. */
  address: string | null;
  memo: string | null;
  /** The reference for the payer to state, by which a deposit is matched; null for a withdrawal. */
  reference: string | null;
  /** How to pay; null unless a deposit is still to arrive. */
  instructions: string | null;
  /** Identifies the payment outside; null until it is recorded or sent. */
  receipt: string | null;
  requestedAt: number;
  /** When an announced deposit expires unless it arrives; null for all other transfers. */
  expiresAt: number | null;
  /** When the status last changed. */
  changedAt: number;
  /** Why the transfer was rejected or came back; else null. */
  reason: string | null;
}

export interface ReviewStep {
  status: TransferStatus;
  time: number;
  /** The administrator who took the step; null if the owner did. */
  byAdmin: string | null;
  reason: string | null;
}

export interface ReviewedTransfer extends Transfer {
  userId: string;
  /** Oldest first. */
  steps: ReviewStep[];
  /** The administrator who took the latest first step of two, and may not take the second. */
  firstBy: string | null;
  /**
   * The administrators who claimed to pay the withdrawal. The last one is its payer, the only one who
   * may mark it as sent; none of them may report that it came back.
   */
  payers: string[];
}

export interface TransferNetwork {
  code: string;
  name: string;
  hasMemo: boolean;
  depositsOpen: boolean;
  withdrawalsOpen: boolean;
}

/** A coin that can be deposited and withdrawn, on its present terms. */
export interface TransferCoin {
  coin: string;
  name: string;
  scale: number;
  available: Decimal;
  /** All that is available, if it is too little to be withdrawn and may be given up; else null. */
  dust: Decimal | null;
  depositMin: Decimal;
  /** How long an announced deposit may take to arrive. */
  depositHours: number;
  withdrawalMin: Decimal;
  withdrawalFee: Decimal;
  withdrawalMax: Decimal | null;
  networks: TransferNetwork[];
}

/** How much users of a plan may withdraw, in the settlement coin. */
export interface WithdrawalLimit {
  max: Decimal;
  left: Decimal;
}

export interface TransferOptions {
  /** Whether the exchange has deposits and withdrawals at all. */
  funded: boolean;
  settlementCoin: string;
  /** Funded coins only. */
  coins: TransferCoin[];
  /** The limit per UTC day; null if unlimited. */
  daily: WithdrawalLimit | null;
  /** The limit per UTC month; null if unlimited. */
  monthly: WithdrawalLimit | null;
  /** How long an address must have been saved before it can be used. */
  addressWaitHours: number;
  /** How long withdrawals are refused after a change of how the user signs in. */
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
  /** From when the address can be used, milliseconds since 1970. */
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

/** A row of an imported statement, and its effect. */
export interface ImportedRow {
  /** Line number in the file, from 1. */
  line: number;
  reference: string;
  coin: string;
  amount: string;
  receipt: string;
  /**
   * "new" would be recorded; "credited" and "recorded" were; "known" was recorded before, from the same
   * receipt, or is the same payment as an earlier row; "ended" has ended otherwise; "unmatched" matches no deposit; "refused" cannot be recorded.
   */
  outcome: (typeof IMPORT_OUTCOMES)[number];
  /** A sentence for the administrator. */
  detail: string;
}
