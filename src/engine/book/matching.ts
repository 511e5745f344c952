/**
 * Matches an order with the book: match → settle.
 *
 * Price first, then time: the order trades against the best price, oldest order first, at the
 * maker's price. It never trades with its own account: self-trades.ts decides which order gives
 * way. Fees are fixed when an order is placed and deducted from the proceeds of each party.
 *
 * Invariants: nothing is refused here, all checks came before; a resting order holds exactly the
 * highest cost of its remainder; the work is bounded by the orders that it meets, an iceberg
 * counting once for each of its at most ICEBERG_PARTS_MAX parts. The remainders of both orders rest
 * or end in orders/remainders.ts; other orders are activated after the command (activating.ts).
 */
import { canReceive } from "../accounts/balance-limit.ts";
import { makerFeeBpsOfRow, takerFeeBpsOf } from "../accounts/packed-fees.ts";
import { feeOn } from "../amount.ts";
import { assert } from "../assert.ts";
import type { BreakerTerms } from "../commands.ts";
import { haltMarket } from "../markets/market-states.ts";
import { beginWindow, worstBeforeHalt } from "../markets/price-limits.ts";
import { affordableLots, baseAmountOf, notionalOf } from "../money-formulas.ts";
import { END_REASON, END_EXPIRED, endReasonCode } from "../orders/end-codes.ts";
import { endOrder, forgetOrder, tradedOfList } from "../orders/ending.ts";
import { NOT_STOPPED, type Placement } from "../orders/placement.ts";
import { restOn } from "../orders/remainders.ts";
import type { EngineState } from "../state.ts";
import { NO_LEVEL } from "./level-table.ts";
import { crossesOwnOrder } from "./liquidity.ts";
import { BID } from "./price-ladder.ts";
import { preventSelfTrade } from "./self-trades.ts";

/**
 * Trades until the order is done, the book or the order's limit is exhausted, or the next order
 * belongs to the same account.
 */
export function match(state: EngineState, order: Placement): void {
  order.beginMatching();
  if (!order.book.isTrading) return;
  tradeWithBook(state, order);
  if (order.tradedLots > 0) settle(state, order);
}

function tradeWithBook(state: EngineState, order: Placement): void {
  const { account, book, limitTicks, side } = order;
  const { ladder } = book;
  const { levels, orders } = state;
  beginWindow(book, side, state.nowMs);
  const worstTicks = worstBeforeHalt(book, side, limitTicks, state.nowMs);
  while (order.remainingLots > 0) {
    const level = side === BID ? ladder.bestAsk : ladder.bestBid;
    if (level === NO_LEVEL) return;
    const priceTicks = levels.priceOf(level);
    const wantedLots = lotsWanted(order, priceTicks);
    // Without a lot to trade it neither ends own orders nor halts the market.
    const stops = wantedLots === 0 && state.spentOrdersStop;
    if (side === BID ? priceTicks > worstTicks : priceTicks < worstTicks) {
      const isWithinLimit = side === BID ? priceTicks <= limitTicks : priceTicks >= limitTicks;
      if (isWithinLimit && !stops) haltForBreaker(state, order);
      return;
    }
    order.isAsPlaced = false;
    const maker = levels.firstOrderOf(level);
    if (orders.accountOf(maker) === account && !stops) {
      if (!preventSelfTrade(state, order, maker, priceTicks)) return;
      continue;
    }
    if (wantedLots === 0) {
      if (isUncovered(order, priceTicks)) order.stopReason = END_REASON.bookExhausted;
      return;
    }
    const lots = Math.min(wantedLots, orders.visibleLotsOf(maker));
    if (book.checksReceipts && !bothCanReceive(state, order, maker, priceTicks, lots)) {
      if (order.stopReason !== NOT_STOPPED) return;
      continue;
    }
    trade(state, order, maker, level, priceTicks, lots);
    // The balance check of the next trade depends on the proceeds of this one.
    if (book.checksReceipts) settle(state, order);
  }
}

/** The number of lots that the order can trade at a price: its remainder, as far as it can pay for that. */
function lotsWanted(order: Placement, priceTicks: number): number {
  const { book, holdsLess, isByQuote, remainingLots, remainingQuote } = order;
  const lots = isByQuote ? affordableLots(book, priceTicks, remainingQuote) : remainingLots;
  return holdsLess || book.checksReceipts ? Math.min(lots, order.coveredLots(priceTicks)) : lots;
}

/** Whether the order would trade on, and its hold alone does not suffice for a lot. */
function isUncovered(
  { book, holdsAtLimit, isByQuote, remainingQuote }: Placement,
  priceTicks: number,
) {
  if (holdsAtLimit) return false;
  return !isByQuote || affordableLots(book, priceTicks, remainingQuote) > 0;
}

