/**
 * Everything that can have happened. Events are the only source of what anybody is shown: read
 * models, history, pages and programs are folds over them. Every movement of money is in exactly
 * one event, whose double-entry postings `postingsOf` (postings.ts) derives.
 */
import type { Adjustment } from "./accounts/pending-adjustments.ts";
import type { Amount, Lots, Ticks } from "./amount.ts";
import type {
  AccountAmount,
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

export type MarketStatusCause = "admin" | "timer" | "breaker";
export type PlanLapseReason =
  | "insufficientAvailable"
  | "volumeNotReached"
  | "accountFrozen"
  | "planNotOffered";
/** Where the fees of an order come from. */
export type FeeSource = "plan" | "volume" | "market";
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

interface OrderReference {
  readonly orderId: number;
  readonly account: number;
  readonly marketId: number;
  readonly side: Side;
}

/** What each type of event says beside its stamp. */
interface EventFields {
  commandRejected: { readonly reason: RejectReason };
  /** The idempotency key was seen before: nothing changed, the first request's outcome stands. */
  requestRepeated: {
    readonly originalSequence: number;
    /** The order that the first request placed, 0 where it placed none. */
    readonly orderId: number;
  };
  coinListed: {
    readonly assetId: number;
    readonly coin: CoinDefinition;
  };
  marketListed: {
    readonly marketId: number;
    readonly baseAssetId: number;
    readonly quoteAssetId: number;
    readonly market: MarketDefinition;
  };
  planDefined: {
    readonly planId: number;
    readonly plan: PlanDefinition;
  };
  marketUpdated: {
    readonly marketId: number;
    /** Counts the definitions of the market, from 1. */
    readonly version: number;
    readonly market: MarketDefinition;
  };
  marketStatusChanged: {
    readonly marketId: number;
    readonly status: MarketStatus;
    readonly cause: MarketStatusCause;
    /** When it ends by itself; 0 where it does not. */
    readonly untilMs: number;
  };
  /** An auction found its price; the trades that follow are at that price and marked. */
  auctionUncrossed: {
    readonly marketId: number;
    readonly priceTicks: Ticks;
    readonly volumeLots: Lots;
    /** What is left at the price: wanted where positive, offered where negative. */
    readonly surplusLots: number;
  };
  planUpdated: {
    readonly planId: number;
    /** Counts the definitions of the plan, from 1. */
    readonly version: number;
    readonly plan: PlanDefinition;
  };
  accountOpened: {
    readonly account: number;
    readonly userId: string;
    readonly kind: AccountKind;
  };
  planAssigned: {
    readonly account: number;
    readonly planId: number;
  };
  /** By the owner; where `effectiveAtMs` is later than the event, the account stays on its plan until then. */
  planChosen: {
    readonly account: number;
    readonly planId: number;
    readonly effectiveAtMs: number;
  };
  /** The account may use its paid or earned plan until `renewsAtMs`. */
  planPeriodBegan: {
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
  };
  /** The period ended and another could not begin: the account is on the default plan again. */
  planLapsed: {
    readonly account: number;
    /** The default plan. */
    readonly planId: number;
    readonly lapsedPlanId: number;
    readonly reason: PlanLapseReason;
  };
  adjustmentProposed: Adjustment;
  /** The adjustment was made. */
  adjustmentApproved: Adjustment & { readonly approvedBy: string };
  adjustmentRejected: {
    readonly adjustmentId: number;
    readonly account: number;
    readonly rejectedBy: string;
  };
  accountFreezeChanged: {
    readonly account: number;
    readonly isFrozen: boolean;
    readonly byAdmin: string;
    readonly reason: string;
  };
  /** One for each coin that was taken. */
  practiceFundsTaken: AccountAmount;
  /** One for each asset that the account had available. */
  practiceFundsReclaimed: AccountAmount;
  participantFunded: AccountAmount;
  simulationStarted: { readonly seed: number };
  /**
   * Accepted; `heldAmount` of the spent asset (quote to buy, base to sell) moved to held.
   * What follows says whether it waits, trades, rests or ends.
   */
  orderPlaced: OrderReference & {
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
  };
  /** One match, at the maker's price. Fees are in what each party receives. */
  traded: {
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
    /** In an auction only, where both orders rested and pay their maker fee; the older one is the maker. */
    readonly auction?: {
      /** What a buying maker held for this quantity above what it cost, back to available. */
      readonly makerReleased: Amount;
      /** Where the orders stood in the book. */
      readonly makerTicks: Ticks;
      readonly takerTicks: Ticks;
    };
  };
  /** The rest of the order now waits in the book. */
  orderRested: OrderReference & {
    readonly priceTicks: Ticks;
    readonly remainingLots: Lots;
    /** What the public book shows of it: all, except of an iceberg. */
    readonly visibleLots: Lots;
  };
  /** An iceberg's shown part was used up: its next part stands at the end of its price's queue. */
  icebergRefilled: OrderReference & {
    readonly priceTicks: Ticks;
    readonly visibleLots: Lots;
    readonly remainingLots: Lots;
  };
  /** Placed, but not in the book before its trigger or the order that it waits for. */
  orderWaiting: OrderReference & {
    readonly waitsFor: "trigger" | "workingOrder";
    /** What the last price must reach, of a trailing stop for now; 0 where nothing is known yet. */
    readonly triggerTicks: Ticks;
  };
  /** Waits no longer: it goes to the market now, or to its trigger. */
  orderActivated: OrderReference & {
    readonly cause: "trigger" | "workingOrder";
    readonly lastTicks: Ticks;
    /** Moved to held now, beside what it held before. */
    readonly heldAmount: Amount;
    /** Now known also where it was to be what the working order received. */
    readonly quantityLots: Lots;
  };
  /** A resting order has other terms; `previous…` is how it stood in the book until now. */
  orderAmended: OrderReference & {
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
  };
  /** Two orders of one account met, and each lost this much instead of trading it. */
  quantityDecremented: OrderReference & {
    /** True for the one that rested in the book. */
    readonly wasResting: boolean;
    /** Of a resting order its price, else 0. */
    readonly priceTicks: Ticks;
    readonly decrementedLots: Lots;
    readonly remainingLots: Lots;
    readonly releasedAmount: Amount;
    readonly previousVisibleLots: Lots;
    readonly visibleLots: Lots;
  };
  orderListPlaced: {
    readonly listId: number;
    readonly account: number;
    readonly marketId: number;
    readonly kind: OrderListKind;
    readonly orderIds: readonly number[];
  };
  cancelTimerSet: {
    readonly account: number;
    readonly marketId: number;
    /** Milliseconds since 1970 UTC; 0 where it was disarmed. */
    readonly firesAtMs: number;
  };
  /** The cancels follow; the first of very many have been made by commands before. */
  cancelTimerFired: {
    readonly account: number;
    readonly marketId: number;
  };
  /** `cancelAllOrders` has cancelled as many as one command may: there are more. */
  ordersLeftOpen: {
    readonly account: number;
    /** As it was asked: 0 for all markets. */
    readonly marketId: number;
    /** Both where absent. */
    readonly side?: Side;
    /** To be cancelled by the next such command: none that was placed later. */
    readonly upToOrderId: number;
  };
  /** From now on one command does no more than this beside what it asks for (work-limit.ts). */
  workLimited: {
    /** Orders that it ends or activates. */
    readonly ordersMax: number;
    /** Levels that a fill-or-kill or market order looks at. */
    readonly levelsMax: number;
    /** Present if it is true, of whole markets and accounts, too. */
    readonly marketsInParts?: boolean;
  };
  /** From now on one account owns no more of a coin, and all together any amount (balance-limit.ts). */
  balancesLimited: {
    /** Units of each coin, available and held together. */
    readonly unitsMax: Amount;
  };
  timeAdvanced: object;
  /** No longer open, for whatever cause; every accepted order ends exactly once. */
  orderEnded: OrderReference & {
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
  };
}

/** The event of a type. */
type EventOf<Type extends keyof EventFields> = { readonly type: Type } & InSequence &
  EventFields[Type];
export type ExchangeEvent = { [Type in keyof EventFields]: EventOf<Type> }[keyof EventFields];

export type AccountOpened = EventOf<"accountOpened">;
export type AdjustmentApproved = EventOf<"adjustmentApproved">;
export type AdjustmentProposed = EventOf<"adjustmentProposed">;
export type AdjustmentRejected = EventOf<"adjustmentRejected">;
export type IcebergRefilled = EventOf<"icebergRefilled">;
export type MarketListed = EventOf<"marketListed">;
export type MarketStatusChanged = EventOf<"marketStatusChanged">;
export type OrderActivated = EventOf<"orderActivated">;
export type OrderAmended = EventOf<"orderAmended">;
export type OrderEnded = EventOf<"orderEnded">;
export type OrderPlaced = EventOf<"orderPlaced">;
export type OrderRested = EventOf<"orderRested">;
export type OrderWaiting = EventOf<"orderWaiting">;
export type PlanAssigned = EventOf<"planAssigned">;
export type PlanChosen = EventOf<"planChosen">;
export type PlanLapsed = EventOf<"planLapsed">;
export type PlanPeriodBegan = EventOf<"planPeriodBegan">;
export type PracticeFundsTaken = EventOf<"practiceFundsTaken">;
export type QuantityDecremented = EventOf<"quantityDecremented">;
export type SimulationStarted = EventOf<"simulationStarted">;
export type Traded = EventOf<"traded">;
