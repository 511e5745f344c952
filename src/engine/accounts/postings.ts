/**
 * The double entry of an event: which balance is debited, which is credited, how much and why. The
 * engine's ledger moves money by the same rules; the property tests keep the two equal. History and
 * pages derive ledger entries only from here.
 *
 * An account has two balances per asset, `available` and `held`. A credit raises a balance, a debit
 * lowers it; over all accounts each asset sums to zero because money only enters from `EXTERNAL` and
 * from adjustments.
 */
import type { Amount } from "../amount.ts";
import type { ExchangeEvent } from "../events.ts";
import { hasFailed } from "../transfers/transfer-ends.ts";

/** The world outside: its balance is minus everything that users own. May be negative. */
export const EXTERNAL_ACCOUNT = 1;
/** Collects trading fees. */
export const FEES_ACCOUNT = 2;
/** Receives the price of plans and the dust that owners give up. */
export const HOUSE_ACCOUNT = 3;
/** The other side of every adjustment of a balance; may be negative. */
export const ADJUSTMENTS_ACCOUNT = 4;
/** The first account that `openAccount` hands out. */
export const FIRST_USER_ACCOUNT = 16;

export type BalanceKind = "available" | "held";
export type PostingReason =
  | "practiceFunds"
  | "participantFunding"
  | "planFee"
  | "adjustment"
  | "deposit"
  | "withdrawal"
  | "withdrawalFee"
  | "dust"
  | "hold"
  | "release"
  | "trade"
  | "makerFee"
  | "takerFee";

export interface Posting {
  readonly assetId: number;
  readonly amount: Amount;
  readonly debitAccount: number;
  readonly debitBalance: BalanceKind;
  readonly creditAccount: number;
  readonly creditBalance: BalanceKind;
  readonly reason: PostingReason;
}

/** The assets of an event's market. */
export interface MarketAssets {
  readonly baseAssetId: number;
  readonly quoteAssetId: number;
}

/**
 * An event's postings in the ledger's order; empty for events that move nothing.
 * Postings of amount zero are omitted.
 */
export function postingsOf(
  event: ExchangeEvent,
  assetsOf: (marketId: number) => MarketAssets,
): Posting[] {
  const postings: Posting[] = [];
  const post = (
    assetId: number,
    amount: Amount,
    debitAccount: number,
    debitBalance: BalanceKind,
    creditAccount: number,
    creditBalance: BalanceKind,
    reason: PostingReason,
  ) => {
    if (amount === 0) return;
    postings.push({
      assetId,
      amount,
      debitAccount,
      debitBalance,
      creditAccount,
      creditBalance,
      reason,
    });
  };
  switch (event.type) {
    case "practiceFundsTaken":
    case "participantFunded": {
      const { account, assetId, amount } = event;
      const [from, to] = [EXTERNAL_ACCOUNT, account];
      const reason = event.type === "practiceFundsTaken" ? "practiceFunds" : "participantFunding";
      post(assetId, amount, from, "available", to, "available", reason);
      break;
    }
    case "practiceFundsReclaimed": {
      const { account, assetId, amount } = event;
      const [from, to] = [account, EXTERNAL_ACCOUNT];
      post(assetId, amount, from, "available", to, "available", "practiceFunds");
      break;
    }
    case "planPeriodBegan": {
      const { account, assetId, amount } = event;
      post(assetId, amount, account, "available", HOUSE_ACCOUNT, "available", "planFee");
      break;
    }
    case "dustForfeited": {
      const { account, assetId, amount } = event;
      post(assetId, amount, account, "available", HOUSE_ACCOUNT, "available", "dust");
      break;
    }
    case "adjustmentApproved": {
      const amount = Math.abs(event.amount) as Amount;
      const [from, to] =
        event.amount > 0
          ? [ADJUSTMENTS_ACCOUNT, event.account]
          : [event.account, ADJUSTMENTS_ACCOUNT];
      post(event.assetId, amount, from, "available", to, "available", "adjustment");
      break;
    }
    case "transferChanged": {
      const { account, amount, assetId, fee, kind, status } = event;
      if (status === "credited") {
        const from = EXTERNAL_ACCOUNT;
        post(assetId, amount, from, "available", account, "available", "deposit");
      } else if (status === "settled") {
        const [out, fees] = [EXTERNAL_ACCOUNT, FEES_ACCOUNT];
        post(assetId, amount, account, "held", out, "available", "withdrawal");
        post(assetId, fee, account, "held", fees, "available", "withdrawalFee");
      } else if (kind === "withdrawal") {
        const held = (amount + fee) as Amount;
        if (status === "held") {
          post(assetId, held, account, "available", account, "held", "hold");
        } else if (hasFailed(status)) {
          post(assetId, held, account, "held", account, "available", "release");
        }
      }
      break;
    }
    case "traded": {
      const { baseAssetId, quoteAssetId } = assetsOf(event.marketId);
      const takerBuys = event.takerSide === "buy";
      const buyer = takerBuys ? event.takerAccount : event.makerAccount;
      const seller = takerBuys ? event.makerAccount : event.takerAccount;
      post(quoteAssetId, event.notional, buyer, "held", seller, "available", "trade");
      post(baseAssetId, event.baseAmount, seller, "held", buyer, "available", "trade");
      const makerReceives = takerBuys ? quoteAssetId : baseAssetId;
      const takerReceives = takerBuys ? baseAssetId : quoteAssetId;
      const fee = (assetId: number, amount: Amount, payer: number, reason: PostingReason) =>
        post(assetId, amount, payer, "available", FEES_ACCOUNT, "available", reason);
      fee(makerReceives, event.makerFee, event.makerAccount, "makerFee");
      fee(takerReceives, event.takerFee, event.takerAccount, "takerFee");
      const taker = event.takerAccount;
      post(quoteAssetId, event.takerReleased, taker, "held", taker, "available", "release");
      if (event.auction !== undefined) {
        const maker = event.makerAccount;
        const { makerReleased } = event.auction;
        post(quoteAssetId, makerReleased, maker, "held", maker, "available", "release");
      }
      break;
    }
    case "orderPlaced":
    case "orderActivated":
    case "orderAmended":
    case "waitingOrderAmended":
    case "quantityDecremented":
    case "orderEnded": {
      const { baseAssetId, quoteAssetId } = assetsOf(event.marketId);
      const spent = event.side === "buy" ? quoteAssetId : baseAssetId;
      const { account } = event;
      if ("heldAmount" in event) {
        post(spent, event.heldAmount, account, "available", account, "held", "hold");
      }
      if ("releasedAmount" in event) {
        post(spent, event.releasedAmount, account, "held", account, "available", "release");
      }
      break;
    }
    default:
      break;
  }
  return postings;
}
