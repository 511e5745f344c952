/** The events of orders: their placement, trades, changes and ends. See events.ts. */
import type { Amount, Lots, Ticks } from "./amount.ts";
import type {
  OrderConditions,
  OrderListKind,
  OrderTrigger,
  OrderType,
  SelfTradePrevention,
  Side,
  TimeInForce,
} from "./commands.ts";
import type { RejectReason } from "./reject-reasons.ts";

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

/** The fields of each type of event of an order, without sequence and timestamp. */
export interface OrderEventFields {
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
    /** The cost for the buyer, in quote units. */
    readonly notional: Amount;
    /** The quantity that the seller gave, in base units. */
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
    /** The order's quantity; known by now even if it depended on the proceeds of the working order. */
    readonly quantityLots: Lots;
  };
  /** A resting order has new terms; the `previous…` fields describe its former state in the book. */
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
   * An order that waits, and is in no book, has new terms or a new hold: it was amended, or the other
   * order of its list was.
   */
  waitingOrderAmended: OrderReference & {
    /** The limit price; 0 for a market order. */
    readonly priceTicks: Ticks;
    /** 0 if the size is given by a total or by the proceeds of the working order. */
    readonly quantityLots: Lots;
    readonly quoteAmount: Amount;
    /** As in `orderWaiting`. */
    readonly triggerTicks: Ticks;
    /** Absent if the order has none. */
    readonly trigger?: OrderTrigger;
    readonly heldAmount: Amount;
    readonly releasedAmount: Amount;
  };
  /**
   * Two orders of one account met and did not trade. The effect on each follows as its decrement or its
   * end.
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
    /** The taker's decrement; 0 if none, and for an order by quote amount that expired. */
    readonly takerLots: Lots;
    /** The maker's decrement; 0 if none. */
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
  /** The order is no longer open, for whatever reason; every accepted order ends exactly once. */
  orderEnded: OrderReference & {
    /**
     * `filled`; `cancelled` by its owner or the owner's timer, list or replacement; `expired` by its
     * own rules or the market's.
     */
    readonly status: OrderEndStatus;
    readonly reason: OrderEndReason;
    /**
     * Present with the reason `listEnded` if another order of the list has traded, been triggered or
     * expired; absent if it was cancelled.
     */
    readonly isListExpired?: true;
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
