/**
 * The short way of the order that nearly all are: a limit order without conditions, good till
 * cancelled or immediate, that nothing speaks against. What is allowed and what happens is said in
 * placing.ts and matching.ts; here it happens in one piece, in which a number stays in a register
 * from the command to the event (docs/decisions/013).
 *
 * Invariants: an order that is not plain, or that is to be refused, is left untouched for the long
 * way, which knows every reason; where a plain order meets something that is not, or the breaker, it
 * continues there as it stands. Both ways lead to the same events and the same state:
 * every random sequence of orders takes both in the tests.
 */
import { feeOn, type Amount } from "../amount.ts";
import type { PlaceOrder } from "../commands.ts";
import { forgetOrder } from "./ending.ts";
import { BECAUSE, END_EXPIRED, END_FILLED } from "./end-codes.ts";
import type { EventBuffer } from "../event-buffer.ts";
import { packOrderFlags } from "../formats/order-flags.ts";
import { feeSourceOf, makerFeeBpsOf, takerFeeBpsOf } from "../accounts/fee-tiers.ts";
import type { Matching } from "../book/matching.ts";
import { isPositive } from "./order-checks.ts";
import type { OrderBook } from "../book/order-book.ts";
import { makerFeeOf, packFees } from "../book/order-table.ts";
import {
  beginWindow,
  breakerEdgeOf,
  isWithinBand,
  notionalMaxOf,
  tighterOf,
} from "../markets/price-limits.ts";
import type { EngineState } from "../state.ts";

// Not imported, so that they are constants here.
const NO_LEVEL = 0;
const BID = 0;
const ASK = 1;
/** In place of an order id. */
const NOT_PLACED = 0;

export class PlainOrders {
  readonly #state: EngineState;
  readonly #matching: Matching;

  constructor(state: EngineState, matching: Matching) {
    this.#state = state;
    this.#matching = matching;
  }

