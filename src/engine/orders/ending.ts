/**
 * How open orders end: what they hold goes back, their row and whatever refers to it is given up,
 * one `orderEnded` says why, and what is left of their list ends with them.
 *
 * Invariants: an order that has ended is in no book, timer, trigger or list; each accepted order
 * ends exactly once. Never: refusals; whoever ends an order has decided that it ends.
 */
import { AMOUNT_MAX } from "../amount.ts";
import { BECAUSE, END_CANCELLED, END_FILLED } from "./end-codes.ts";
import type { EventBuffer } from "../event-buffer.ts";
import type { OrderBook } from "../book/order-book.ts";
import { type OrderDetails } from "./order-details.ts";
import { NO_ORDER, hasClientId } from "../book/order-table.ts";
import { ASK, BID } from "../book/price-ladder.ts";
import type { EngineState } from "../state.ts";

export class Ending {
  readonly #state: EngineState;

  constructor(state: EngineState) {
    this.#state = state;
  }

  /** Ends an open order, resting or waiting, and gives back what it holds. */
  end(slot: number, status: number, reason: number, events: EventBuffer): void {
    const { orders } = this.#state;
    if (!orders.hasDetails(slot)) {
      this.#endResting(slot, status, reason, 0, events);
      return;
    }
    const details = this.#state.details.at(slot);
    const { listId, orderId } = details;
    if (details.waitsFor === "nothing") {
      this.#endResting(slot, status, reason, 0, events);
    } else {
      this.#endWaiting(slot, details, status, reason, events);
    }
    if (listId !== 0) this.endedOfList(listId, orderId, false, events);
  }

  /** Ends a resting order whose last lot has traded; nothing is held for it any more. */
  fill(slot: number, events: EventBuffer): void {
    const { orders } = this.#state;
    const account = orders.accountOf(slot);
    const marketAndSide = orders.marketAndSideOf(slot);
    const orderId = orders.idOf(slot);
    const book = this.#state.books[marketAndSide >> 1] as OrderBook;
    const priceTicks = book.priceOf(slot);
    const listId = orders.hasDetails(slot) ? this.#state.details.at(slot).listId : 0;
    book.remove(marketAndSide & 1, slot);
    this.forget(slot, account, orderId, book);
    events.orderEnded(
      orderId,
      account,
      book.marketId,
      (marketAndSide & 1) === ASK,
      END_FILLED,
      BECAUSE.filled,
      priceTicks,
      0,
      0,
      true,
      0,
    );
    if (listId !== 0) this.endedOfList(listId, orderId, true, events);
  }

  /** Gives up the row of an order that is in no book any more, and what refers to it. */
  forget(slot: number, account: number, orderId: number, book: OrderBook): void {
    const { accounts, clientOrderIds, orders } = this.#state;
    if (hasClientId(orders.feesOf(slot))) clientOrderIds.orderEnded(orderId);
    if (orders.hasDetails(slot)) this.#forgetDetails(slot, account, book);
    accounts.removeOpenOrder(account, slot);
    orders.free(slot);
  }

  /**
   * An order of a list has ended: pending orders of a working order that was filled are to be
   * placed, in every other case the whole list ends.
   */
  endedOfList(listId: number, orderId: number, isFilled: boolean, events: EventBuffer): void {
    const { lists } = this.#state;
    const list = lists.get(listId);
    if (list === undefined) return;
    if (isFilled && list.workingOrderId === orderId) {
      list.workingOrderId = 0;
      this.#state.activations.push(list.otherOrderIds[0]);
      return;
    }
    this.endRestOfList(listId, orderId, events);
  }

  /**
   * An order of a list has traded, or lost quantity to one of its own account: what a working order
   * receives is added up, the other order of a live pair ends.
   */
  tradedOfList(listId: number, orderId: number, received: number, events: EventBuffer): void {
    if (listId === 0) return;
    const list = this.#state.lists.get(listId);
    if (list === undefined) return;
    // What an account receives and spends in turn may add up to any amount.
    const receivedAmount = Math.min(list.receivedAmount + received, AMOUNT_MAX);
    if (list.workingOrderId === orderId) list.receivedAmount = receivedAmount;
    else this.endRestOfList(listId, orderId, events);
  }

