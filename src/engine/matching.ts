/**
 * The life of an order from its command to its rest or end: refuse → hold → match → settle → rest.
 *
 * Price first, then time: an incoming order trades against the best price, oldest order first, at
 * the maker's price. It never trades with its own account: there its remainder expires. Fees are
 * fixed when an order is placed and taken from what each party receives.
 *
 * Invariants: every check precedes every change; a resting order holds exactly what its remainder
 * can cost; each accepted order ends exactly once.
 */
import { AMOUNT_MAX, divideRoundingDown, feeOn, type Amount } from "./amount.ts";
import { assert } from "./assert.ts";
import { isSameRequest } from "./client-order-ids.ts";
import type { PlaceOrder } from "./commands.ts";
import { END_CANCELLED, END_EXPIRED, END_FILLED, packOrderFlags } from "./event-buffer.ts";
import type { EventBuffer } from "./event-buffer.ts";
import {
  LEVEL_FIRST_ORDER,
  LEVEL_FLOATS,
  LEVEL_INTS,
  LEVEL_PRICE_TICKS,
  NO_LEVEL,
} from "./level-table.ts";
import { isWellFormed, refuseTerms } from "./order-checks.ts";
import type { OrderBook } from "./order-book.ts";
import {
  ORDER_ACCOUNT,
  ORDER_FEE_AND_CLIENT,
  ORDER_FLOATS,
  ORDER_ID,
  ORDER_INTS,
  ORDER_MARKET_AND_SIDE,
  ORDER_PRICE_TICKS,
  ORDER_REMAINING_LOTS,
} from "./order-table.ts";
import { ASK, BID } from "./price-ladder.ts";
import type { RejectReason } from "./reject-reasons.ts";
import type { EngineState } from "./state.ts";

/** How a command went: accepted, a repeat of an accepted one, or refused with a reason. */
export type Outcome = "accepted" | "repeated" | RejectReason;

export class Matching {
  /** The order that the last accepted placement got. */
  orderId = 0;

  readonly #state: EngineState;
  // The order being placed; meaningful from `refuse` to the end of `place`.
  #book!: OrderBook;
  #side = BID;
  #account = 0;
  #isMarket = false;
  #isByQuote = false;
  #limitTicks = 0;
  #quantityLots = 0;
  #quoteAmount = 0;
  #heldAmount = 0;
  #makerFeeBps = 0;
  #takerFeeBps = 0;
  // What matching has left of it.
  #remainingLots = 0;
  #remainingQuote = 0;
  #remainingHeld = 0;
  #metItself = false;

  constructor(state: EngineState) {
    this.#state = state;
  }

