/**
 * Every event of the engine. Events are the only source of what anyone sees: read models, history,
 * pages and programs are folds over them. Every movement of money is in exactly one event, whose
 * double-entry postings `postingsOf` (postings.ts) derives.
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
  Side,
  TimeInForce,
  Transfer,
} from "./commands.ts";
import type { RejectReason } from "./reject-reasons.ts";

interface InSequence {
  /** The sequence of the command that caused it. */
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
/** A reject reason if a waiting order could not be placed when its time came. */
export type OrderEndReason = (typeof ORDER_END_REASONS)[number] | RejectReason;

interface OrderReference {
  readonly orderId: number;
  readonly account: number;
  readonly marketId: number;
  readonly side: Side;
}

/** A change that an administrator may have decided; absent if the exchange itself made it. */
type Decided<Fields> = Fields & { readonly decision?: Decision };

/** The fields of each type of event, without its stamp. */
interface EventFields {
  commandRejected: { readonly reason: RejectReason };
  /** The idempotency key was seen before: nothing changed, the first outcome stands. */
  requestRepeated: {
    readonly originalSequence: number;
    /** The order that the first request placed, 0 if none. */
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
  /** With the cause "schedule", the first step of the market's schedule is done. */
  marketStatusChanged: Decided<{
    readonly marketId: number;
    readonly status: MarketStatus;
    readonly cause: MarketStatusCause;
    /** When it ends automatically; 0 if it does not. */
    readonly untilMs: number;
  }>;
  /** The states that the market enters later, instead of those before. */
  marketScheduled: {
    readonly marketId: number;
    readonly steps: readonly ScheduledStatus[];
    readonly decision: Decision;
  };
  /** An auction found its price; the trades that follow are at that price and marked. */
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
    /** What was left of an earlier period and credited. */
    readonly creditedAmount: Amount;
    /** Start of the period, possibly earlier than the event. */
    readonly beganAtMs: number;
    /** 0 if it never ends. */
    readonly renewsAtMs: number;
  };
  /** The period ended and no other could begin: the account is on the default plan again. */
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
  /** A deposit or withdrawal was requested or took a step; `status` is what it is now. */
  transferChanged: Decided<Transfer>;
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
   * Accepted; `heldAmount` of the spent asset (quote to buy, base to sell) moved to held. Later
   * events say whether it waits, trades, rests or ends.
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
    /** The list that it is part of; absent if none. */
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
    /** What a buying taker held for this quantity beyond its cost, released. */
    readonly takerReleased: Amount;
    /**
     * Only in an auction, where both orders rested and pay their maker fee; the older one is the
     * maker.
     */
    readonly auction?: {
      /** What a buying maker held for this quantity beyond its cost, released. */
      readonly makerReleased: Amount;
      /** The price of both orders in the book. */
      readonly makerTicks: Ticks;
      readonly takerTicks: Ticks;
    };
  };
  /** The rest of the order now waits in the book. */
  orderRested: OrderReference & {
    readonly priceTicks: Ticks;
    readonly remainingLots: Lots;
    /** What the public book shows of it: all, unless it is an iceberg. */
    readonly visibleLots: Lots;
  };
  /** An iceberg's visible part was used up: its next part joins the end of its price's queue. */
  icebergRefilled: OrderReference & {
    readonly priceTicks: Ticks;
    readonly visibleLots: Lots;
    readonly remainingLots: Lots;
  };
  /** Placed, but not in the book before its trigger or the order that it waits for. */
  orderWaiting: OrderReference & {
    readonly waitsFor: "trigger" | "workingOrder";
    /** What the last price must reach; for a trailing stop, for now; 0 if not known yet. */
    readonly triggerTicks: Ticks;
  };
  /** No longer waits: it goes to the market now, or waits for its trigger. */
  orderActivated: OrderReference & {
    readonly cause: "trigger" | "workingOrder";
    readonly lastTicks: Ticks;
    /** Added to the hold now. */
    readonly heldAmount: Amount;
    /** Now known also if it depended on what the working order received. */
    readonly quantityLots: Lots;
  };
  /** A resting order has new terms; `previous…` is how it stood in the book until now. */
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
    /** What the book shows of it now; 0 if it has left the book. */
    readonly visibleLots: Lots;
  };
  /** Two orders of one account met, and each lost this much instead of trading it. */
  quantityDecremented: OrderReference & {
    /** True for the resting order. */
    readonly wasResting: boolean;
    /** Its price for a resting order, else 0. */
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
    /** In the order of the command, each one more than the one before. */
    readonly orderIds: readonly number[];
    /** Absent if its owner gave none. */
    readonly clientListId?: string;
  };
  cancelTimerSet: {
    readonly account: number;
    readonly marketId: number;
    /** Milliseconds since 1970 UTC; 0 if disarmed. */
    readonly firesAtMs: number;
  };
  /** The cancels follow; if there are very many, earlier commands have made the first of them. */
  cancelTimerFired: {
    readonly account: number;
    readonly marketId: number;
  };
  /** `cancelAllOrders` has reached the limit of one command: some orders stay open. */
  ordersLeftOpen: {
    readonly account: number;
    /** As requested: 0 for all markets. */
    readonly marketId: number;
    /** Both sides if absent. */
    readonly side?: Side;
    /** The last order for the next such command to cancel: none placed later. */
    readonly upToOrderId: number;
  };
  /** From now on one command does no more than this beyond what it requests (work-limit.ts). */
  workLimited: {
    /** Orders that it ends or activates. */
    readonly ordersMax: number;
    /** Levels that a fill-or-kill or market order looks at. */
    readonly levelsMax: number;
    /** Present if it also applies to whole markets and accounts. */
    readonly marketsInParts?: boolean;
  };
  /**
   * From now on one account owns no more of a coin; together accounts own any amount
   * (balance-limit.ts).
   */
  balancesLimited: {
    /** Units of each coin, available and held together. */
    readonly unitsMax: Amount;
  };
  timeAdvanced: object;
  /** No longer open, for whatever reason; every accepted order ends exactly once. */
  orderEnded: OrderReference & {
    /**
     * `filled`; `cancelled` by its owner or the owner's timer, list or replacement; `expired` by its
     * own rules or the market's.
     */
    readonly status: OrderEndStatus;
    readonly reason: OrderEndReason;
    readonly priceTicks: Ticks;
    /** What was left unfilled; 0 if filled, and for orders by quote amount. */
    readonly remainingLots: Lots;
    /** What was still held, released. */
    readonly releasedAmount: Amount;
    /** True if the rest was in the book until now. */
    readonly wasResting: boolean;
    /** What the book showed of it until now. */
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
