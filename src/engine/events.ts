/**
 * Every event of the engine; those of orders are in order-events.ts. Events are the only source of
 * read models, history, pages and the streams of programs. Every movement of money is in exactly one
 * event, whose double-entry postings `postingsOf` (postings.ts) derives.
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
  PlanDefinition,
  ScheduledStatus,
  Side,
  Transfer,
} from "./commands.ts";
import type { OrderEventFields } from "./order-events.ts";
import type { RejectReason } from "./reject-reasons.ts";

export * from "./order-events.ts";

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

/** A change decided by an administrator or, without a decision, by the exchange itself. */
type Decided<Fields> = Fields & { readonly decision?: Decision };

/** The fields of each type of event, without sequence and timestamp. */
interface EventFields extends OrderEventFields {
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
  /**
   * From now on a command ends or activates no more orders than this beyond those that it names
   * (work-limit.ts).
   */
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
  /** Orders are matched by these rules from now on (adopted-rules.ts). */
  rulesAdopted: {
    /** Whether an order stops at the first price at which it cannot pay for a lot. */
    readonly spentOrdersStop: boolean;
    /** Whether pending orders have their places from when they are placed; absent as in the command. */
    readonly pendingTakePlaces?: boolean;
  };
  timeAdvanced: object;
}

export type ExchangeEvent = {
  [Type in keyof EventFields]: { readonly type: Type } & InSequence & EventFields[Type];
}[keyof EventFields];

/** The events of one or several types. */
export type EventOf<Type extends ExchangeEvent["type"]> = Extract<
  ExchangeEvent,
  { readonly type: Type }
>;
