/**
 * Deposits and withdrawals: the terms on which a coin moves in and out, what a transfer is, and the
 * commands that take it from one state to the next. The rules are in transfers.ts.
 */
import type { Amount } from "../amount.ts";
import type { Decision } from "../decision.ts";

/** One way by which a coin enters and leaves: a bank transfer, a chain, a cash desk. */
export interface CoinNetwork {
  /** Unique within the coin, such as `SEPA`. */
  readonly code: string;
  readonly name: string;
  /** What a user does to pay in. */
  readonly instructions: string;
  /** What addresses look like, for the exchange's checks of what users enter; opaque to the engine. */
  readonly addressPattern?: string;
  /** Whether an address may have a memo in addition. */
  readonly hasMemo: boolean;
  /** After how many confirmations a deposit counts; for adapters, opaque to the engine. */
  readonly confirmations: number;
  readonly depositsOpen: boolean;
  readonly withdrawalsOpen: boolean;
}

/** A coin that has these is funded: it enters and leaves by transfers only. Amounts in its units. */
export interface TransferTerms {
  readonly depositMin: Amount;
  readonly withdrawalMin: Amount;
  /** Held and charged in addition to the amount. */
  readonly withdrawalFee: Amount;
  /** Unlimited if absent. */
  readonly withdrawalMax?: Amount;
  /** The largest amount that one administrator may approve alone; without it all need two. */
  readonly oneApprovalMax?: Amount;
  readonly networks: readonly CoinNetwork[];
}

export type TransferKind = "deposit" | "withdrawal";

/**
 * Deposits: requested → (recorded →) credited. Withdrawals: held → (approvedOnce →) approved → sent →
 * settled. The last three are the other ends.
 */
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

export interface Transfer {
  /** From 1, in order of request. */
  readonly transferId: number;
  readonly kind: TransferKind;
  readonly account: number;
  readonly assetId: number;
  readonly status: TransferStatus;
  /** A deposit's: as announced, then what arrived. A withdrawal's: what is sent, without the fee. */
  readonly amount: Amount;
  /** 0 for a deposit. */
  readonly fee: Amount;
  readonly network: string;
  /** Where a withdrawal goes; "" for a deposit. */
  readonly address: string;
  readonly memo: string;
  /** What identifies the payment outside; "" until it is recorded or sent. */
  readonly receipt: string;
  readonly requestedAtMs: number;
  /** What a withdrawal counts against its plan's limits, in units of the settlement coin. */
  readonly value: number;
  /** Who recorded the deposit or approved the withdrawal first; "" before. */
  readonly firstBy: string;
  /** Who marked the withdrawal as sent; "" before. */
  readonly sentBy: string;
}

/** A step that an administrator takes. */
interface Step {
  readonly transferId: number;
  readonly decision: Decision;
}

export interface TransferRequests {
  /** A user announces a payment; nothing moves. */
  requestDeposit: {
    readonly account: number;
    readonly assetId: number;
    readonly amount: Amount;
    readonly network: string;
  };
  /** Holds the amount and the coin's fee. */
  requestWithdrawal: {
    readonly account: number;
    readonly assetId: number;
    readonly amount: Amount;
    readonly network: string;
    /** 1 to 256 characters. */
    readonly address: string;
    /** At most 128 characters; "" if none. */
    readonly memo: string;
  };
  /** By its owner, of a deposit that has not arrived or a withdrawal that is not approved. */
  cancelTransfer: { readonly account: number; readonly transferId: number };
  /** A deposit arrived: credits it, or leaves it to a second administrator. */
  recordDeposit: Step & {
    /** What arrived, whatever was announced. */
    readonly amount: Amount;
    /** 1 to 128 characters. */
    readonly receipt: string;
  };
  /** Approves a withdrawal, or a recorded deposit as the second administrator. */
  approveTransfer: Step;
  /** Ends one that is not credited or sent; what was held is released. */
  rejectTransfer: Step;
  /** An approved withdrawal was paid outside. */
  sendWithdrawal: Step & { readonly receipt: string };
  /** The payment has arrived: what was held leaves the exchange, its fee goes to the fees. */
  settleWithdrawal: Step;
  /** The payment came back; by another administrator than the one who sent it. Releases all. */
  returnWithdrawal: Step;
}
