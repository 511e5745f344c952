/**
 * Matching: an incoming order trades with the best orders of the other side, one maker after another,
 * until its limit, the band or the breaker stops it; then it rests or ends.
 *
 * Invariants: better price first, then lower rank; each trade is at its maker's price; both fees are
 * deducted from the amount received. Never: refusals; the order has been accepted.
 */
import type { OrderEndReason } from "#engine/events.ts";
import { beginWindow, breakerEdge, lotOf, opposite, reaches, tickOf } from "./market-model.ts";
import { bestOpposite, book, crossesOwn } from "./order-model-book.ts";
import { endOrder, tradedInList } from "./order-model-ending.ts";
import { mayRest, naming, type ModelExchange, type ModelOrder } from "./order-model-exchange.ts";
import { feeOn, hold, pay } from "./order-model-holds.ts";
import { refill } from "./order-model-icebergs.ts";
import { enterState } from "./order-model-markets.ts";
import { isLimited, mayReceive, receiptOf } from "./order-model-receipts.ts";
import { preventSelfTrade } from "./order-model-self-trades.ts";
import { seePrice } from "./order-model-triggers.ts";

/** Trades up to `limit`, or at any price if undefined; the order then rests or ends. */
export function toMarket(
  exchange: ModelExchange,
  order: ModelOrder,
  limit: bigint | undefined,
  holdsAtLimit: boolean,
): void {
  order.state = "matching";
  const { market, side, terms } = order;
  const isByQuote = terms.quoteAmount !== 0;
  const held = holdsAtLimit ? limit : undefined;
  let stopped: OrderEndReason | undefined;
  let metBreaker = false;
  const met = bestOpposite(exchange, market, side);
  if (market.status === "trading") beginWindow(market, exchange.nowMs, met);
  const edge = breakerEdge(market, side, exchange.nowMs, met);
  // Without the rule an order by total continues when it is spent.
  const goesOn = () =>
    isByQuote ? order.quoteLeft > 0n || !exchange.spentOrdersStop : order.left > 0n;
  while (market.status === "trading" && goesOn()) {
    const maker = book(exchange, market.id, opposite(side))[0];
    if (maker === undefined) break;
    if (limit !== undefined && !reaches(side, limit, maker.price)) break;
    const lotCost = maker.price * tickOf(market);
    const wanted = isByQuote ? order.quoteLeft / lotCost : order.left;
    // Its hold may not suffice for a cap that was raised since it was placed, or if orders that it was
    // computed from ended without trading.
    let covered = wanted;
    if (held !== undefined && side === "buy") covered = order.held / (held * tickOf(market));
    else if (held === undefined && isLimited(exchange, market)) {
      covered = order.held / (side === "buy" ? lotCost : lotOf(market));
    }
    if (exchange.spentOrdersStop && (wanted === 0n || covered === 0n)) {
      if (wanted > 0n && held === undefined) stopped = "bookExhausted";
      break;
    }
    if (edge !== undefined && !reaches(side, edge, maker.price)) {
      metBreaker = true;
      const { haltMs } = market.terms.breaker as { haltMs: number };
      enterState(exchange, market, "halted", "breaker", exchange.nowMs + haltMs);
      if (mayRest(terms) && crossesOwn(exchange, order.account, side, limit as bigint, market)) {
        stopped = "selfTrade";
      }
      break;
    }
    if (maker.account === order.account) {
      if (preventSelfTrade(exchange, order, maker, wanted, held)) stopped = "selfTrade";
      if (stopped !== undefined) break;
      continue;
    }
    if (wanted === 0n) break;
    let lots = wanted < maker.shown ? wanted : maker.shown;
    if (covered < lots) lots = covered;
    if (lots === 0n) {
      if (held === undefined) stopped = "bookExhausted";
      break;
    }
    if (isLimited(exchange, market)) {
      if (!mayReceive(exchange, order, receiptOf(order, lots, maker.price))) {
        stopped = "balanceTooLarge";
      }
      if (stopped !== undefined) break;
      if (!mayReceive(exchange, maker, receiptOf(maker, lots, maker.price))) {
        endOrder(exchange, maker, "expired", "balanceTooLarge");
        continue;
      }
    }
    trade(exchange, order, maker, lots, held);
  }
  const next = book(exchange, market.id, opposite(side))[0];
  const isUsedUp =
    order.quoteLeft === 0n || (next !== undefined && order.quoteLeft < next.price * tickOf(market));
  const isDone = isByQuote ? isUsedUp : order.left === 0n;
  if (stopped !== undefined) return endOrder(exchange, order, "expired", stopped);
  if (isDone) return endOrder(exchange, order, "filled", "filled");
  if (!mayRest(terms)) {
    let reason: OrderEndReason = "priceBand";
    if (metBreaker) reason = "breaker";
    else if (holdsAtLimit) reason = "immediateOrCancel";
    else if (next === undefined) reason = "bookExhausted";
    return endOrder(exchange, order, "expired", reason);
  }
  const display = BigInt(terms.conditions?.displayLots ?? 0);
  order.state = "resting";
  order.rank = ++exchange.rank;
  order.shown = display === 0n || display > order.left ? order.left : display;
  exchange.events.push({
    type: "orderRested",
    ...naming(order),
    priceTicks: Number(order.price),
    remainingLots: Number(order.left),
    visibleLots: Number(order.shown),
  });
}

function trade(
  exchange: ModelExchange,
  taker: ModelOrder,
  maker: ModelOrder,
  lots: bigint,
  limit: bigint | undefined,
): void {
  const { market, side } = taker;
  const notional = lots * maker.price * tickOf(market);
  const base = lots * lotOf(market);
  const released =
    side === "buy" && limit !== undefined ? lots * limit * tickOf(market) - notional : 0n;
  const [buyer, seller] = side === "buy" ? [taker, maker] : [maker, taker];
  const fees = new Map([
    [maker, feeOn(maker === buyer ? base : notional, maker.makerBps)],
    [taker, feeOn(taker === buyer ? base : notional, taker.takerBps)],
  ]);
  pay(exchange, buyer, seller, market.quote, notional, fees.get(seller) as bigint);
  pay(exchange, seller, buyer, market.base, base, fees.get(buyer) as bigint);
  if (released > 0n) hold(exchange, taker, -released);
  for (const order of [maker, taker]) {
    exchange.house.traded(order.account, market.quote, notional);
    order.left -= lots;
    if (order.terms.quoteAmount !== 0) {
      order.quoteLeft -= notional;
      order.left = 0n;
    }
  }
  maker.shown -= lots;
  market.last = maker.price;
  exchange.events.push({
    type: "traded",
    marketId: market.id,
    tradeId: ++market.trades,
    takerSide: side,
    priceTicks: Number(maker.price),
    quantityLots: Number(lots),
    notional: Number(notional),
    baseAmount: Number(base),
    makerOrderId: maker.id,
    takerOrderId: taker.id,
    makerAccount: maker.account,
    takerAccount: taker.account,
    makerFee: Number(fees.get(maker)),
    takerFee: Number(fees.get(taker)),
    makerRemainingLots: Number(maker.left),
    takerReleased: Number(released),
  });
  for (const order of [maker, taker]) {
    const gross = order === buyer ? base : notional;
    tradedInList(exchange, order, gross - (fees.get(order) as bigint));
  }
  if (maker.left === 0n) endOrder(exchange, maker, "filled", "filled");
  else if (maker.shown === 0n) refill(exchange, maker);
  seePrice(exchange, market, maker.price);
}
