/**
 * An order being processed: new, triggered or amended, with the results of validation and the
 * remainder after matching. Placements are allocated once and refilled for each order, so that an
 * order allocates nothing.
 *
 * Invariant: the request stays one object, `terms`; the other fields only hold what follows from
 * it.
 */
import type { PackedFees } from "../accounts/packed-fees.ts";
import { AMOUNT_MAX } from "../amount.ts";
import type { OrderBook } from "../book/order-book.ts";
import { NO_ORDER } from "../book/order-table.ts";
import { ASK, BID } from "../book/price-ladder.ts";
import type { OrderTerms, SelfTradePrevention } from "../commands.ts";
import { affordableLots, lotsIn } from "../money-formulas.ts";
import { decideAnything } from "../order-terms.ts";
import type { WaitsFor } from "./order-details.ts";

/**
 * The stop reason of an order that so far stops only when it is filled or nothing more fits its
 * limit.
 */
export const NOT_STOPPED = -1;

export class Placement {
  /** The terms of the order; for an order that was open before, those from now on. */
  terms!: OrderTerms;
  book!: OrderBook;
  account = 0;
  side = BID;
  spentAssetId = 0;
  orderId = 0;
  /** The row of an order that was open before; a new order gets one when it rests. */
  slot = NO_ORDER;
  /** The order's list, 0 if none. */
  listId = 0;
  /** Both rates and their source. */
  fees = 0 as PackedFees;
  waitsFor: WaitsFor = "nothing";
  /** The trigger price; 0 if the order has no trigger. */
  triggerTicks = 0;
  /**
   * The worst price at which the order may trade; for a market order the band's edge (Infinity or 0
   * without a band), or a nearer price for which its hold was computed.
   */
  limitTicks = 0;
  /** Whether `quoteAmount` states the size. */
  isByQuote = false;
  /** Whether the hold is always the limit price times the remaining quantity. */
  holdsAtLimit = false;
  /**
   * Whether it holds less than that, because the protection of its market was widened while it waited.
   * It then trades the quantity that its hold covers.
   */
  holdsLess = false;
  /** The order's quantity, less the part that self-trade prevention removed. */
  totalLots = 0;
  /** The amount that the order holds while it waits or once it goes to the market. */
  heldAmount = 0;
  /**
   * The amount that the order needs to go to the market; more than it holds only in a pair that
   * shares a hold.
   */
  neededAmount = 0;

  // The remainder after matching.
  remainingLots = 0;
  remainingQuote = 0;
  remainingHeld = 0;
  /** Whether the next trade was too far away, so that the breaker halted the market. */
  metBreaker = false;
  /** Whether nothing has happened to the order since its placement was emitted. */
  isAsPlaced = false;
  // The cost and the proceeds of the order's trades; its account is settled once for all of them.
  tradedLots = 0;
  tradedNotional = 0;
  makerFees = 0;
  takerFees = 0;
  /** Why matching stopped before the order was done: a code of END_REASON, or NOT_STOPPED. */
  stopReason = NOT_STOPPED;

  /**
   * Refills the placement with the terms of another order; validation sets fees, limit and hold.
   */
  fill(terms: OrderTerms, account: number, book: OrderBook): void {
    const { quantityLots } = terms;
    const side = terms.side === "buy" ? BID : ASK;
    this.terms = terms;
    this.account = account;
    this.book = book;
    this.side = side;
    this.spentAssetId = side === BID ? book.quoteAssetId : book.baseAssetId;
    this.slot = NO_ORDER;
    this.listId = 0;
    this.waitsFor = "nothing";
    this.isAsPlaced = false;
    this.triggerTicks = 0;
    this.isByQuote = terms.quoteAmount !== 0;
    this.holdsAtLimit = terms.orderType === "limit";
    this.holdsLess = false;
    this.totalLots = quantityLots;
    this.remainingLots = quantityLots;
  }

  /** Refers to an order that is already open, with the fees that it was placed with. */
  continueAs(open: { slot: number; orderId: number; listId: number; fees: PackedFees }): void {
    this.slot = open.slot;
    this.orderId = open.orderId;
    this.listId = open.listId;
    this.fees = open.fees;
  }

  /** Resets the results of matching: nothing has traded yet. */
  beginMatching(): void {
    if (this.isByQuote) this.remainingLots = AMOUNT_MAX;
    this.remainingQuote = this.terms.quoteAmount;
    this.remainingHeld = this.heldAmount;
    this.stopReason = NOT_STOPPED;
    this.metBreaker = false;
    this.tradedLots = 0;
    this.tradedNotional = 0;
    this.makerFees = 0;
    this.takerFees = 0;
  }

  /**
   * The number of lots at a price that the remaining hold can pay for. A market order holds the cost of
   * the book as of its arrival; if resting orders end instead of trading, the next ones may cost more.
   */
  coveredLots(priceTicks: number): number {
    const { book, holdsAtLimit, holdsLess, limitTicks, remainingHeld, side } = this;
    if (holdsLess) return affordableLots(book, limitTicks, remainingHeld);
    if (holdsAtLimit) return Infinity;
    return side === BID
      ? affordableLots(book, priceTicks, remainingHeld)
      : lotsIn(book, remainingHeld);
  }

  get mayRest(): boolean {
    const { timeInForce } = this.terms;
    return timeInForce === "gtc" || timeInForce === "gtd";
  }

  get selfTradePrevention(): SelfTradePrevention {
    return this.terms.conditions?.selfTradePrevention ?? this.book.selfTradePrevention;
  }

  /** The size of an iceberg's visible part; 0 for any other order. */
  get displayLots(): number {
    return this.terms.conditions?.displayLots ?? 0;
  }

  /** Whether the order's row, once there is one, needs details. */
  get needsDetails(): boolean {
    const { conditions } = this.terms;
    if (this.listId !== 0 || this.waitsFor !== "nothing") return true;
    return conditions !== undefined && decideAnything(conditions);
  }
}

/** Placements for an order and for a second one placed with it in a list. */
export interface Placements {
  readonly first: Placement;
  readonly second: Placement;
}