  place(command: PlaceOrder, sequence: number, nowMs: number, events: EventBuffer): Outcome {
    if (!isWellFormed(command)) return "invalidCommand";
    if (!this.#state.accounts.exists(command.account)) return "unknownAccount";
    if (command.clientOrderId !== "") {
      const placed = this.#state.clientOrderIds.find(command.account, command.clientOrderId, nowMs);
      if (placed !== undefined) {
        if (!isSameRequest(placed, command)) return "duplicateClientOrderId";
        events.requestRepeated(placed.sequence, placed.orderId);
        return "repeated";
      }
    }
    const refusal = this.#refuse(command);
    if (refusal !== null) return refusal;

    this.#accept(command, events);
    this.#match(events);
    const rests = this.#restOrEnd(command, events);
    if (command.clientOrderId !== "") {
      this.#state.clientOrderIds.remember(command, this.orderId, sequence, nowMs, rests);
    }
    return "accepted";
  }

  /** Takes an open order out of the book and gives its hold back. */
  cancel(slot: number, events: EventBuffer): void {
    const { orders, ledger } = this.#state;
    const { floats, ints } = orders;
    const orderId = floats[slot * ORDER_FLOATS + ORDER_ID];
    const priceTicks = floats[slot * ORDER_FLOATS + ORDER_PRICE_TICKS];
    const remainingLots = floats[slot * ORDER_FLOATS + ORDER_REMAINING_LOTS];
    const account = ints[slot * ORDER_INTS + ORDER_ACCOUNT];
    const marketAndSide = ints[slot * ORDER_INTS + ORDER_MARKET_AND_SIDE];
    const side = marketAndSide & 1;
    const book = this.#state.books[marketAndSide >> 1] as OrderBook;
    const released =
      side === BID ? priceTicks * remainingLots * book.tickLotUnits : remainingLots * book.lotUnits;
    ledger.release(account, side === BID ? book.quoteAssetId : book.baseAssetId, released);
    this.#removeOrder(book, side, slot, account, orderId);
    events.orderEnded(
      orderId,
      account,
      book.marketId,
      side === ASK,
      END_CANCELLED,
      priceTicks,
      remainingLots,
      released,
      true,
    );
  }

  /** Why the order cannot be placed, null where it can; what it learns is kept for placing it. */
  #refuse(command: PlaceOrder): RejectReason | null {
    const { accounts, books, catalogue, ledger, orders } = this.#state;
    if (!catalogue.markets.has(command.marketId)) return "unknownMarket";
    const book = books[command.marketId] as OrderBook;
    if (!book.isTrading) return "marketNotTrading";
    const badTerms = refuseTerms(command, book);
    if (badTerms !== null) return badTerms;

    const { account } = command;
    const plan = catalogue.plans.get(accounts.planOf(account));
    const isMarket = command.orderType === "market";
    if (!isMarket && command.timeInForce === "gtc") {
      if (accounts.openOrderCount(account) >= plan.openOrdersMax) return "tooManyOpenOrders";
      if (orders.isFull) return "limitReached";
    }

    this.#book = book;
    this.#account = account;
    this.#side = command.side === "buy" ? BID : ASK;
    this.#isMarket = isMarket;
    this.#isByQuote = isMarket && command.quantityLots === 0;
    this.#quantityLots = command.quantityLots;
    this.#quoteAmount = command.quoteAmount;
    this.#makerFeeBps = plan.makerFeeBps;
    this.#takerFeeBps = plan.takerFeeBps;
    const refusal = isMarket ? this.#refuseAtMarket(command) : this.#refuseAtLimit(command);
    if (refusal !== null) return refusal;

    const available = ledger.available(account, this.#spentAssetId());
    return this.#heldAmount > available ? "insufficientAvailable" : null;
  }

  #refuseAtLimit(command: PlaceOrder): RejectReason | null {
    const book = this.#book;
    const side = this.#side;
    const { priceTicks, quantityLots } = command;
    if (command.postOnly && book.crosses(side, priceTicks)) return "wouldCross";
    if (
      command.timeInForce === "fok" &&
      !book.canFill(side, priceTicks, quantityLots, this.#account)
    ) {
      return "wouldNotFill";
    }
    this.#limitTicks = priceTicks;
    this.#heldAmount =
      side === BID ? priceTicks * quantityLots * book.tickLotUnits : quantityLots * book.lotUnits;
    return null;
  }

  #refuseAtMarket(command: PlaceOrder): RejectReason | null {
    const book = this.#book;
    const side = this.#side;
    const { quantityLots, quoteAmount } = command;
    if (book.ladder.best(side === BID ? ASK : BID) === NO_LEVEL) return "noLiquidity";
    const lotCost = book.bestTicks(side === BID ? ASK : BID) * book.tickLotUnits;
    if (this.#isByQuote) {
      if (lotCost > quoteAmount) return "notionalTooSmall";
    } else if (lotCost * quantityLots < book.notionalMin) {
      return "notionalTooSmall";
    }
    this.#limitTicks = side === BID ? Infinity : 0;
    if (side === ASK) {
      const lots = this.#isByQuote ? book.lotsToReceive(quoteAmount) : quantityLots;
      this.#heldAmount = lots * book.lotUnits;
    } else {
      this.#heldAmount = this.#isByQuote ? quoteAmount : book.costToBuy(quantityLots);
      if (this.#heldAmount > AMOUNT_MAX) return "notionalTooLarge";
    }
    return null;
  }

  /** From here on nothing is refused: the order gets its id and its hold. */
  #accept(command: PlaceOrder, events: EventBuffer): void {
    this.orderId = this.#state.nextOrderId++;
    this.#state.ledger.hold(this.#account, this.#spentAssetId(), this.#heldAmount);
    events.orderPlaced(
      this.orderId,
      this.#account,
      this.#book.marketId,
      packOrderFlags(command.side, command.orderType, command.timeInForce, command.postOnly),
      command.priceTicks,
      command.quantityLots,
      command.quoteAmount,
      this.#heldAmount,
      this.#makerFeeBps,
      this.#takerFeeBps,
      command.clientOrderId,
    );
  }

