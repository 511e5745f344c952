/**
 * Takes up the orders that have waited: those whose trigger a trade has reached, and the pending
 * ones whose working order has filled. They are taken up one by one after the command that set them
 * free has finished, in the order in which they were set free; each may trade and set others free.
 * What is more than one command may do (work-limit.ts) follows after the next commands. An order that
 * has ended meanwhile is passed over.
 *
 * Invariants: an activated order holds all that it needs; each is activated once for each thing that
 * it waits for.
 */
import { assert } from "../assert.ts";
import { divideRoundingDown, type Amount, type Lots, type Ticks } from "../amount.ts";
import type { OrderTerms, OrderTrigger } from "../commands.ts";
import { endOrder, endPairedLimit, stopWaiting } from "./ending.ts";
import { END_EXPIRED, becauseRefused } from "./end-codes.ts";
import type { EventBuffer } from "../event-buffer.ts";
import { canFill } from "../book/liquidity.ts";
import type { Matching } from "../book/matching.ts";
import { letWait } from "./opening.ts";
import type { OrderList } from "./order-lists.ts";
import { isPostOnly } from "../book/order-table.ts";
import { capOf, type Placing } from "./placing.ts";
import { BID } from "../book/price-ladder.ts";
import { bandEdgeOf, breakerEdgeOf, isWithinBand, tighterOf } from "../markets/price-limits.ts";
import type { RejectReason } from "../reject-reasons.ts";
import type { EngineState } from "../state.ts";
import { trailedTicks } from "../book/triggers.ts";
import { findWaiting, type Waiting } from "./waiting-orders.ts";

export class Activating {
  readonly #state: EngineState;
  readonly #placing: Placing;
  readonly #matching: Matching;

  constructor(state: EngineState, placing: Placing, matching: Matching) {
    this.#state = state;
    this.#placing = placing;
    this.#matching = matching;
  }