  /**
   * The trigger order of a live pair is reached: the limit order ends, and of the hold that they
   * share the trigger order keeps what it needs.
   */
  endPairedLimit(trigger: OrderDetails, events: EventBuffer): void {
    const { lists, orders } = this.#state;
    const list = lists.get(trigger.listId);
    trigger.listId = 0;
    if (list === undefined) return;
    lists.delete(list.listId);
    const slot = orders.find(list.otherOrderIds[0]);
    const kept = Math.min(this.holdOf(slot), trigger.neededAmount);
    trigger.heldAmount = trigger.neededAmount;
    this.#endResting(slot, END_CANCELLED, BECAUSE.listEnded, kept, events);
  }

  /** Dissolves a list and ends its orders, except one, in order of placement. */
  endRestOfList(listId: number, exceptOrderId: number, events: EventBuffer): void {
    const { lists, orders } = this.#state;
    const list = lists.get(listId);
    if (list === undefined) return;
    lists.delete(listId);
    for (const orderId of [list.workingOrderId, ...list.otherOrderIds]) {
      const slot = orderId === exceptOrderId ? NO_ORDER : orders.find(orderId);
      if (slot !== NO_ORDER) this.end(slot, END_CANCELLED, BECAUSE.listEnded, events);
    }
  }

  /** What an open order holds. */
  holdOf(slot: number): number {
    const { details: table, orders } = this.#state;
    const marketAndSide = orders.marketAndSideOf(slot);
    const book = this.#state.books[marketAndSide >> 1] as OrderBook;
    let lots = orders.shownLotsOf(slot);
    if (orders.hasDetails(slot)) {
      const details = table.at(slot);
      if (details.waitsFor !== "nothing") return details.heldAmount;
      lots += details.hiddenLots;
    }
    return (marketAndSide & 1) === BID
      ? book.priceOf(slot) * lots * book.tickLotUnits
      : lots * book.lotUnits;
  }

  /** The trigger of a waiting order was reached, or its working order filled. */
  stopWaiting(details: OrderDetails, account: number): void {
    details.waitsFor = "nothing";
    if (!details.isAlgorithmic) this.#state.accounts.countAlgoOrders(account, -1);
  }

  /** `keptAmount` of what it held stays held, for the order that takes its place. */
  #endResting(
    slot: number,
    status: number,
    reason: number,
    keptAmount: number,
    events: EventBuffer,
  ): void {
    const { ledger, levels, orders } = this.#state;
    const orderId = orders.idOf(slot);
    const shownLots = orders.shownLotsOf(slot);
    const level = orders.levelOf(slot);
    const priceTicks = levels.priceOf(level);
    const account = orders.accountOf(slot);
    const marketAndSide = orders.marketAndSideOf(slot);
    const side = marketAndSide & 1;
    const book = this.#state.books[marketAndSide >> 1] as OrderBook;
    const remainingLots = orders.hasDetails(slot) ? shownLots + book.hiddenLotsOf(slot) : shownLots;
    const held =
      side === BID ? priceTicks * remainingLots * book.tickLotUnits : remainingLots * book.lotUnits;
    const released = held - keptAmount;
    ledger.release(account, side === BID ? book.quoteAssetId : book.baseAssetId, released);
    book.remove(side, slot);
    this.forget(slot, account, orderId, book);
    events.orderEnded(
      orderId,
      account,
      book.marketId,
      side === ASK,
      status,
      reason,
      priceTicks,
      remainingLots,
      released,
      true,
      shownLots,
    );
  }

  #endWaiting(
    slot: number,
    details: OrderDetails,
    status: number,
    reason: number,
    events: EventBuffer,
  ): void {
    const { ledger, orders } = this.#state;
    const account = orders.accountOf(slot);
    const marketAndSide = orders.marketAndSideOf(slot);
    const side = marketAndSide & 1;
    const book = this.#state.books[marketAndSide >> 1] as OrderBook;
    const { orderId, heldAmount, priceTicks } = details;
    const remainingLots = orders.totalLotsOf(slot);
    ledger.release(account, side === BID ? book.quoteAssetId : book.baseAssetId, heldAmount);
    this.forget(slot, account, orderId, book);
    events.orderEnded(
      orderId,
      account,
      book.marketId,
      side === ASK,
      status,
      reason,
      priceTicks,
      remainingLots,
      heldAmount,
      false,
      0,
    );
  }

  #forgetDetails(slot: number, account: number, book: OrderBook): void {
    const { accounts, details: table, timers } = this.#state;
    const details = table.at(slot);
    if (details.timer !== undefined) timers.remove(details.timer);
    if (details.isAlgorithmic) accounts.countAlgoOrders(account, -1);
    if (details.displayLots > 0) book.icebergCount--;
    if (details.waitsFor === "trigger") book.triggers.remove(details);
    table.free(slot);
  }
}
