/**
 * Self-trade prevention: what happens when an order meets another order of its account.
 *
 * Invariants: they do not trade; at most one of them continues with its full quantity. Never: auctions,
 * in which such orders are refused (wouldCrossOwnOrder in order-model-refusals.ts).
 */
import { lotOf, tickOf } from "./market-model.ts";
import { endOrder, tradedInList } from "./order-model-ending.ts";
import { modeOf, naming, type ModelExchange, type ModelOrder } from "./order-model-exchange.ts";
import { hold, restingNeeds } from "./order-model-holds.ts";

/** Applies the taker's mode; returns whether the taker stops. */
export function preventSelfTrade(
  exchange: ModelExchange,
  taker: ModelOrder,
  maker: ModelOrder,
  wanted: bigint,
  limit: bigint | undefined,
): boolean {
  const mode = modeOf(taker.terms, taker.market);
  const { market } = taker;
  const isByQuote = taker.terms.quoteAmount !== 0;
  let lots = wanted < maker.left ? wanted : maker.left;
  // Its hold may not suffice if orders that it was computed from ended without trading.
  const covered = taker.held / lotOf(market);
  if (isByQuote && taker.side === "sell" && covered < lots) lots = covered;
  if (limit !== undefined && taker.side === "buy") {
    const atLimit = taker.held / (limit * tickOf(market));
    if (atLimit < lots) lots = atLimit;
  }
  const isUsedUp = lots === wanted || lots < maker.left;
  const takerLost = isByQuote ? 0n : taker.left;
  const lost: Record<typeof mode, readonly [taker: bigint, maker: bigint]> = {
    expireTaker: [takerLost, 0n],
    expireMaker: [0n, maker.left],
    expireBoth: [takerLost, maker.left],
    decrement: [lots, lots],
  };
  const endsTaker = mode === "decrement" ? isUsedUp : mode !== "expireMaker";
  exchange.events.push({
    type: "selfTradePrevented",
    account: taker.account,
    marketId: taker.market.id,
    matchId: endsTaker ? taker.id : maker.id,
    takerSide: taker.side,
    takerOrderId: taker.id,
    makerOrderId: maker.id,
    mode,
    priceTicks: Number(maker.price),
    takerLots: Number(lost[mode][0]),
    makerLots: Number(lost[mode][1]),
  });
  if (mode === "expireTaker") return true;
  if (mode !== "decrement") {
    endOrder(exchange, maker, "expired", "selfTrade");
    return mode === "expireBoth";
  }
  if (lots === 0n) return true;
  const shownBefore = maker.shown;
  const hidden = maker.left - maker.shown;
  lose(exchange, maker, lots, restingNeeds(maker.side, maker.price, lots, market));
  maker.shown -= lots > hidden ? lots - hidden : 0n;
  tellDecremented(exchange, maker, true, lots, maker.left, shownBefore);

  if (isByQuote) taker.quoteLeft -= lots * maker.price * tickOf(market);
  let given = 0n;
  if (taker.side === "sell") given = lots * lotOf(market);
  else if (limit !== undefined) given = lots * limit * tickOf(market);
  lose(exchange, taker, isByQuote ? 0n : lots, given);
  tellDecremented(exchange, taker, false, lots, isByQuote ? 0n : taker.left, 0n, given);
  if (maker.left === 0n) endOrder(exchange, maker, "expired", "selfTrade");
  else tradedInList(exchange, maker, 0n);
  tradedInList(exchange, taker, 0n);
  return isUsedUp;
}

function lose(exchange: ModelExchange, order: ModelOrder, lots: bigint, released: bigint): void {
  order.left -= lots;
  order.total -= lots;
  hold(exchange, order, -released);
}

function tellDecremented(
  exchange: ModelExchange,
  order: ModelOrder,
  wasResting: boolean,
  lots: bigint,
  left: bigint,
  shownBefore: bigint,
  released = restingNeeds(order.side, order.price, lots, order.market),
): void {
  exchange.events.push({
    type: "quantityDecremented",
    ...naming(order),
    wasResting,
    priceTicks: wasResting ? Number(order.price) : 0,
    decrementedLots: Number(lots),
    remainingLots: Number(left),
    releasedAmount: Number(released),
    previousVisibleLots: Number(shownBefore),
    visibleLots: wasResting ? Number(order.shown) : 0,
  });
}
