/**
 * Deposits and withdrawals: a coin's terms for them, the fields of a transfer, and the commands that
 * change its status. The rules are in transfers.ts.
 */
import type { Amount } from "../amount.ts";
import type { Decision } from "../decision.ts";

/** How long an announced deposit may take to arrive if a coin does not say it: two weeks. */
export const DEPOSIT_HOURS = 336;

/** A way for a coin to enter and leave: a bank transfer, a chain, a cash desk. */
export interface CoinNetwork {
  /** Unique within the coin, such as `SEPA`. */
  readonly code: string;
  readonly name: string;
  /** Instructions for users on how to pay in. */
  readonly instructions: string;
  /** The form of addresses, by which the server validates users' entries; opaque to the engine. */
  readonly addressPattern?: string;
  /** Whether an address may have a memo in addition. */
  readonly hasMemo: boolean;
  /** Confirmations after which a deposit counts; for adapters, opaque to the engine. */
  readonly confirmations: number;
  readonly depositsOpen: boolean;
  readonly withdrawalsOpen: boolean;
}

/** A coin with these terms is funded: it enters and leaves by transfers only. Amounts are in its units. */
export interface TransferTerms {
  readonly depositMin: Amount;
  /** Hours after which a deposit expires that was announced and has not arrived; `DEPOSIT_HOURS` if absent. */
  readonly depositHours?: number;
  readonly withdrawalMin: Amount;
  /** Held and charged in addition to the amount. */
  readonly withdrawalFee: Amount;
  /** Unlimited if absent. */
  readonly withdrawalMax?: Amount;
  /**
   * How much one administrator may decide alone per UTC day, and how much of one owner's may be
   * decided so; without it every transfer needs two (dual-control.ts).
   */
  readonly oneApprovalMax?: Amount;
  readonly networks: readonly CoinNetwork[];
}

export type TransferKind = "deposit" | "withdrawal";

/**
 * Deposits: requested → (recorded →) credited. Withdrawals: held → (approvedOnce →) approved → paying →
 * sent → settled. The last four statuses are the other ends: of an approved withdrawal by way of
 * rejectedOnce, of a sent one by way of returnedOnce, from which it may still be paid or settled;
 * expired is only for deposits that were announced and did not arrive.
 */
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

export interface Transfer {
  /** From 1, in order of request. */
  readonly transferId: number;
  readonly kind: TransferKind;
  readonly account: number;
  readonly assetId: number;
  readonly status: TransferStatus;
  /**
   * For a deposit, the amount announced, later the amount that arrived. For a withdrawal, the amount
   * sent, without the fee.
   */
  readonly amount: Amount;
  /** 0 for a deposit. */
  readonly fee: Amount;
  readonly network: string;
  /** Where a withdrawal goes; "" for a deposit. */
  readonly address: string;
  readonly memo: string;
  /** Identifies the payment outside; "" until it is recorded or sent. */
  readonly receipt: string;
  readonly requestedAtMs: number;
  /** When a deposit expires that has not arrived; 0 for all other transfers. */
  readonly expiresAtMs: number;
  /** A withdrawal's value towards its plan's limits, in units of the settlement coin. */
  readonly value: number;
  /**
   * The administrator who recorded the deposit or approved the withdrawal alone, or who took the latest
   * first step of two: approved, rejected or declared returned; "" before.
   */
  readonly firstBy: string;
  /**
   * The administrators who claimed to pay the withdrawal, each once; the last one is its payer, who
   * alone may mark it as sent.
   */
  readonly payers: readonly string[];
}

/** Fields of an administrator's command on a transfer. */
interface Step {
  readonly transferId: number;
  readonly decision: Decision;
}

export interface TransferRequests {
  /** Announces a user's payment, until it expires; nothing moves. */
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
  /** Cancels the owner's deposit that has not arrived, or withdrawal that is not approved. */
  cancelTransfer: { readonly account: number; readonly transferId: number };
  /** Records that a deposit arrived: credits it, or leaves it to a second administrator. */
  recordDeposit: Step & {
    /** The amount that arrived, whatever was announced. */
    readonly amount: Amount;
    /**
     * 1 to 128 characters; no recorded deposit of the coin and network may have it, nor one among the
     * 10 000 that were credited last.
     */
    readonly receipt: string;
  };
  /** Approves a withdrawal, or a recorded deposit as the second administrator. */
  approveTransfer: Step;
  /** Ends a transfer that is not credited or sent, an approved one by two; releases its hold. */
  rejectTransfer: Step;
  /**
   * Claims to be the one who pays an approved withdrawal, before any money is sent; takes the claim
   * over if another administrator has it.
   */
  claimPayment: Step;
  /** Records that a withdrawal was paid outside; by its payer alone. */
  sendWithdrawal: Step & { readonly receipt: string };
  /** The payment has arrived: the held amount leaves the exchange, and the fee is collected. */
  settleWithdrawal: Step;
  /**
   * The payment came back; recorded by administrators who never claimed to pay it, a large one by two.
   * Releases amount and fee.
   */
  returnWithdrawal: Step;
  /**
   * By the owner: gives the whole available balance of a funded coin to the house, if it is less than the
   * smallest withdrawal with its fee (dust). `amount` is the balance that the owner was shown and gives up.
   */
  forfeitDust: { readonly account: number; readonly assetId: number; readonly amount: Amount };
}
