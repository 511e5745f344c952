/**
 * The fast path for nearly all orders: a limit order without conditions, good till cancelled or
 * immediate, that no check refuses. The rules are those of placing.ts and matching.ts; here they
 * run in one function, in which numbers stay in registers from the command to the event
 * (docs/decisions/013).
 *
 * Invariants: an order that is not plain, or that is to be refused, is left untouched for the
 * general path, which knows every reason; if a plain order meets something that is not, or the
 * breaker, it continues there in its current state. Both paths lead to the same events and the same
 * state: every random sequence of orders takes both in the tests.
 */
import {
  feeSourceOf,
  makerFeeBpsOf,
  makerFeeBpsOfRow,
  packRowFees,
  takerFeeBpsOf,
  type PackedFees,
} from "../accounts/packed-fees.ts";
import { feeOn } from "../amount.ts";
import { match } from "../book/matching.ts";
import type { OrderBook } from "../book/order-book.ts";
import type { PlaceOrder } from "../commands.ts";
import {
  beginWindow,
  isWithinBand,
  notionalMaxOf,
  worstBeforeHalt,
} from "../markets/price-limits.ts";
import { baseAmountOf, holdFor, notionalOf } from "../money-formulas.ts";
import type { EngineState } from "../state.ts";
import { END_REASON, END_EXPIRED, END_FILLED } from "./end-codes.ts";
import { forgetOrder } from "./ending.ts";
import { isPositive } from "../order-terms.ts";
import { packPlainFlags } from "../formats/order-flags.ts";
import type { Placement } from "./placement.ts";
import { restOrEnd } from "./remainders.ts";

// Not imported, so that the compiler treats these as constants.
const NO_LEVEL = 0;
const BID = 0;
const ASK = 1;

/**
 * Places an order whose enumerated values, account and client order id are valid. Returns false if
 * the order must take the general path: then nothing has happened.
 */
