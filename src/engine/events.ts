/**
 * Everything that can have happened. Events are the only source of what anybody is shown: read
 * models, history, pages and programs are folds over them. Every movement of money is in exactly
 * one event, whose double-entry postings `postingsOf` (postings.ts) derives.
 */
import type { Amount, Lots, Ticks } from "./amount.ts";
import type {
  AccountKind,
  CoinDefinition,
  MarketDefinition,
  OrderType,
  PlanDefinition,
  Side,
  TimeInForce,
} from "./commands.ts";
import type { RejectReason } from "./reject-reasons.ts";

interface InSequence {
  /** The sequence of the command that caused it. */
  readonly sequence: number;
  /** The timestamp of that command, milliseconds since 1970 UTC. */
  readonly timestampMs: number;
}

export interface CommandRejected extends InSequence {
  readonly type: "commandRejected";
  readonly reason: RejectReason;
}
/** The idempotency key was seen before: nothing changed, the first request's outcome stands. */
export interface RequestRepeated extends InSequence {
  readonly type: "requestRepeated";
  readonly originalSequence: number;
  /** The order that the first request placed, 0 where it placed none. */
  readonly orderId: number;
}
export interface CoinListed extends InSequence {
  readonly type: "coinListed";
  readonly assetId: number;
  readonly coin: CoinDefinition;
}
export interface MarketListed extends InSequence {
  readonly type: "marketListed";
  readonly marketId: number;
  readonly baseAssetId: number;
  readonly quoteAssetId: number;
  readonly market: MarketDefinition;
}
export interface PlanDefined extends InSequence {
  readonly type: "planDefined";
  readonly planId: number;
  readonly plan: PlanDefinition;
}
export interface MarketUpdated extends InSequence {
  readonly type: "marketUpdated";
  readonly marketId: number;
  /** Counts the definitions of the market, from 1. */
  readonly version: number;
  readonly market: MarketDefinition;
}
export interface PlanUpdated extends InSequence {
  readonly type: "planUpdated";
  readonly planId: number;
  /** Counts the definitions of the plan, from 1. */
  readonly version: number;
  readonly plan: PlanDefinition;
}
export interface AccountOpened extends InSequence {
  readonly type: "accountOpened";
  readonly account: number;
  readonly userId: string;
  readonly kind: AccountKind;
}
export interface PlanAssigned extends InSequence {
  readonly type: "planAssigned";
  readonly account: number;
  readonly planId: number;
}
/** By the owner; where `effectiveAtMs` is later than the event, the account stays on its plan until then. */
export interface PlanChosen extends InSequence {
  readonly type: "planChosen";
  readonly account: number;
  readonly planId: number;
  readonly effectiveAtMs: number;
}
/** The account may use its paid or earned plan until `renewsAtMs`. */
export interface PlanPeriodBegan extends InSequence {
  readonly type: "planPeriodBegan";
  readonly account: number;
  readonly planId: number;
  readonly assetId: number;
  /** What was charged for it, in units of the asset; 0 for an earned plan. */
  readonly amount: Amount;
  /** What was left of an earlier period and made this one cheaper. */
  readonly creditedAmount: Amount;
  /** Of the period, which may have begun before somebody noticed. */
  readonly beganAtMs: number;
  /** 0 where it never ends. */
  readonly renewsAtMs: number;
}
export type PlanLapseReason =
  | "insufficientAvailable"
  | "volumeNotReached"
  | "accountFrozen"
  | "planNotOffered";
