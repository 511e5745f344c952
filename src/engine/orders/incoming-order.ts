/**
 * The order that goes to the market just now: a new one, a triggered one or an amended one. There is
 * one record of it for the whole engine, filled anew for each, so that an order allocates nothing.
 */
import { AMOUNT_MAX } from "../amount.ts";
import type { OrderConditions, OrderTerms, SelfTradePrevention, TimeInForce } from "../commands.ts";
import type { OrderBook } from "../book/order-book.ts";
import type { OrderDetails, TriggerKind, WaitsFor } from "./order-details.ts";
import { NO_ORDER, hasClientId, isPostOnly, makerFeeOf, takerFeeOf } from "../book/order-table.ts";
import { BID } from "../book/price-ladder.ts";

/** Nothing but a filled quantity or the end of what fits has stopped it so far. */
export const NOT_STOPPED = -1;

export class IncomingOrder {
  orderId = 0;
  /** Its row, where it was open before; else it gets one when it comes to rest. */
  slot = NO_ORDER;
  book!: OrderBook;
  account = 0;
  side = BID;
  /** As asked: 0 for a market order. */
  priceTicks = 0;
  /** The worst price that it takes: Infinity or 0 for a market order. */
  limitTicks = 0;
  timeInForce: TimeInForce = "gtc";
  postOnly = false;
  /** True where `quoteAmount` says how much. */
  isByQuote = false;
  /** True where what it holds is its limit price times what it has left. */
  holdsAtLimit = false;
  totalLots = 0;
  quoteAmount = 0;
  makerFeeBps = 0;
  takerFeeBps = 0;
  /** Where the fees come from: see feeSourceOf (fee-tiers.ts). */
  feeSource = 0;
  hasClientId = false;
  spentAssetId = 0;
  /** True where it has no conditions, no list and nothing to wait for: as nearly all orders. */
  isPlain = true;
  selfTradePrevention: SelfTradePrevention = "expireTaker";
  /** The same where the order itself names it, else "". */
  namedSelfTradePrevention: SelfTradePrevention | "" = "";
  /** 0 where it is no iceberg. */
  displayLots = 0;
  /** 0 where it has no end. */
  expiresAtMs = 0;
  /** 0 where it is of no list. */
  listId = 0;
  /** What it holds when it waits or goes to the market. */
  heldAmount = 0;
  /** What it needs to go to the market; more than it holds only in a pair that shares a hold. */
  neededAmount = 0;
  /** The largest notional that it may have. */
  notionalMax = AMOUNT_MAX;
  // Where it waits first.
  waitsFor: WaitsFor = "nothing";
  trigger: TriggerKind = "none";
  triggerTicks = 0;
  trailBps = 0;

  // What matching has left of it.
  remainingLots = 0;
  remainingQuote = 0;
  remainingHeld = 0;
  /** A trade would have been too far away: the breaker halted the market. */
  metBreaker = false;
  /** What it has traded, where that counts towards volumes; its account gets it all at once. */
  volume = 0;
  /** Why matching ended before it was done: a code of BECAUSE, or NOT_STOPPED. */
  stoppedBecause = NOT_STOPPED;

  /** What a command asks for; fees, limit and hold are set by who places it. */
  takeTerms(terms: OrderTerms, account: number, book: OrderBook, side: number): void {
    this.slot = NO_ORDER;
    this.book = book;
    this.account = account;
    this.side = side;
    this.priceTicks = terms.priceTicks;
    this.timeInForce = terms.timeInForce;
    this.postOnly = terms.postOnly;
    this.isByQuote = terms.quoteAmount !== 0;
    this.holdsAtLimit = terms.orderType === "limit";
    this.totalLots = terms.quantityLots;
    this.quoteAmount = terms.quoteAmount;
    this.hasClientId = terms.clientOrderId !== "";
    this.remainingLots = terms.quantityLots;
    this.spentAssetId = side === BID ? book.quoteAssetId : book.baseAssetId;
    this.selfTradePrevention = book.selfTradePrevention;
    // One plain order after another leaves nothing to reset.
    if (terms.conditions !== undefined || !this.isPlain) this.#takeConditions(terms.conditions);
  }

  #takeConditions(conditions: OrderConditions | undefined): void {
    this.isPlain = conditions === undefined;
    this.listId = 0;
    this.waitsFor = "nothing";
    this.trigger = "none";
    this.triggerTicks = 0;
    this.trailBps = 0;
    this.namedSelfTradePrevention = conditions?.selfTradePrevention ?? "";
    this.displayLots = conditions?.displayLots ?? 0;
    this.expiresAtMs = conditions?.expiresAtMs ?? 0;
    this.selfTradePrevention = this.namedSelfTradePrevention || this.selfTradePrevention;
  }

  /** Places it among the orders of a list. */
  join(listId: number): void {
    this.isPlain = false;
    this.listId = listId;
  }

  /** An order that is open already: what its row and its details say; its terms are the caller's. */
  takeOpen(
    slot: number,
    orderId: number,
    account: number,
    book: OrderBook,
    side: number,
    fees: number,
    details: OrderDetails | undefined,
  ): void {
    this.slot = slot;
    this.orderId = orderId;
    this.account = account;
    this.book = book;
    this.side = side;
    this.makerFeeBps = makerFeeOf(fees);
    this.takerFeeBps = takerFeeOf(fees);
    this.hasClientId = hasClientId(fees);
    this.postOnly = isPostOnly(fees);
    this.spentAssetId = side === BID ? book.quoteAssetId : book.baseAssetId;
    this.selfTradePrevention = book.selfTradePrevention;
    if (details === undefined) {
      this.#takeConditions(undefined);
      return;
    }
    this.isPlain = false;
    this.namedSelfTradePrevention = details.selfTradePrevention;
    this.selfTradePrevention = this.namedSelfTradePrevention || book.selfTradePrevention;
    this.displayLots = details.displayLots;
    this.expiresAtMs = details.expiresAtMs;
    this.listId = details.listId;
  }

  get mayRest(): boolean {
    return this.timeInForce === "gtc" || this.timeInForce === "gtd";
  }

  /** Whether its row, once it has one, needs details beside it. */
  get needsDetails(): boolean {
    return (
      !this.isPlain &&
      (this.displayLots !== 0 ||
        this.expiresAtMs !== 0 ||
        this.listId !== 0 ||
        this.waitsFor !== "nothing" ||
        this.namedSelfTradePrevention !== "")
    );
  }
}