  /**
   * Places the order, whose words, account and client order id are in order, and returns its id; 0
   * where it must take the long way: then nothing has happened.
   */
  place(terms: PlaceOrder, sequence: number, events: EventBuffer): number {
    const { account, clientOrderId, marketId, priceTicks, quantityLots } = terms;
    const state = this.#state;
    const { accounts, catalogue, ledger, levels, orders } = state;

    // Is it plain?
    if (terms.orderType !== "limit" || terms.conditions !== undefined) return NOT_PLACED;
    const isImmediate = terms.timeInForce === "ioc";
    if (!isImmediate && terms.timeInForce !== "gtc") return NOT_PLACED;
    if (!catalogue.markets.has(marketId)) return NOT_PLACED;
    const book = state.books[marketId] as OrderBook;
    if (!book.takesPlainOrders) return NOT_PLACED;

    // Does anything speak against it?
    if (!isPositive(priceTicks) || !isPositive(quantityLots) || terms.quoteAmount !== 0) {
      return NOT_PLACED;
    }
    const notional = priceTicks * quantityLots * book.tickLotUnits;
    const plan = catalogue.planTerms(accounts.planOf(account));
    if (quantityLots > book.quantityLotsMax || notional < book.notionalMin) return NOT_PLACED;
    const buys = terms.side === "buy";
    const side = buys ? BID : ASK;
    if (notional > notionalMaxOf(book, plan)) return NOT_PLACED;
    if (!isWithinBand(book, side, priceTicks)) return NOT_PLACED;
    if (accounts.isFrozen(account)) return NOT_PLACED;
    if (!isImmediate && accounts.openOrderCount(account) >= plan.openOrdersMax) return NOT_PLACED;
    if (orders.isFull) return NOT_PLACED;
    if (terms.postOnly && (isImmediate || book.crosses(side, priceTicks))) return NOT_PLACED;
    const spentAssetId = buys ? book.quoteAssetId : book.baseAssetId;
    const heldAmount = buys ? notional : quantityLots * book.lotUnits;
    if (heldAmount > ledger.available(account, spentAssetId)) return NOT_PLACED;

    // It is accepted.
    const orderId = state.nextOrderId++;
    const fees = book.ownFees || state.feeTiers.feesOf(account);
    const makerFeeBps = makerFeeBpsOf(fees);
    const takerFeeBps = takerFeeBpsOf(fees);
    ledger.hold(account, spentAssetId, heldAmount);
    events.orderPlaced(
      orderId,
      account,
      marketId,
      packOrderFlags(terms.side, terms.orderType, terms.timeInForce, terms.postOnly),
      priceTicks,
      quantityLots,
      terms.quoteAmount,
      heldAmount,
      makerFeeBps,
      takerFeeBps,
      feeSourceOf(fees),
      clientOrderId,
      undefined,
      0,
    );

    // It meets the book.
    const { ladder, lotUnits, tickLotUnits } = book;
    const receivedAssetId = buys ? book.baseAssetId : book.quoteAssetId;
    const countsVolume = book.quoteAssetId === catalogue.settlementId;
    let leftLots: number = quantityLots;
    let tradedNotional = 0;
    let makerFees = 0;
    let takerFees = 0;
    let isOpen = false;
    let goesOn = false;
    let worstTicks: number = priceTicks;
    if (book.breaker !== undefined) {
      beginWindow(book, side, state.nowMs);
      worstTicks = tighterOf(side, priceTicks, breakerEdgeOf(book, side, state.nowMs));
    }
    while (leftLots > 0 && !goesOn) {
      const level = buys ? ladder.bestAsk : ladder.bestBid;
      if (level === NO_LEVEL) break;
      const tradeTicks = levels.priceOf(level);
      if (buys ? tradeTicks > worstTicks : tradeTicks < worstTicks) {
        goesOn = buys ? tradeTicks <= priceTicks : tradeTicks >= priceTicks;
        break;
      }
      const maker = levels.firstOrderOf(level);
      const makerAccount = orders.accountOf(maker);
      if (makerAccount === account || orders.hasDetails(maker)) {
        goesOn = true;
        break;
      }
      const makerLots = orders.shownLotsOf(maker);
      const makerOrderId = orders.idOf(maker);
      const makerTradeFeeBps = makerFeeOf(orders.feesOf(maker));
      const lots = makerLots < leftLots ? makerLots : leftLots;
      const tradeNotional = tradeTicks * lots * tickLotUnits;
      const baseAmount = lots * lotUnits;
      const makerGross = buys ? tradeNotional : baseAmount;
      const takerGross = buys ? baseAmount : tradeNotional;
      const makerFee = feeOn(makerGross as Amount, makerTradeFeeBps);
      const takerFee = feeOn(takerGross as Amount, takerFeeBps);
      ledger.settleMaker(
        makerAccount,
        receivedAssetId,
        takerGross,
        spentAssetId,
        makerGross - makerFee,
      );
      leftLots -= lots;
      tradedNotional += tradeNotional;
      makerFees += makerFee;
      takerFees += takerFee;
      book.tradeId++;
      book.lastTicks = tradeTicks;
      events.traded(
        marketId,
        book.tradeId,
        !buys,
        tradeTicks,
        lots,
        tradeNotional,
        baseAmount,
        makerOrderId,
        orderId,
        makerAccount,
        account,
        makerFee,
        takerFee,
        makerLots - lots,
        buys ? priceTicks * lots * tickLotUnits - tradeNotional : 0,
      );
      if (countsVolume) state.feeTiers.addVolume(makerAccount, tradeNotional);
      if (lots === makerLots) {
        events.makerFilled();
        book.removeFirst(level, maker);
        forgetOrder(this.#state, maker, makerAccount, makerOrderId, book);
      } else {
        book.reduce(maker, lots);
      }
      if (book.triggers.isReachedBy(tradeTicks)) {
        book.triggers.see(tradeTicks, state.activations, state.ordersPerCommandMax);
      }
    }
    if (leftLots < quantityLots) {
      const tradedLots = quantityLots - leftLots;
      const tradedBase = tradedLots * lotUnits;
      ledger.settleTaker(
        account,
        spentAssetId,
        buys ? tradedNotional : tradedBase,
        buys ? priceTicks * tradedLots * tickLotUnits - tradedNotional : 0,
        makerFees,
        receivedAssetId,
        (buys ? tradedBase : tradedNotional) - takerFees,
        takerFees,
      );
      if (countsVolume) state.feeTiers.addVolume(account, tradedNotional);
    }

    // What is left goes on, rests or has ended.
    if (goesOn) {
      isOpen = this.#goOn(terms, orderId, fees, leftLots, events);
    } else if (leftLots > 0 && !isImmediate) {
      isOpen = true;
      const slot = orders.allocate(orderId);
      orders.setAccount(slot, account);
      orders.setFees(
        slot,
        packFees(makerFeeBps, takerFeeBps, clientOrderId !== "", terms.postOnly),
      );
      orders.setTotalLots(slot, quantityLots);
      accounts.appendOpenOrder(account, slot);
      book.append(side, slot, priceTicks, leftLots);
      if (leftLots === quantityLots) events.restedAsPlaced();
      else events.orderRested(orderId, account, marketId, !buys, priceTicks, leftLots, leftLots);
    } else {
      const isFilled = leftLots === 0;
      const heldUnits = buys ? priceTicks * book.tickLotUnits : book.lotUnits;
      const releasedAmount = leftLots * heldUnits;
      if (!isFilled) ledger.release(account, spentAssetId, releasedAmount);
      events.orderEnded(
        orderId,
        account,
        marketId,
        !buys,
        isFilled ? END_FILLED : END_EXPIRED,
        isFilled ? BECAUSE.filled : BECAUSE.immediateOrCancel,
        priceTicks,
        leftLots,
        releasedAmount,
        false,
        0,
      );
    }
    if (clientOrderId !== "") this.#remember(terms, orderId, sequence, isOpen);
    return orderId;
  }

  /** The long way from here, with what is left of the order; returns whether it rests. */
  #goOn(
    terms: PlaceOrder,
    orderId: number,
    fees: number,
    leftLots: number,
    events: EventBuffer,
  ): boolean {
    const order = this.#matching.incoming;
    const { account, marketId, priceTicks, side } = terms;
    const book = this.#state.books[marketId] as OrderBook;
    order.takeTerms(terms, account, book, side === "buy" ? BID : ASK);
    order.orderId = orderId;
    order.makerFeeBps = makerFeeBpsOf(fees);
    order.takerFeeBps = takerFeeBpsOf(fees);
    order.limitTicks = priceTicks;
    order.remainingLots = leftLots;
    order.heldAmount = leftLots * (side === "buy" ? priceTicks * book.tickLotUnits : book.lotUnits);
    this.#matching.match(events);
    return this.#matching.restOrEnd(events);
  }

  #remember(terms: PlaceOrder, orderId: number, sequence: number, isOpen: boolean): void {
    const { account, marketId } = terms;
    const { clientOrderIds, nowMs } = this.#state;
    clientOrderIds.remember(account, marketId, terms, orderId, sequence, nowMs, isOpen);
  }
}