/** The period ended and another could not begin: the account is on the default plan again. */
export interface PlanLapsed extends InSequence {
  readonly type: "planLapsed";
  readonly account: number;
  /** The default plan. */
  readonly planId: number;
  readonly lapsedPlanId: number;
  readonly reason: PlanLapseReason;
}
export interface AdjustmentProposed extends InSequence {
  readonly type: "adjustmentProposed";
  readonly adjustmentId: number;
  readonly account: number;
  readonly assetId: number;
  /** Signed. */
  readonly amount: number;
  readonly reason: string;
  readonly proposedBy: string;
}
/** The correction was made. */
export interface AdjustmentApproved extends InSequence {
  readonly type: "adjustmentApproved";
  readonly adjustmentId: number;
  readonly account: number;
  readonly assetId: number;
  readonly amount: number;
  readonly reason: string;
  readonly proposedBy: string;
  readonly approvedBy: string;
}
export interface AdjustmentRejected extends InSequence {
  readonly type: "adjustmentRejected";
  readonly adjustmentId: number;
  readonly account: number;
  readonly rejectedBy: string;
}
export interface AccountFreezeChanged extends InSequence {
  readonly type: "accountFreezeChanged";
  readonly account: number;
  readonly isFrozen: boolean;
  readonly byAdmin: string;
  readonly reason: string;
}
export interface PracticeFundsTaken extends InSequence {
  readonly type: "practiceFundsTaken";
  readonly account: number;
  readonly assetId: number;
  readonly amount: Amount;
}
export interface ParticipantFunded extends InSequence {
  readonly type: "participantFunded";
  readonly account: number;
  readonly assetId: number;
  readonly amount: Amount;
}
export interface SimulationStarted extends InSequence {
  readonly type: "simulationStarted";
  readonly seed: number;
}
/** Where the fees of an order come from. */
export type FeeSource = "plan" | "volume" | "market";
/** Accepted; `heldAmount` of the spent asset (quote to buy, base to sell) moved to held. */
export interface OrderPlaced extends InSequence {
  readonly type: "orderPlaced";
  readonly orderId: number;
  readonly account: number;
  readonly marketId: number;
  readonly side: Side;
  readonly orderType: OrderType;
  readonly timeInForce: TimeInForce;
  readonly postOnly: boolean;
  readonly priceTicks: Ticks;
  readonly quantityLots: Lots;
  readonly quoteAmount: Amount;
  readonly heldAmount: Amount;
  /** Fixed here for the order's whole life. */
  readonly makerFeeBps: number;
  readonly takerFeeBps: number;
  readonly feeSource: FeeSource;
  readonly clientOrderId: string;
}
/** One match, at the maker's price. Fees are in what each party receives. */
export interface Traded extends InSequence {
  readonly type: "traded";
  readonly marketId: number;
  /** Gap-free per market, from 1. */
  readonly tradeId: number;
  readonly takerSide: Side;
  readonly priceTicks: Ticks;
  readonly quantityLots: Lots;
  /** What the buyer paid, in quote units. */
  readonly notional: Amount;
  /** What the seller gave, in base units. */
  readonly baseAmount: Amount;
  readonly makerOrderId: number;
  readonly takerOrderId: number;
  readonly makerAccount: number;
  readonly takerAccount: number;
  readonly makerFee: Amount;
  readonly takerFee: Amount;
  readonly makerRemainingLots: Lots;
  /** What a buying taker held for this quantity above what it cost, back to available. */
  readonly takerReleased: Amount;
}
/** The rest of the order now waits in the book. */
export interface OrderRested extends InSequence {
  readonly type: "orderRested";
  readonly orderId: number;
  readonly account: number;
  readonly marketId: number;
  readonly side: Side;
  readonly priceTicks: Ticks;
  readonly remainingLots: Lots;
}
export type OrderEndStatus = "filled" | "cancelled" | "expired";
/** No longer open, for whatever cause; every accepted order ends exactly once. */
export interface OrderEnded extends InSequence {
  readonly type: "orderEnded";
  readonly orderId: number;
  readonly account: number;
  readonly marketId: number;
  readonly side: Side;
  /**
   * `filled`; `cancelled` by its owner; `expired` by its own rules (immediate or cancel, the end of
   * the book for a market order, a trade against itself).
   */
  readonly status: OrderEndStatus;
  readonly priceTicks: Ticks;
  /** What was left unfilled; 0 where filled, and for orders by quote amount. */
  readonly remainingLots: Lots;
  /** What was still held, back to available. */
  readonly releasedAmount: Amount;
  /** True where the rest waited in the book until now. */
  readonly wasResting: boolean;
}

export type ExchangeEvent =
  | CommandRejected
  | RequestRepeated
  | CoinListed
  | MarketListed
  | MarketUpdated
  | PlanDefined
  | PlanUpdated
  | AccountOpened
  | PlanAssigned
  | PlanChosen
  | PlanPeriodBegan
  | PlanLapsed
  | AdjustmentProposed
  | AdjustmentApproved
  | AdjustmentRejected
  | AccountFreezeChanged
  | PracticeFundsTaken
  | ParticipantFunded
  | SimulationStarted
  | OrderPlaced
  | Traded
  | OrderRested
  | OrderEnded;