  #match(events: EventBuffer): void {
    const book = this.#book;
    const { ladder } = book;
    const side = this.#side;
    this.#remainingLots = this.#isByQuote ? AMOUNT_MAX : this.#quantityLots;
    this.#remainingQuote = this.#quoteAmount;
    this.#remainingHeld = this.#heldAmount;
    this.#metItself = false;
    const { floats, ints } = this.#state.orders;
    const levels = this.#state.levels;
    while (this.#remainingLots > 0) {
      const level = side === BID ? ladder.bestAsk : ladder.bestBid;
      if (level === NO_LEVEL) return;
      const priceTicks = levels.floats[level * LEVEL_FLOATS + LEVEL_PRICE_TICKS];
      if (side === BID ? priceTicks > this.#limitTicks : priceTicks < this.#limitTicks) return;
      const maker = levels.ints[level * LEVEL_INTS + LEVEL_FIRST_ORDER];
      if (ints[maker * ORDER_INTS + ORDER_ACCOUNT] === this.#account) {
        this.#metItself = true;
        return;
      }
      const makerLots = floats[maker * ORDER_FLOATS + ORDER_REMAINING_LOTS];
      let lots = Math.min(this.#remainingLots, makerLots);
      if (this.#isByQuote) {
        lots = Math.min(lots, this.#affordableLots(priceTicks));
        if (lots === 0) return;
      }
      this.#trade(maker, priceTicks, lots, makerLots - lots, events);
    }
  }

  /** Both sides of one match are paid and told. */
  #trade(
    maker: number,
    priceTicks: number,
    lots: number,
    makerRemainingLots: number,
    events: EventBuffer,
  ): void {
    const book = this.#book;
    const { ledger, orders } = this.#state;
    const takerBuys = this.#side === BID;
    const takerAccount = this.#account;
    const makerAccount = orders.ints[maker * ORDER_INTS + ORDER_ACCOUNT];
    const makerFeeBps = orders.ints[maker * ORDER_INTS + ORDER_FEE_AND_CLIENT] >> 1;
    const makerOrderId = orders.floats[maker * ORDER_FLOATS + ORDER_ID];

    const notional = priceTicks * lots * book.tickLotUnits;
    const baseAmount = lots * book.lotUnits;
    const takerReleased =
      takerBuys && !this.#isMarket ? this.#limitTicks * lots * book.tickLotUnits - notional : 0;
    let makerFee: number;
    let takerFee: number;
    if (takerBuys) {
      makerFee = feeOn(notional as Amount, makerFeeBps);
      takerFee = feeOn(baseAmount as Amount, this.#takerFeeBps);
      ledger.pay(book.quoteAssetId, takerAccount, makerAccount, notional, takerReleased, makerFee);
      ledger.pay(book.baseAssetId, makerAccount, takerAccount, baseAmount, 0, takerFee);
      this.#remainingHeld -= notional + takerReleased;
    } else {
      makerFee = feeOn(baseAmount as Amount, makerFeeBps);
      takerFee = feeOn(notional as Amount, this.#takerFeeBps);
      ledger.pay(book.quoteAssetId, makerAccount, takerAccount, notional, 0, takerFee);
      ledger.pay(book.baseAssetId, takerAccount, makerAccount, baseAmount, 0, makerFee);
      this.#remainingHeld -= baseAmount;
    }
    assert(this.#remainingHeld >= 0, "an order never spends more than it held");
    this.#remainingLots -= lots;
    if (this.#isByQuote) this.#remainingQuote -= notional;
    book.reduce(maker, lots);
    book.tradeId++;
    events.traded(
      book.marketId,
      book.tradeId,
      !takerBuys,
      priceTicks,
      lots,
      notional,
      baseAmount,
      makerOrderId,
      this.orderId,
      makerAccount,
      takerAccount,
      makerFee,
      takerFee,
      makerRemainingLots,
      takerReleased,
    );
    if (makerRemainingLots > 0) return;
    this.#removeOrder(book, takerBuys ? ASK : BID, maker, makerAccount, makerOrderId);
    events.orderEnded(
      makerOrderId,
      makerAccount,
      book.marketId,
      takerBuys,
      END_FILLED,
      priceTicks,
      0,
      0,
      true,
    );
  }

  /** Whether it rests; a good-till-cancelled remainder waits, every other one has ended. */
  #restOrEnd(command: PlaceOrder, events: EventBuffer): boolean {
    const isFilled = this.#isByQuote ? this.#isQuoteUsedUp() : this.#remainingLots === 0;
    const rests = !isFilled && command.timeInForce === "gtc" && !this.#metItself;
    if (rests) {
      this.#rest(command, events);
      return true;
    }
    const released = this.#remainingHeld;
    this.#state.ledger.release(this.#account, this.#spentAssetId(), released);
    events.orderEnded(
      this.orderId,
      this.#account,
      this.#book.marketId,
      this.#side === ASK,
      isFilled ? END_FILLED : END_EXPIRED,
      command.priceTicks,
      this.#isByQuote ? 0 : this.#remainingLots,
      released,
      false,
    );
    return false;
  }

  #rest(command: PlaceOrder, events: EventBuffer): void {
    const book = this.#book;
    const { accounts, orders } = this.#state;
    const slot = orders.allocate(this.orderId);
    const row = slot * ORDER_INTS;
    orders.ints[row + ORDER_ACCOUNT] = this.#account;
    orders.ints[row + ORDER_MARKET_AND_SIDE] = book.marketId * 2 + this.#side;
    orders.ints[row + ORDER_FEE_AND_CLIENT] =
      this.#makerFeeBps * 2 + (command.clientOrderId === "" ? 0 : 1);
    accounts.addOpenOrder(this.#account, slot);
    book.append(this.#side, slot, this.#limitTicks, this.#remainingLots);
    events.orderRested(
      this.orderId,
      this.#account,
      book.marketId,
      this.#side === ASK,
      this.#limitTicks,
      this.#remainingLots,
    );
  }

  #removeOrder(
    book: OrderBook,
    side: number,
    slot: number,
    account: number,
    orderId: number,
  ): void {
    const { accounts, clientOrderIds, orders } = this.#state;
    if ((orders.ints[slot * ORDER_INTS + ORDER_FEE_AND_CLIENT] & 1) === 1) {
      clientOrderIds.orderEnded(orderId);
    }
    book.remove(side, slot);
    accounts.removeOpenOrder(account, slot);
    orders.free(slot);
  }

  #affordableLots(priceTicks: number): number {
    return divideRoundingDown(this.#remainingQuote, priceTicks * this.#book.tickLotUnits);
  }

  /** An order by quote amount is done when not one more lot fits at the price that is next. */
  #isQuoteUsedUp(): boolean {
    if (this.#remainingQuote === 0) return true;
    if (this.#metItself) return false;
    const opposite = this.#side === BID ? ASK : BID;
    return (
      this.#book.ladder.best(opposite) !== NO_LEVEL &&
      this.#affordableLots(this.#book.bestTicks(opposite)) === 0
    );
  }

  #spentAssetId(): number {
    return this.#side === BID ? this.#book.quoteAssetId : this.#book.baseAssetId;
  }
}