export function placePlainOrder(state: EngineState, order: Placement, terms: PlaceOrder): boolean {
  const { account, clientOrderId, marketId, priceTicks, quantityLots } = terms;
  const { accounts, catalogue, events, ledger, levels, orders } = state;

  // Is the order plain?
  if (terms.orderType !== "limit" || terms.conditions !== undefined) return false;
  const isImmediate = terms.timeInForce === "ioc";
  if (!isImmediate && terms.timeInForce !== "gtc") return false;
  if (!catalogue.markets.has(marketId)) return false;
  const book = state.books[marketId] as OrderBook;
  if (!book.takesPlainOrders) return false;

  // Would any check refuse it?
  if (!isPositive(priceTicks) || !isPositive(quantityLots) || terms.quoteAmount !== 0) {
    return false;
  }
  const notional = notionalOf(book, priceTicks, quantityLots);
  const plan = catalogue.planTerms(accounts.planOf(account));
  if (quantityLots > book.quantityLotsMax || notional < book.notionalMin) return false;
  const buys = terms.side === "buy";
  const side = buys ? BID : ASK;
  if (notional > notionalMaxOf(book, plan)) return false;
  if (!isWithinBand(book, side, priceTicks)) return false;
  if (accounts.isFrozen(account)) return false;
  if (!isImmediate && accounts.openOrderCount(account) >= plan.openOrdersMax) return false;
  if (orders.isFull) return false;
  if (terms.postOnly && (isImmediate || book.crosses(side, priceTicks))) return false;
  const spentAssetId = buys ? book.quoteAssetId : book.baseAssetId;
  const heldAmount = buys ? notional : baseAmountOf(book, quantityLots);
  if (heldAmount > ledger.available(account, spentAssetId)) return false;

  // The order is accepted.
  const orderId = state.nextOrderId++;
  order.orderId = orderId;
  const fees = book.ownFees || state.feeTiers.feesOf(account);
  const makerFeeBps = makerFeeBpsOf(fees);
  const takerFeeBps = takerFeeBpsOf(fees);
  ledger.hold(account, spentAssetId, heldAmount);
  events.orderPlaced(
    orderId,
    account,
    marketId,
    packPlainFlags(!buys, isImmediate, terms.postOnly),
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

  // The order meets the book.
  const { ladder } = book;
  const receivedAssetId = buys ? book.baseAssetId : book.quoteAssetId;
  const countsVolume = book.quoteAssetId === catalogue.settlementId;
  let leftLots: number = quantityLots;
  let tradedNotional = 0;
  let makerFees = 0;
  let takerFees = 0;
  let isOpen = false;
  let leavesFastPath = false;
  let worstTicks: number = priceTicks;
  if (book.breaker !== undefined) {
    beginWindow(book, side, state.nowMs);
    worstTicks = worstBeforeHalt(book, side, priceTicks, state.nowMs);
  }
  while (leftLots > 0 && !leavesFastPath) {
    const level = buys ? ladder.bestAsk : ladder.bestBid;
    if (level === NO_LEVEL) break;
    const tradeTicks = levels.priceOf(level);
    if (buys ? tradeTicks > worstTicks : tradeTicks < worstTicks) {
      leavesFastPath = buys ? tradeTicks <= priceTicks : tradeTicks >= priceTicks;
      break;
    }
    const maker = levels.firstOrderOf(level);
    const makerAccount = orders.accountOf(maker);
    if (makerAccount === account || orders.hasDetails(maker)) {
      leavesFastPath = true;
      break;
    }
    const makerLots = orders.visibleLotsOf(maker);
    const makerOrderId = orders.idOf(maker);
    const makerTradeFeeBps = makerFeeBpsOfRow(orders.feesOf(maker));
    const lots = makerLots < leftLots ? makerLots : leftLots;
    const tradeNotional = notionalOf(book, tradeTicks, lots);
    const baseAmount = baseAmountOf(book, lots);
    const makerGross = buys ? tradeNotional : baseAmount;
    const takerGross = buys ? baseAmount : tradeNotional;
    const makerFee = feeOn(makerGross, makerTradeFeeBps);
    const takerFee = feeOn(takerGross, takerFeeBps);
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
      buys ? notionalOf(book, priceTicks, lots) - tradeNotional : 0,
    );
    if (countsVolume) state.feeTiers.addVolume(makerAccount, tradeNotional);
    if (lots === makerLots) {
      events.makerFilled();
      book.removeFirst(level, maker);
      forgetOrder(state, maker, makerAccount, makerOrderId, book);
    } else {
      book.reduce(maker, lots);
    }
    if (book.triggers.isReachedBy(tradeTicks)) {
      book.triggers.onPrice(tradeTicks, state.activations, state.ordersPerCommandMax);
    }
  }
  if (leftLots < quantityLots) {
    const tradedLots = quantityLots - leftLots;
    const tradedBase = baseAmountOf(book, tradedLots);
    ledger.settleTaker(
      account,
      spentAssetId,
      buys ? tradedNotional : tradedBase,
      buys ? notionalOf(book, priceTicks, tradedLots) - tradedNotional : 0,
      makerFees,
      receivedAssetId,
      (buys ? tradedBase : tradedNotional) - takerFees,
      takerFees,
    );
    if (countsVolume) state.feeTiers.addVolume(account, tradedNotional);
  }

  // The remainder takes the general path, rests or has ended.
  if (leavesFastPath) {
    isOpen = continueWith(state, order, terms, fees, leftLots);
  } else if (leftLots > 0 && !isImmediate) {
    isOpen = true;
    const slot = orders.allocate(orderId);
    orders.setAccount(slot, account);
    orders.setFees(slot, packRowFees(fees, clientOrderId !== "", terms.postOnly));
    orders.setTotalLots(slot, quantityLots);
    accounts.appendOpenOrder(account, slot);
    book.append(side, slot, priceTicks, leftLots);
    if (leftLots === quantityLots) events.restedAsPlaced();
    else events.orderRested(orderId, account, marketId, !buys, priceTicks, leftLots, leftLots);
  } else {
    const isFilled = leftLots === 0;
    const releasedAmount = holdFor(book, side, priceTicks, leftLots);
    if (!isFilled) ledger.release(account, spentAssetId, releasedAmount);
    events.orderEnded(
      orderId,
      account,
      marketId,
      !buys,
      isFilled ? END_FILLED : END_EXPIRED,
      isFilled ? END_REASON.filled : END_REASON.immediateOrCancel,
      priceTicks,
      leftLots,
      releasedAmount,
      false,
      0,
    );
  }
  if (clientOrderId !== "") {
    const { clientOrderIds, nowMs, sequence } = state;
    clientOrderIds.remember(account, marketId, terms, orderId, sequence, nowMs, isOpen);
  }
  return true;
}

/** Continues on the general path with the remainder of the order; returns whether it rests. */
function continueWith(
  state: EngineState,
  order: Placement,
  terms: PlaceOrder,
  fees: PackedFees,
  leftLots: number,
): boolean {
  const { account, marketId, priceTicks } = terms;
  const book = state.books[marketId] as OrderBook;
  order.fill(terms, account, book);
  order.fees = fees;
  order.limitTicks = priceTicks;
  order.remainingLots = leftLots;
  order.heldAmount = holdFor(book, order.side, priceTicks, leftLots);
  match(state, order);
  return restOrEnd(state, order);
}
