/**
 * What happens when an order meets the book: match → settle → rest or end.
 *
 * Price first, then time: the incoming order trades against the best price, oldest order first, at
 * the maker's price. It never trades with its own account: there self-trade prevention decides who
 * loses what. Fees are fixed when an order is placed and taken from what each party receives.
 *
 * Invariants: nothing here is refused, every check was made before; a resting order holds exactly
 * what its remainder can cost; the work is bounded by the orders that it meets, an iceberg counting
 * once for each of its at most ICEBERG_PARTS_MAX parts. Never: other orders' activation, which comes
 * after the command (activating.ts).
 */
import { AMOUNT_MAX, divideRoundingDown, feeOn, type Amount } from "../amount.ts";
import { assert } from "../assert.ts";
import { canReceive } from "../accounts/balance-limit.ts";
import type { BreakerTerms } from "../commands.ts";
import { fillOrder, endOrder, endedOfList, forgetOrder, tradedOfList } from "../orders/ending.ts";
import { BECAUSE, END_EXPIRED, END_FILLED, becauseRefused } from "../orders/end-codes.ts";
import type { EventBuffer } from "../event-buffer.ts";
import { showNextPart } from "../orders/icebergs.ts";
import { IncomingOrder, NOT_STOPPED } from "../orders/incoming-order.ts";
import { NO_LEVEL } from "./level-table.ts";
import { haltMarket } from "../markets/market-states.ts";
import { openOrder } from "../orders/opening.ts";
import type { OrderBook } from "./order-book.ts";
import { NO_ORDER, makerFeeOf } from "./order-table.ts";
import { crossesOwnOrder } from "./own-orders.ts";
import { ASK, BID } from "./price-ladder.ts";
import { beginWindow, breakerEdgeOf, tighterOf } from "../markets/price-limits.ts";
import type { EngineState } from "../state.ts";

export class Matching {
  /** The order to match; whoever calls `match` has filled it. */
  readonly incoming = new IncomingOrder();

  readonly #state: EngineState;

  constructor(state: EngineState) {
    this.#state = state;
  }