/** Debits and credits the account for its trades since the last call. */
function settle(state: EngineState, order: Placement): void {
  const { account, book, limitTicks, makerFees, takerFees, tradedLots, tradedNotional } = order;
  const buys = order.side === BID;
  const tradedBase = baseAmountOf(book, tradedLots);
  state.ledger.settleTaker(
    account,
    order.spentAssetId,
    buys ? tradedNotional : tradedBase,
    buys && order.holdsAtLimit ? notionalOf(book, limitTicks, tradedLots) - tradedNotional : 0,
    makerFees,
    buys ? book.baseAssetId : book.quoteAssetId,
    (buys ? tradedBase : tradedNotional) - takerFees,
    takerFees,
  );
  if (book.quoteAssetId === state.catalogue.settlementId) {
    state.feeTiers.addVolume(account, tradedNotional);
  }
  order.tradedLots = 0;
  order.tradedNotional = 0;
  order.makerFees = 0;
  order.takerFees = 0;
}

/**
 * Halts the market, because the next trade would be too far away; the remainder rests if it may.
 */
function haltForBreaker(state: EngineState, order: Placement): void {
  const { account, book, limitTicks, side } = order;
  const { haltMs } = book.breaker as BreakerTerms;
  haltMarket(state, book, state.nowMs + haltMs);
  order.metBreaker = true;
  order.isAsPlaced = false;
  if (order.mayRest && crossesOwnOrder(state, account, book, side, limitTicks)) {
    order.stopReason = END_REASON.selfTrade;
  }
}

/**
 * Whether both parties may own the proceeds of the trade. If the taker may not, the order stops;
 * if the maker may not, the maker's order has ended.
 */
function bothCanReceive(
  state: EngineState,
  order: Placement,
  maker: number,
  priceTicks: number,
  lots: number,
): boolean {
  const { book, side, spentAssetId } = order;
  const notional = notionalOf(book, priceTicks, lots);
  const baseAmount = baseAmountOf(book, lots);
  const [spent, received] = side === BID ? [notional, baseAmount] : [baseAmount, notional];
  const receivedAssetId = side === BID ? book.baseAssetId : book.quoteAssetId;
  if (!canReceive(state, order.account, receivedAssetId, received)) {
    order.stopReason = endReasonCode("balanceTooLarge");
    return false;
  }
  const makerAccount = state.orders.accountOf(maker);
  if (canReceive(state, makerAccount, spentAssetId, spent)) return true;
  endOrder(state, maker, END_EXPIRED, endReasonCode("balanceTooLarge"));
  return false;
}

/** Settles the maker of one match and emits the trade. */
function trade(
  state: EngineState,
  order: Placement,
  maker: number,
  level: number,
  priceTicks: number,
  lots: number,
): void {
  const { book, listId, orderId, side } = order;
  const { events, feeTiers, ledger, orders } = state;
  const takerBuys = side === BID;
  const makerAccount = orders.accountOf(maker);
  const makerHasDetails = orders.hasDetails(maker);
  const makerOrderId = orders.idOf(maker);
  const makerVisibleLots = orders.visibleLotsOf(maker) - lots;

  const notional = notionalOf(book, priceTicks, lots);
  const baseAmount = baseAmountOf(book, lots);
  const makerGross = takerBuys ? notional : baseAmount;
  const takerGross = takerBuys ? baseAmount : notional;
  const released =
    takerBuys && order.holdsAtLimit ? notionalOf(book, order.limitTicks, lots) - notional : 0;
  const makerFee = feeOn(makerGross, makerFeeBpsOfRow(orders.feesOf(maker)));
  const takerFee = feeOn(takerGross, takerFeeBpsOf(order.fees));
  const receivedAssetId = takerBuys ? book.baseAssetId : book.quoteAssetId;
  const makerReceived = makerGross - makerFee;
  ledger.settleMaker(makerAccount, receivedAssetId, takerGross, order.spentAssetId, makerReceived);
  order.tradedLots += lots;
  order.tradedNotional += notional;
  order.makerFees += makerFee;
  order.takerFees += takerFee;
  order.remainingHeld -= makerGross + released;
  assert(order.remainingHeld >= 0, "an order never spends more than it held");
  order.remainingLots -= lots;
  if (order.isByQuote) order.remainingQuote -= notional;
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
    orderId,
    makerAccount,
    order.account,
    makerFee,
    takerFee,
    makerHasDetails ? makerVisibleLots + book.hiddenLotsOf(maker) : makerVisibleLots,
    released,
  );
  if (book.quoteAssetId === state.catalogue.settlementId) {
    feeTiers.addVolume(makerAccount, notional);
  }
  if (makerVisibleLots === 0 && !makerHasDetails && listId === 0) {
    events.makerFilled();
    book.removeFirst(level, maker);
    forgetOrder(state, maker, makerAccount, makerOrderId, book);
  } else {
    book.reduce(maker, lots);
    if (makerHasDetails) {
      tradedOfList(state, state.details.at(maker).listId, makerOrderId, makerReceived);
    }
    if (listId !== 0) tradedOfList(state, listId, orderId, takerGross - takerFee);
    restOn(state, maker);
  }
  if (book.triggers.isReachedBy(priceTicks)) {
    book.triggers.onPrice(priceTicks, state.activations, state.ordersPerCommandMax);
  }
}