  /** Takes up what was set free, until nothing is left of it or it is as much as one command may. */
  takeUp(events: EventBuffer): void {
    const { activations, ordersPerCommandMax } = this.#state;
    // It may grow while it is worked off.
    for (let taken = 0; activations.length > 0 && taken < ordersPerCommandMax; taken++) {
      const waiting = findWaiting(this.#state, activations.take());
      if (waiting === undefined) continue;
      const { book, details } = waiting;
      if (details.waitsFor === "trigger") {
        // Where the market has stopped meanwhile it is looked at again when trading goes on.
        if (book.isTrading) this.#goToMarket(waiting, events);
        else book.triggers.add(details);
      } else if (book.isTrading) {
        const list = this.#state.lists.get(details.listId) as OrderList;
        this.#placePending(list, events);
      }
    }
  }

  /** Its trigger was reached, it holds what it needs: only the book can still refuse it. */
  #goToMarket(waiting: Waiting, events: EventBuffer): void {
    const { account, book, details, lots, side, slot } = waiting;
    const { orders } = this.#state;
    if (details.listId !== 0) endPairedLimit(this.#state, details, events);
    stopWaiting(this.#state, details, account);
    this.#tell(waiting, "trigger", 0, lots, events);

    const order = this.#matching.incoming;
    const fees = orders.feesOf(slot);
    order.takeOpen(slot, details.orderId, account, book, side, fees, details);
    order.waitsFor = "nothing";
    order.priceTicks = details.priceTicks;
    order.timeInForce = details.timeInForce;
    order.quoteAmount = details.quoteAmount;
    order.isByQuote = details.quoteAmount !== 0;
    order.totalLots = lots;
    order.remainingLots = lots;
    order.heldAmount = details.heldAmount;
    order.holdsAtLimit = details.orderType === "limit";
    if (details.orderType === "limit") {
      order.limitTicks = details.priceTicks;
    } else if (side === BID && !order.isByQuote) {
      order.limitTicks = Math.min(capOf(book, details.triggerTicks), bandEdgeOf(book, side));
      order.holdsAtLimit = true;
    } else {
      order.limitTicks = bandEdgeOf(book, side);
    }
    const refusal = this.#refuseByBook();
    if (refusal === null) {
      this.#matching.match(events);
      this.#matching.restOrEnd(events);
    } else {
      order.remainingHeld = order.heldAmount;
      this.#matching.endIncoming(END_EXPIRED, becauseRefused(refusal), events);
    }
  }

  #refuseByBook(): RejectReason | null {
    const order = this.#matching.incoming;
    const { account, book, limitTicks, side } = order;
    // A market order's limit is the band's edge at most.
    if (!isWithinBand(book, side, limitTicks)) return "priceOutsideBand";
    if (order.postOnly && book.crosses(side, limitTicks)) return "wouldCross";
    if (order.timeInForce !== "fok") return null;
    const passesOver = order.selfTradePrevention === "expireMaker";
    const worstTicks = tighterOf(side, limitTicks, breakerEdgeOf(book, side, this.#state.nowMs));
    const lots = order.remainingLots;
    const fills = canFill(this.#state, book, side, worstTicks, lots, account, passesOver);
    return fills ? null : "wouldNotFill";
  }

  /** The working order of a list has filled: what was pending is placed, or ends as refused. */
  #placePending(list: OrderList, events: EventBuffer): void {
    const pending = list.otherOrderIds.map(
      (orderId) => findWaiting(this.#state, orderId) as Waiting,
    );
    const lots = Math.min(...pending.map((waiting) => this.#lotsOf(waiting, list)));
    const refusal = this.#examine(pending, lots);
    if (refusal !== null) {
      const why = becauseRefused(refusal.reason);
      endOrder(this.#state, refusal.of.slot, END_EXPIRED, why, events);
      return;
    }
    const [first, second] = pending;
    let heldAmount = 0;
    if (second === undefined) {
      this.#state.lists.delete(list.listId);
      first.details.listId = 0;
    } else {
      // The trigger order waits before the limit order goes to the market.
      heldAmount = this.#take(first, lots);
      const shared = Math.max(0, this.#take(second, lots) - heldAmount);
      this.#hold(second, shared, lots, events);
      letWait(this.#state, this.#matching.incoming, events);
    }
    heldAmount = this.#take(first, lots);
    this.#hold(first, heldAmount, lots, events);
    if (this.#matching.incoming.waitsFor === "trigger") {
      letWait(this.#state, this.#matching.incoming, events);
      return;
    }
    stopWaiting(this.#state, first.details, first.account);
    this.#matching.match(events);
    this.#matching.restOrEnd(events);
  }

  /** Its quantity, where it is open: what its working order received, in whole lots. */
  #lotsOf({ book, details, lots, side }: Waiting, list: OrderList): number {
    if (lots !== 0 || details.quoteAmount !== 0) return lots;
    if (side !== BID) return divideRoundingDown(list.receivedAmount, book.lotUnits);
    let priceTicks = details.priceTicks;
    if (priceTicks === 0) {
      const { trailBps, trigger } = details;
      const triggerTicks =
        trigger === "trailingStop"
          ? trailedTicks(book.lastTicks, trailBps, true)
          : details.triggerTicks;
      priceTicks = capOf(book, triggerTicks);
    }
    return divideRoundingDown(list.receivedAmount, priceTicks * book.tickLotUnits);
  }

  /** The first of them that would be refused if it were placed now, null where none would. */
  #examine(
    pending: readonly Waiting[],
    lots: number,
  ): { of: Waiting; reason: RejectReason } | null {
    let needed = 0;
    if (lots === 0 && pending[0].details.quoteAmount === 0) {
      return { of: pending[0], reason: "invalidQuantity" };
    }
    for (const waiting of pending) {
      const { account, book } = waiting;
      // They are among the open and the algorithmic orders already.
      const terms = termsOf(waiting, lots, isPostOnly(this.#feesOf(waiting)));
      const reason = this.#placing.examine(terms, account, book.marketId, -1, -1, true);
      if (reason !== null) return { of: waiting, reason };
      needed = Math.max(needed, this.#matching.incoming.heldAmount);
    }
    this.#matching.incoming.heldAmount = needed;
    const reason = this.#placing.refuseHold(0);
    return reason === null ? null : { of: pending[0], reason };
  }

  /** Makes it the incoming order, as it was placed; returns what it needs. */
  #take(waiting: Waiting, lots: number): number {
    const { account, book, details, side, slot } = waiting;
    const order = this.#matching.incoming;
    const fees = this.#feesOf(waiting);
    const terms = termsOf(waiting, lots, isPostOnly(fees));
    const reason = this.#placing.examine(terms, account, book.marketId, -1, -1, true);
    assert(reason === null, "an order that is taken up was examined");
    order.takeOpen(slot, details.orderId, account, book, side, fees, details);
    return order.heldAmount;
  }

  #hold(waiting: Waiting, heldAmount: number, lots: number, events: EventBuffer): void {
    const order = this.#matching.incoming;
    order.heldAmount = heldAmount;
    this.#state.ledger.hold(order.account, order.spentAssetId, heldAmount);
    this.#state.orders.setTotalLots(waiting.slot, order.totalLots);
    this.#tell(waiting, "workingOrder", heldAmount, lots, events);
  }

  #tell(
    { account, book, details, side }: Waiting,
    cause: "trigger" | "workingOrder",
    heldAmount: number,
    lots: number,
    events: EventBuffer,
  ): void {
    events.rare({
      type: "orderActivated",
      orderId: details.orderId,
      account,
      marketId: book.marketId,
      side: side === BID ? "buy" : "sell",
      cause,
      lastTicks: book.lastTicks as Ticks,
      heldAmount: heldAmount as Amount,
      quantityLots: lots as Lots,
    });
  }

  #feesOf({ slot }: Waiting): number {
    return this.#state.orders.feesOf(slot);
  }
}

/** The terms of a waiting order as they were given, with the quantity that it has now. */
function termsOf({ details, side }: Waiting, lots: number, postOnly: boolean): OrderTerms {
  const { displayLots, expiresAtMs, selfTradePrevention, trailBps, trigger } = details;
  const triggerTicks = details.triggerTicks as Ticks;
  let asked: OrderTrigger | undefined;
  if (trigger === "trailingStop") asked = { kind: trigger, trailBps };
  else if (trigger !== "none") asked = { kind: trigger, triggerTicks };
  return {
    side: side === BID ? "buy" : "sell",
    orderType: details.orderType,
    timeInForce: details.timeInForce,
    postOnly,
    priceTicks: details.priceTicks as Ticks,
    quantityLots: lots as Lots,
    quoteAmount: details.quoteAmount as Amount,
    clientOrderId: "",
    conditions: {
      selfTradePrevention: selfTradePrevention === "" ? undefined : selfTradePrevention,
      displayLots: displayLots === 0 ? undefined : (displayLots as Lots),
      expiresAtMs: expiresAtMs === 0 ? undefined : expiresAtMs,
      trigger: asked,
    },
  };
}
