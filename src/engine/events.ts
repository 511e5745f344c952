/**
 * Every event of the engine. Events are the only source of read models, history, pages and what
 * programs receive. Every movement of money is in exactly one event, whose double-entry postings
 * `postingsOf` (postings.ts) derives.
 */
import type { Adjustment } from "./accounts/pending-adjustments.ts";
import type { Amount, Lots, Ticks } from "./amount.ts";
import type {
  AccountAmount,
  AccountKind,
  CoinDefinition,
  Decision,
  MarketDefinition,
  MarketStatus,
  OrderConditions,
  OrderListKind,
  OrderType,
  PlanDefinition,
  ScheduledStatus,
  SelfTradePrevention,
  Side,
  TimeInForce,
  Transfer,
} from "./commands.ts";
import type { RejectReason } from "./reject-reasons.ts";

interface InSequence {
  /** The sequence of the command that caused the event. */
  readonly sequence: number;
  /** The timestamp of that command, milliseconds since 1970 UTC. */
  readonly timestampMs: number;
}

export type MarketStatusCause = "admin" | "timer" | "breaker" | "schedule";
export type PlanLapseReason =
  | "insufficientAvailable"
  | "volumeNotReached"
  | "accountFrozen"
  | "planNotOffered";
export type FeeSource = "plan" | "volume" | "market";
export type OrderEndStatus = "filled" | "cancelled" | "expired";
/** Why an order ended; packed rows store indexes into this list. */
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
/** Includes reject reasons, for waiting orders that could not be placed once activated. */
export type OrderEndReason = (typeof ORDER_END_REASONS)[number] | RejectReason;

interface OrderReference {
  readonly orderId: number;
  readonly account: number;
  readonly marketId: number;
  readonly side: Side;
}

/** A change decided by an administrator or, without a decision, by the exchange itself. */
type Decided<Fields> = Fields & { readonly decision?: Decision };

