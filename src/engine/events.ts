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
  MarketStatus,
  OrderConditions,
  OrderListKind,
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
export type MarketStatusCause = "admin" | "timer" | "breaker";
export interface MarketStatusChanged extends InSequence {
  readonly type: "marketStatusChanged";
  readonly marketId: number;
  readonly status: MarketStatus;
  readonly cause: MarketStatusCause;
  /** When it ends by itself; 0 where it does not. */
  readonly untilMs: number;
}
/** An auction found its price; the trades that follow are at that price and marked. */
export interface AuctionUncrossed extends InSequence {
  readonly type: "auctionUncrossed";
  readonly marketId: number;
  readonly priceTicks: Ticks;
  readonly volumeLots: Lots;
  /** What is left at the price: wanted where positive, offered where negative. */
  readonly surplusLots: number;
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
/** The adjustment was made. */
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
/** One for each coin that was taken. */
export interface PracticeFundsTaken extends InSequence {
  readonly type: "practiceFundsTaken";
  readonly account: number;
  readonly assetId: number;
  readonly amount: Amount;
}
/** One for each asset that the account had available. */
export interface PracticeFundsReclaimed extends InSequence {
  readonly type: "practiceFundsReclaimed";
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
/**
 * Accepted; `heldAmount` of the spent asset (quote to buy, base to sell) moved to held.
 * What follows says whether it waits, trades, rests or ends.
 */
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
  /** Absent for a plain order. */
  readonly conditions?: OrderConditions;
  /** The list that it is part of; absent where of none. */
  readonly listId?: number;
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
  /** In an auction only, where both orders rested and both pay their maker fee. */
  readonly auction?: AuctionPart;
}
/** The older order of the two is told as the maker. */
export interface AuctionPart {
  /** What a buying maker held for this quantity above what it cost, back to available. */
  readonly makerReleased: Amount;
  /** Where the orders stood in the book. */
  readonly makerTicks: Ticks;
  readonly takerTicks: Ticks;
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
  /** What the public book shows of it: all, except of an iceberg. */
  readonly visibleLots: Lots;
}
/** An iceberg's shown part was used up: its next part stands at the end of its price's queue. */
export interface IcebergRefilled extends InSequence {
  readonly type: "icebergRefilled";
  readonly orderId: number;
  readonly account: number;
  readonly marketId: number;
  readonly side: Side;
  readonly priceTicks: Ticks;
  readonly visibleLots: Lots;
  readonly remainingLots: Lots;
}
/** Placed, but not in the book before its trigger or the order that it waits for. */
export interface OrderWaiting extends InSequence {
  readonly type: "orderWaiting";
  readonly orderId: number;
  readonly account: number;
  readonly marketId: number;
  readonly side: Side;
  readonly waitsFor: "trigger" | "workingOrder";
  /** What the last price must reach, of a trailing stop for now; 0 where nothing is known yet. */
  readonly triggerTicks: Ticks;
}
/** Waits no longer: it goes to the market now, or to its trigger. */
export interface OrderActivated extends InSequence {
  readonly type: "orderActivated";
  readonly orderId: number;
  readonly account: number;
  readonly marketId: number;
  readonly side: Side;
  readonly cause: "trigger" | "workingOrder";
  readonly lastTicks: Ticks;
  /** Moved to held now, beside what it held before. */
  readonly heldAmount: Amount;
  /** Now known also where it was to be what the working order received. */
  readonly quantityLots: Lots;
}
/** A resting order has other terms; `previous…` is how it stood in the book until now. */
export interface OrderAmended extends InSequence {
  readonly type: "orderAmended";
  readonly orderId: number;
  readonly account: number;
  readonly marketId: number;
  readonly side: Side;
  readonly priceTicks: Ticks;
  readonly quantityLots: Lots;
  readonly remainingLots: Lots;
  readonly heldAmount: Amount;
  readonly releasedAmount: Amount;
  /** False: it has left the book; trades, and its rest or end, follow. */
  readonly keptPriority: boolean;
  readonly previousPriceTicks: Ticks;
  readonly previousVisibleLots: Lots;
  /** What the book shows of it now; 0 where it has left the book. */
  readonly visibleLots: Lots;
}
/** Two orders of one account met, and each lost this much instead of trading it. */
export interface QuantityDecremented extends InSequence {
  readonly type: "quantityDecremented";
  readonly orderId: number;
  readonly account: number;
  readonly marketId: number;
  readonly side: Side;
  /** True for the one that rested in the book. */
  readonly wasResting: boolean;
  /** Of a resting order its price, else 0. */
  readonly priceTicks: Ticks;
  readonly decrementedLots: Lots;
  readonly remainingLots: Lots;
  readonly releasedAmount: Amount;
  readonly previousVisibleLots: Lots;
  readonly visibleLots: Lots;
}
export interface OrderListPlaced extends InSequence {
  readonly type: "orderListPlaced";
  readonly listId: number;
  readonly account: number;
  readonly marketId: number;
  readonly kind: OrderListKind;
  readonly orderIds: readonly number[];
}
export interface CancelTimerSet extends InSequence {
  readonly type: "cancelTimerSet";
  readonly account: number;
  readonly marketId: number;
  /** Milliseconds since 1970 UTC; 0 where it was disarmed. */
  readonly firesAtMs: number;
}
/** The cancels follow; the first of very many have been made by commands before. */
export interface CancelTimerFired extends InSequence {
  readonly type: "cancelTimerFired";
  readonly account: number;
  readonly marketId: number;
}
/** `cancelAllOrders` has cancelled as many as one command may: there are more. */
export interface OrdersLeftOpen extends InSequence {
  readonly type: "ordersLeftOpen";
  readonly account: number;
  /** As it was asked: 0 for all markets. */
  readonly marketId: number;
  /** Both where absent. */
  readonly side?: Side;
  /** To be cancelled by the next such command: none that was placed later. */
  readonly upToOrderId: number;
}
/** From now on one command does no more than this beside what it asks for (work-limit.ts). */
export interface WorkLimited extends InSequence {
  readonly type: "workLimited";
  /** Orders that it ends or activates. */
  readonly ordersMax: number;
  /** Levels that a fill-or-kill or market order looks at. */
  readonly levelsMax: number;
  /** Present if it is true, of whole markets and accounts, too. */
  readonly marketsInParts?: boolean;
}
/** From now on one account owns no more of a coin, and all together any amount (balance-limit.ts). */
export interface BalancesLimited extends InSequence {
  readonly type: "balancesLimited";
  /** Units of each coin, available and held together. */
  readonly unitsMax: Amount;
}
export interface TimeAdvanced extends InSequence {
  readonly type: "timeAdvanced";
}
export type OrderEndStatus = "filled" | "cancelled" | "expired";
/** Why an order ended; the numbers of the packed rows are places in this list. */
export const ORDER_END_REASONS = [
  "filled",
  "byOwner",
  "immediateOrCancel",
  "bookExhausted",
  "selfTrade",
  "priceBand",
  "expired",
  "cancelTimer",
  "listEnded",
  "replaced",
  "marketClosed",
  "breaker",
] as const;
/** A reject reason where an order could not be placed when its time came. */
export type OrderEndReason = (typeof ORDER_END_REASONS)[number] | RejectReason;
/** No longer open, for whatever cause; every accepted order ends exactly once. */
export interface OrderEnded extends InSequence {
  readonly type: "orderEnded";
  readonly orderId: number;
  readonly account: number;
  readonly marketId: number;
  readonly side: Side;
  /**
   * `filled`; `cancelled` by its owner or the owner's timer, list or replacement; `expired` by its
   * own rules or the market's.
   */
  readonly status: OrderEndStatus;
  readonly reason: OrderEndReason;
  readonly priceTicks: Ticks;
  /** What was left unfilled; 0 where filled, and for orders by quote amount. */
  readonly remainingLots: Lots;
  /** What was still held, back to available. */
  readonly releasedAmount: Amount;
  /** True where the rest stood in the book until now. */
  readonly wasResting: boolean;
  /** What the book showed of it until now. */
  readonly visibleLots: Lots;
}

export type ExchangeEvent =
  | CommandRejected
  | RequestRepeated
  | CoinListed
  | MarketListed
  | MarketUpdated
  | MarketStatusChanged
  | AuctionUncrossed
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
  | PracticeFundsReclaimed
  | ParticipantFunded
  | SimulationStarted
  | OrderPlaced
  | Traded
  | OrderRested
  | IcebergRefilled
  | OrderWaiting
  | OrderActivated
  | OrderAmended
  | QuantityDecremented
  | OrderListPlaced
  | CancelTimerSet
  | CancelTimerFired
  | OrdersLeftOpen
  | WorkLimited
  | BalancesLimited
  | TimeAdvanced
  | OrderEnded;