  /** Trades until the order is done, the book or its limit ends, or its own account stops it. */
  match(events: EventBuffer): void {
    const order = this.incoming;
    const { account, book, limitTicks, side } = order;
    const { ladder } = book;
    order.remainingLots = order.isByQuote ? AMOUNT_MAX : order.remainingLots;
    order.remainingQuote = order.quoteAmount;
    order.remainingHeld = order.heldAmount;
    order.stoppedBecause = NOT_STOPPED;
    order.metBreaker = false;
    order.volume = 0;
    if (!book.isTrading) return;
    let worstTicks = limitTicks;
    if (book.breaker !== undefined) {
      beginWindow(book, side, this.#state.nowMs);
      worstTicks = tighterOf(side, limitTicks, breakerEdgeOf(book, side, this.#state.nowMs));
    }
    const { orders } = this.#state;
    const levels = this.#state.levels;
    while (order.remainingLots > 0) {
      const level = side === BID ? ladder.bestAsk : ladder.bestBid;
      if (level === NO_LEVEL) return;
      const priceTicks = levels.priceOf(level);
      if (side === BID ? priceTicks > worstTicks : priceTicks < worstTicks) {
        if (side === BID ? priceTicks <= limitTicks : priceTicks >= limitTicks) {
          this.#meetBreaker(events);
        }
        return;
      }
      const maker = levels.firstOrderOf(level);
      if (orders.accountOf(maker) === account) {
        if (!this.#preventSelfTrade(maker, priceTicks, events)) return;
        continue;
      }
      const shownLots = orders.shownLotsOf(maker);
      let lots = Math.min(order.remainingLots, shownLots);
      if (order.isByQuote) {
        lots = Math.min(lots, this.#affordableLots(priceTicks));
        if (lots === 0) return;
      }
      if (book.checksReceipts) {
        lots = Math.min(lots, this.#coveredLots(priceTicks));
        if (!this.#bothCanReceive(maker, priceTicks, lots, events)) {
          if (order.stoppedBecause !== NOT_STOPPED) return;
          continue;
        }
      }
      this.#trade(maker, priceTicks, lots, shownLots - lots, events);
    }
  }

  /** Whether it rests; a remainder that may wait does, every other order has ended. */
  restOrEnd(events: EventBuffer): boolean {
    const order = this.incoming;
    if (order.volume > 0) this.#state.feeTiers.addVolume(order.account, order.volume);
    const isDone = order.isByQuote ? this.#isQuoteUsedUp() : order.remainingLots === 0;
    const isFilled = isDone && order.stoppedBecause === NOT_STOPPED;
    if (!isFilled && order.mayRest && order.stoppedBecause === NOT_STOPPED) {
      this.#rest(events);
      return true;
    }
    this.endIncoming(
      isFilled ? END_FILLED : END_EXPIRED,
      isFilled ? BECAUSE.filled : this.#whyStopped(),
      events,
    );
    return false;
  }

  /** Ends the incoming order, which is in no book, and gives back what it still holds. */
  endIncoming(status: number, reason: number, events: EventBuffer): void {
    const order = this.incoming;
    const { account, book, orderId } = order;
    const released = order.remainingHeld;
    this.#state.ledger.release(account, order.spentAssetId, released);
    if (order.slot !== NO_ORDER) forgetOrder(this.#state, order.slot, account, orderId, book);
    events.orderEnded(
      orderId,
      account,
      book.marketId,
      order.side === ASK,
      status,
      reason,
      order.priceTicks,
      order.isByQuote ? 0 : order.remainingLots,
      released,
      false,
      0,
    );
    if (order.listId !== 0) {
      endedOfList(this.#state, order.listId, orderId, status === END_FILLED, events);
    }
  }

  /** The next trade would be too far away: the market halts, what may rest of the order does. */
  #meetBreaker(events: EventBuffer): void {
    const order = this.incoming;
    const { account, book, limitTicks, side } = order;
    const { haltMs } = book.breaker as BreakerTerms;
    haltMarket(this.#state, book, this.#state.nowMs + haltMs, events);
    order.metBreaker = true;
    if (order.mayRest && crossesOwnOrder(this.#state, account, book, side, limitTicks)) {
      order.stoppedBecause = BECAUSE.selfTrade;
    }
  }

  /**
   * Whether both parties may own what the trade brings them. Where the incoming order's account may
   * not it stops, where the maker's may not the maker's order has ended.
   */
  #bothCanReceive(maker: number, priceTicks: number, lots: number, events: EventBuffer): boolean {
    const order = this.incoming;
    const { book, side, spentAssetId } = order;
    const notional = priceTicks * lots * book.tickLotUnits;
    const baseAmount = lots * book.lotUnits;
    const [spent, received] = side === BID ? [notional, baseAmount] : [baseAmount, notional];
    const receivedAssetId = side === BID ? book.baseAssetId : book.quoteAssetId;
    if (lots === 0) {
      order.stoppedBecause = BECAUSE.bookExhausted;
      return false;
    }
    if (!canReceive(this.#state, order.account, receivedAssetId, received)) {
      order.stoppedBecause = becauseRefused("balanceTooLarge");
      return false;
    }
    const makerAccount = this.#state.orders.accountOf(maker);
    if (canReceive(this.#state, makerAccount, spentAssetId, spent)) return true;
    endOrder(this.#state, maker, END_EXPIRED, becauseRefused("balanceTooLarge"), events);
    return false;
  }

  /**
   * How many lots what it still holds is enough for. A market order holds what the book asked for when
   * it came; where orders of the book end instead of trading, the next ones may ask for more.
   */
  #coveredLots(priceTicks: number): number {
    const { book, holdsAtLimit, remainingHeld, side } = this.incoming;
    if (holdsAtLimit) return Infinity;
    const lotCosts = side === BID ? priceTicks * book.tickLotUnits : book.lotUnits;
    return divideRoundingDown(remainingHeld, lotCosts);
  }

  /** Both sides of one match are paid and told. */
  #trade(
    maker: number,
    priceTicks: number,
    lots: number,
    makerShownLots: number,
    events: EventBuffer,
  ): void {
    const order = this.incoming;
    const { book } = order;
    const { ledger, orders } = this.#state;
    const takerBuys = order.side === BID;
    const takerAccount = order.account;
    const makerAccount = orders.accountOf(maker);
    const makerFeeBps = makerFeeOf(orders.feesOf(maker));
    const makerHasDetails = orders.hasDetails(maker);
    const makerOrderId = orders.idOf(maker);

    const notional = priceTicks * lots * book.tickLotUnits;
    const baseAmount = lots * book.lotUnits;
    const takerReleased =
      takerBuys && order.holdsAtLimit ? order.limitTicks * lots * book.tickLotUnits - notional : 0;
    const makerFee = feeOn((takerBuys ? notional : baseAmount) as Amount, makerFeeBps);
    const takerFee = feeOn((takerBuys ? baseAmount : notional) as Amount, order.takerFeeBps);
    const buyer = takerBuys ? takerAccount : makerAccount;
    const seller = takerBuys ? makerAccount : takerAccount;
    const buyerFee = takerBuys ? takerFee : makerFee;
    const sellerFee = takerBuys ? makerFee : takerFee;
    ledger.pay(book.quoteAssetId, buyer, seller, notional, takerReleased, sellerFee);
    ledger.pay(book.baseAssetId, seller, buyer, baseAmount, 0, buyerFee);
    order.remainingHeld -= takerBuys ? notional + takerReleased : baseAmount;
    assert(order.remainingHeld >= 0, "an order never spends more than it held");
    order.remainingLots -= lots;
    if (order.isByQuote) order.remainingQuote -= notional;
    book.reduce(maker, lots);
    book.tradeId++;
    book.lastTicks = priceTicks;
    events.traded(
      book.marketId,
      book.tradeId,
      !takerBuys,
      priceTicks,
      lots,
      notional,
      baseAmount,
      makerOrderId,
      order.orderId,
      makerAccount,
      takerAccount,
      makerFee,
      takerFee,
      makerHasDetails ? makerShownLots + book.hiddenLotsOf(maker) : makerShownLots,
      takerReleased,
    );
    if (makerHasDetails) {
      const makerReceived = takerBuys ? notional - makerFee : baseAmount - makerFee;
      tradedOfList(
        this.#state,
        this.#state.details.at(maker).listId,
        makerOrderId,
        makerReceived,
        events,
      );
    }
    if (order.listId !== 0) {
      const received = takerBuys ? baseAmount - takerFee : notional - takerFee;
      tradedOfList(this.#state, order.listId, order.orderId, received, events);
    }
    if (book.quoteAssetId === this.#state.catalogue.settlementId) {
      order.volume += notional;
      this.#state.feeTiers.addVolume(makerAccount, notional);
    }
    if (makerShownLots === 0 && !showNextPart(this.#state, maker, events)) {
      fillOrder(this.#state, maker, events);
    }
    if (book.triggers.isReachedBy(priceTicks)) {
      const { activations, ordersPerCommandMax } = this.#state;
      book.triggers.see(priceTicks, activations, ordersPerCommandMax);
    }
  }

  /** The next order in the queue is of the incoming order's account; false where that stops it. */
  #preventSelfTrade(own: number, priceTicks: number, events: EventBuffer): boolean {
    const order = this.incoming;
    switch (order.selfTradePrevention) {
      case "expireTaker":
        order.stoppedBecause = BECAUSE.selfTrade;
        return false;
      case "expireMaker":
        endOrder(this.#state, own, END_EXPIRED, BECAUSE.selfTrade, events);
        return true;
      case "expireBoth":
        endOrder(this.#state, own, END_EXPIRED, BECAUSE.selfTrade, events);
        order.stoppedBecause = BECAUSE.selfTrade;
        return false;
      default:
        return this.#decrement(own, priceTicks, events);
    }
  }

  /** Both lose the smaller of the two remainders; false where the incoming order has none left. */
  #decrement(own: number, priceTicks: number, events: EventBuffer): boolean {
    const order = this.incoming;
    const { book } = order;
    const { ledger, orders } = this.#state;
    const shownBefore = orders.shownLotsOf(own);
    const ownLots = shownBefore + book.hiddenLotsOf(own);
    const wanted = order.isByQuote ? this.#affordableLots(priceTicks) : order.remainingLots;
    const lots = Math.min(wanted, ownLots);
    if (lots === 0) {
      order.stoppedBecause = BECAUSE.selfTrade;
      return false;
    }

    // The resting order: what it hides goes first.
    const ownId = orders.idOf(own);
    const ownSide = orders.marketAndSideOf(own) & 1;
    const ownReleased =
      ownSide === BID ? priceTicks * lots * book.tickLotUnits : lots * book.lotUnits;
    const ownAssetId = ownSide === BID ? book.quoteAssetId : book.baseAssetId;
    ledger.release(order.account, ownAssetId, ownReleased);
    this.reduceResting(own, lots);
    events.quantityDecremented(
      ownId,
      order.account,
      book.marketId,
      ownSide === ASK,
      true,
      priceTicks,
      lots,
      ownLots - lots,
      ownReleased,
      shownBefore,
      orders.shownLotsOf(own),
    );

    // The incoming one; what a buyer at the market holds goes back at its end.
    let released = 0;
    if (order.isByQuote) {
      order.remainingQuote -= priceTicks * lots * book.tickLotUnits;
    } else {
      order.remainingLots -= lots;
      order.totalLots -= lots;
      if (order.slot !== NO_ORDER) {
        orders.setTotalLots(order.slot, order.totalLots);
      }
    }
    if (order.side === ASK) released = lots * book.lotUnits;
    else if (order.holdsAtLimit) released = order.limitTicks * lots * book.tickLotUnits;
    ledger.release(order.account, order.spentAssetId, released);
    order.remainingHeld -= released;
    assert(order.remainingHeld >= 0, "an order loses no more than it held");
    events.quantityDecremented(
      order.orderId,
      order.account,
      book.marketId,
      order.side === ASK,
      false,
      0,
      lots,
      order.isByQuote ? 0 : order.remainingLots,
      released,
      0,
      0,
    );
    if (lots === ownLots) endOrder(this.#state, own, END_EXPIRED, BECAUSE.selfTrade, events);
    else tradedOfList(this.#state, this.#listOf(own), ownId, 0, events);
    if (order.listId !== 0) tradedOfList(this.#state, order.listId, order.orderId, 0, events);
    if (lots < wanted) return true;
    order.stoppedBecause = BECAUSE.selfTrade;
    return false;
  }

  /** Takes lots off a resting order, hidden ones first; it keeps its place. Money is the caller's. */
  reduceResting(slot: number, lots: number): void {
    const { orders } = this.#state;
    const marketId = orders.marketAndSideOf(slot) >> 1;
    const book = this.#state.books[marketId] as OrderBook;
    let shownLots = lots;
    if (orders.hasDetails(slot)) {
      const hiddenLots = Math.min(lots, book.hiddenLotsOf(slot));
      if (hiddenLots !== 0) book.reduceHidden(slot, hiddenLots);
      shownLots -= hiddenLots;
    }
    book.reduce(slot, shownLots);
    orders.setTotalLots(slot, orders.totalLotsOf(slot) - lots);
  }

  #rest(events: EventBuffer): void {
    const order = this.incoming;
    const { book, limitTicks, orderId, remainingLots } = order;
    const slot = openOrder(this.#state, order);
    let shownLots = remainingLots;
    if (this.#state.orders.hasDetails(slot) && order.displayLots !== 0) {
      shownLots = Math.min(order.displayLots, remainingLots);
      this.#state.details.at(slot).hiddenLots = remainingLots - shownLots;
    }
    book.append(order.side, slot, limitTicks, shownLots);
    events.orderRested(
      orderId,
      order.account,
      book.marketId,
      order.side === ASK,
      limitTicks,
      remainingLots,
      shownLots,
    );
  }

  #listOf(slot: number): number {
    const { details: table, orders } = this.#state;
    return orders.hasDetails(slot) ? table.at(slot).listId : 0;
  }

  #whyStopped(): number {
    const order = this.incoming;
    if (order.stoppedBecause !== NOT_STOPPED) return order.stoppedBecause;
    if (order.metBreaker) return BECAUSE.breaker;
    if (order.holdsAtLimit) return BECAUSE.immediateOrCancel;
    const opposite = order.side === BID ? ASK : BID;
    const isExhausted = order.book.ladder.best(opposite) === NO_LEVEL;
    return isExhausted ? BECAUSE.bookExhausted : BECAUSE.priceBand;
  }

  #affordableLots(priceTicks: number): number {
    const order = this.incoming;
    return divideRoundingDown(order.remainingQuote, priceTicks * order.book.tickLotUnits);
  }

  /** An order by quote amount is done when not one more lot fits at the price that is next. */
  #isQuoteUsedUp(): boolean {
    const order = this.incoming;
    if (order.remainingQuote === 0) return true;
    if (order.stoppedBecause !== NOT_STOPPED) return false;
    const opposite = order.side === BID ? ASK : BID;
    return (
      order.book.ladder.best(opposite) !== NO_LEVEL &&
      this.#affordableLots(order.book.bestTicks(opposite)) === 0
    );
  }
}