/** The fields of each type of event, without sequence and timestamp. */
interface EventFields {
  commandRejected: { readonly reason: RejectReason };
  /** The idempotency key was seen before: nothing changed, and the first outcome stands. */
  requestRepeated: {
    readonly originalSequence: number;
    /** The order that the first request placed; 0 if none. */
    readonly orderId: number;
  };
  coinListed: Decided<{
    readonly assetId: number;
    readonly coin: CoinDefinition;
  }>;
  coinUpdated: Decided<{
    readonly assetId: number;
    /** The version of the coin's definition, from 1. */
    readonly version: number;
    readonly coin: CoinDefinition;
  }>;
  marketListed: Decided<{
    readonly marketId: number;
    readonly baseAssetId: number;
    readonly quoteAssetId: number;
    readonly market: MarketDefinition;
  }>;
  planDefined: Decided<{
    readonly planId: number;
    readonly plan: PlanDefinition;
  }>;
  marketUpdated: Decided<{
    readonly marketId: number;
    /** The version of the market's definition, from 1. */
    readonly version: number;
    readonly market: MarketDefinition;
  }>;
  /** With the cause "schedule", the first step of the market's schedule was executed. */
  marketStatusChanged: Decided<{
    readonly marketId: number;
    readonly status: MarketStatus;
    readonly cause: MarketStatusCause;
    /** When the status ends automatically; 0 if it does not. */
    readonly untilMs: number;
  }>;
  /** The market's new schedule, which replaces the previous one. */
  marketScheduled: {
    readonly marketId: number;
    readonly steps: readonly ScheduledStatus[];
    readonly decision: Decision;
  };
  /** An auction found its price; the trades that follow are at that price and marked as auction trades. */
  auctionUncrossed: {
    readonly marketId: number;
    readonly priceTicks: Ticks;
    readonly volumeLots: Lots;
    /** The imbalance at the price: unmatched demand if positive, supply if negative. */
    readonly surplusLots: number;
  };
  planUpdated: Decided<{
    readonly planId: number;
    /** The version of the plan's definition, from 1. */
    readonly version: number;
    readonly plan: PlanDefinition;
  }>;
  accountOpened: {
    readonly account: number;
    readonly userId: string;
    readonly kind: AccountKind;
  };
  planAssigned: Decided<{
    readonly account: number;
    readonly planId: number;
  }>;
  /** The owner chose a plan; if `effectiveAtMs` is later than the event, the account keeps its plan until then. */
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
    /** The amount charged, in units of the asset; 0 for an earned plan. */
    readonly amount: Amount;
    /** The unused remainder of an earlier period, credited. */
    readonly creditedAmount: Amount;
    /** Start of the period, possibly earlier than the event. */
    readonly beganAtMs: number;
    /** 0 if the period never ends. */
    readonly renewsAtMs: number;
  };
  /** The period ended and no other could begin: the account has the default plan again. */
  planLapsed: {
    readonly account: number;
    /** The default plan. */
    readonly planId: number;
    readonly lapsedPlanId: number;
    readonly reason: PlanLapseReason;
  };
  adjustmentProposed: Adjustment;
  /** The adjustment was approved and executed. */
  adjustmentApproved: Adjustment & { readonly approvedBy: string };
  adjustmentRejected: {
    readonly adjustmentId: number;
    readonly account: number;
    readonly rejectedBy: string;
  };
  /** A deposit or withdrawal was requested or changed; `status` is its new status. */
  transferChanged: Decided<Transfer>;
  /** The owner gave up all that was available of a funded coin, which is too little to withdraw. */
  dustForfeited: AccountAmount;
  accountFreezeChanged: {
    readonly account: number;
    readonly isFrozen: boolean;
    readonly byAdmin: string;
    readonly reason: string;
  };
  /** One event for each coin taken. */
  practiceFundsTaken: AccountAmount;
  /** One event for each asset that the account had available. */
  practiceFundsReclaimed: AccountAmount;
  participantFunded: AccountAmount;
  simulationStarted: { readonly seed: number };
  /**
   * Accepted; `heldAmount` of the spent asset (quote to buy, base to sell) moved to held. Later events
   * report whether the order waits, trades, rests or ends.
   */
  orderPlaced: OrderReference & {
    readonly orderType: OrderType;
    readonly timeInForce: TimeInForce;
    readonly postOnly: boolean;
    readonly priceTicks: Ticks;
    readonly quantityLots: Lots;
    readonly quoteAmount: Amount;
    readonly heldAmount: Amount;
    /** Fixed for the order's whole life. */
    readonly makerFeeBps: number;
    readonly takerFeeBps: number;
    readonly feeSource: FeeSource;
    readonly clientOrderId: string;
    /** Absent for a plain order. */
    readonly conditions?: OrderConditions;
    /** The order's list; absent if none. */
    readonly listId?: number;
  };
  /** One match, at the maker's price. Fees are in the asset that each party receives. */
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
    /** The part of a buying taker's hold for this quantity that exceeded its cost, released. */
    readonly takerReleased: Amount;
    /**
     * Present only in an auction, where both orders rested and pay their maker fee; the older one is
     * the maker.
     */
    readonly auction?: {
      /** The part of a buying maker's hold for this quantity that exceeded its cost, released. */
      readonly makerReleased: Amount;
      /** The maker's price in the book. */
      readonly makerTicks: Ticks;
      readonly takerTicks: Ticks;
    };
  };
  /** The remainder of the order now rests in the book. */
  orderRested: OrderReference & {
    readonly priceTicks: Ticks;
    readonly remainingLots: Lots;
    /** The quantity that the public book shows: all, unless the order is an iceberg. */
    readonly visibleLots: Lots;
  };
  /** An iceberg's visible quantity was filled: the next part joins the end of the queue at its price. */
  icebergRefilled: OrderReference & {
    readonly priceTicks: Ticks;
    readonly visibleLots: Lots;
    readonly remainingLots: Lots;
  };
  /** Placed, but not in the book yet: the order waits for its trigger or its working order. */
  orderWaiting: OrderReference & {
    readonly waitsFor: "trigger" | "workingOrder";
    /** The price that the last price must reach; for a trailing stop, its present one; 0 if not known yet. */
    readonly triggerTicks: Ticks;
  };
  /** The order no longer waits: it is sent to the market now, or a pending order now waits for its trigger. */
  orderActivated: OrderReference & {
    readonly cause: "trigger" | "workingOrder";
    readonly lastTicks: Ticks;
    /** The amount added to the hold now. */
    readonly heldAmount: Amount;
    /** The order's quantity; known by now even if it depended on what the working order received. */
    readonly quantityLots: Lots;
  };
  /** A resting order has new terms; the `previous…` fields describe it as it was in the book. */
  orderAmended: OrderReference & {
    readonly priceTicks: Ticks;
    readonly quantityLots: Lots;
    readonly remainingLots: Lots;
    readonly heldAmount: Amount;
    readonly releasedAmount: Amount;
    /** If false, the order has left the book; trades, and then its rest or end, follow. */
    readonly keptPriority: boolean;
    readonly previousPriceTicks: Ticks;
    readonly previousVisibleLots: Lots;
    /** The quantity that the book now shows; 0 if the order has left the book. */
    readonly visibleLots: Lots;
  };
  /**
   * Two orders of one account met and did not trade. What each lost for it follows as its decrement
   * or its end.
   */
  selfTradePrevented: {
    readonly account: number;
    readonly marketId: number;
    /**
     * Identifies the prevented match: the id of the order that it ended, the taker's if it ended
     * both. No order ends twice, so no other match has it.
     */
    readonly matchId: number;
    readonly takerSide: Side;
    readonly takerOrderId: number;
    readonly makerOrderId: number;
    /** The taker's mode, or the market's. */
    readonly mode: SelfTradePrevention;
    /** The maker's price. */
    readonly priceTicks: Ticks;
    /** What the taker lost; 0 if nothing, and of an order by quote amount that expired. */
    readonly takerLots: Lots;
    /** What the maker lost; 0 if nothing. */
    readonly makerLots: Lots;
  };
  /**
   * Self-trade prevention reduced the order by `decrementedLots` instead of letting it trade with
   * another order of the account, which has an event of its own.
   */
  quantityDecremented: OrderReference & {
    /** True for the resting order. */
    readonly wasResting: boolean;
    /** The price of a resting order, else 0. */
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
    /** In the order of the command, ascending. */
    readonly orderIds: readonly number[];
    /** Absent if the owner gave none. */
    readonly clientListId?: string;
  };
  cancelTimerSet: {
    readonly account: number;
    readonly marketId: number;
    /** Milliseconds since 1970 UTC; 0 if disarmed. */
    readonly firesAtMs: number;
  };
  /** The cancellations follow; if there are very many, earlier commands have made the first of them. */
  cancelTimerFired: {
    readonly account: number;
    readonly marketId: number;
  };
  /** `cancelAllOrders` reached the limit of work: some orders stay open. */
  ordersLeftOpen: {
    readonly account: number;
    /** As requested; 0 for all markets. */
    readonly marketId: number;
    /** Both sides if absent. */
    readonly side?: Side;
    /** The last order for the next such command to cancel, so that it cancels none placed later. */
    readonly upToOrderId: number;
  };
  /** A command now does no more than this beyond what it requests (work-limit.ts). */
  workLimited: {
    /** Orders that a command ends or activates. */
    readonly ordersMax: number;
    /** Levels that a fill-or-kill or market order visits. */
    readonly levelsMax: number;
    /** Present if the limit also applies to mass cancels and uncrossing auctions. */
    readonly marketsInParts?: boolean;
  };
  /**
   * An account may now own no more of a coin than this; all accounts together may own any amount
   * (balance-limit.ts).
   */
  balancesLimited: {
    /** Units of each coin, available and held together. */
    readonly unitsMax: Amount;
  };
  timeAdvanced: object;
  /** The order is no longer open, for whatever reason; every accepted order ends exactly once. */
  orderEnded: OrderReference & {
    /**
     * `filled`; `cancelled` by its owner or the owner's timer, list or replacement; `expired` by its
     * own rules or the market's.
     */
    readonly status: OrderEndStatus;
    readonly reason: OrderEndReason;
    readonly priceTicks: Ticks;
    /** The unfilled quantity; 0 if filled, and for orders by quote amount. */
    readonly remainingLots: Lots;
    /** The amount that was still held, released. */
    readonly releasedAmount: Amount;
    /** Whether the remainder was in the book until now. */
    readonly wasResting: boolean;
    /** The quantity that the book showed until now. */
    readonly visibleLots: Lots;
  };
}

export type ExchangeEvent = {
  [Type in keyof EventFields]: { readonly type: Type } & InSequence & EventFields[Type];
}[keyof EventFields];

/** The events of one or several types. */
export type EventOf<Type extends ExchangeEvent["type"]> = Extract<
  ExchangeEvent,
  { readonly type: Type }
>;
