/**
 * Gives a resting order a new price, a new total quantity, or both: refuse → hold or release → match
 * → settle → rest. Less quantity at the same price leaves the order where it is in its queue;
 * anything else sends it to the end of the queue of its price, and where it crosses it trades first.
 *
 * Never: orders that wait (they are replaced), the conditions and fees that an order was placed with.
 */
import type { AmendOrder } from "../commands.ts";
import { holdOf } from "./ending.ts";
import type { EventBuffer } from "../event-buffer.ts";
import type { Matching } from "../book/matching.ts";
import type { OrderBook } from "../book/order-book.ts";
import { isDisplay, isPositive, refuseSize } from "./order-checks.ts";
import { type OrderDetails } from "./order-details.ts";
import { NO_ORDER, isPostOnly } from "../book/order-table.ts";
import type { Outcome } from "../outcome.ts";
import { crossesOwnOrder } from "../book/own-orders.ts";
import { BID } from "../book/price-ladder.ts";
import { isWithinBand, notionalMaxOf } from "../markets/price-limits.ts";
import type { RejectReason } from "../reject-reasons.ts";
import type { EngineState } from "../state.ts";

/** How the order stands, and how it is to stand. */
interface Amendment {
  readonly slot: number;
  readonly book: OrderBook;
  readonly side: number;
  readonly details: OrderDetails | undefined;
  readonly oldTicks: number;
  readonly oldTotal: number;
  readonly oldRemaining: number;
  readonly oldHold: number;
  readonly newTicks: number;
  readonly newTotal: number;
  readonly newRemaining: number;
  readonly newHold: number;
}

export class Amending {
  readonly #state: EngineState;
  readonly #matching: Matching;

  constructor(state: EngineState, matching: Matching) {
    this.#state = state;
    this.#matching = matching;
  }

  amend(command: AmendOrder, events: EventBuffer): Outcome {
    const { account } = command;
    const { accounts, ledger, orders } = this.#state;
    if (!accounts.exists(account)) return "unknownAccount";
    const slot = orders.find(command.orderId);
    if (slot === NO_ORDER) return "unknownOrder";
    if (orders.accountOf(slot) !== account) return "unknownOrder";
    const details = orders.hasDetails(slot) ? this.#state.details.at(slot) : undefined;
    if (details !== undefined && details.waitsFor !== "nothing") return "orderNotResting";
    const amendment = this.#amendment(slot, details, command);
    const refusal = this.#refuse(command, amendment);
    if (refusal !== null) return refusal;

    const { book, newHold, oldHold, side } = amendment;
    const assetId = side === BID ? book.quoteAssetId : book.baseAssetId;
    if (newHold > oldHold) ledger.hold(account, assetId, newHold - oldHold);
    else ledger.release(account, assetId, oldHold - newHold);
    const { newTicks, newTotal, oldTicks, oldTotal } = amendment;
    const keepsPriority = newTicks === oldTicks && newTotal < oldTotal;
    if (keepsPriority) this.#shrink(account, amendment, events);
    else this.#moveAgain(account, amendment, events);
    return "accepted";
  }

  #amendment(slot: number, details: OrderDetails | undefined, command: AmendOrder): Amendment {
    const { orders } = this.#state;
    const marketAndSide = orders.marketAndSideOf(slot);
    const side = marketAndSide & 1;
    const book = this.#state.books[marketAndSide >> 1] as OrderBook;
    const oldTicks = book.priceOf(slot);
    const oldTotal = orders.totalLotsOf(slot);
    const oldRemaining = orders.shownLotsOf(slot) + (details?.hiddenLots ?? 0);
    const newTicks = command.priceTicks === 0 ? oldTicks : command.priceTicks;
    const newTotal = command.quantityLots === 0 ? oldTotal : command.quantityLots;
    const newRemaining = newTotal - (oldTotal - oldRemaining);
    const newHold =
      side === BID ? newTicks * newRemaining * book.tickLotUnits : newRemaining * book.lotUnits;
    return {
      slot,
      book,
      side,
      details,
      oldTicks,
      oldTotal,
      oldRemaining,
      oldHold: holdOf(this.#state, slot),
      newTicks,
      newTotal,
      newRemaining,
      newHold,
    };
  }

  #refuse(command: AmendOrder, amendment: Amendment): RejectReason | null {
    const { accounts, catalogue, ledger, lists, orders } = this.#state;
    const { book, details, newTicks, newTotal, side, slot } = amendment;
    if (accounts.isFrozen(command.account)) return "accountFrozen";
    if (!book.isTrading && !book.isGathering && book.status !== "postOnly") {
      return "marketNotTrading";
    }
    const list = details === undefined ? undefined : lists.get(details.listId);
    // The orders of a live pair have one quantity and share a hold.
    if (list !== undefined && list.workingOrderId !== details?.orderId) return "invalidList";
    if (!isPositive(newTicks)) return "invalidPrice";
    if (!isPositive(newTotal) || amendment.newRemaining <= 0) return "invalidQuantity";
    const movesPrice = newTicks !== amendment.oldTicks;
    if (!movesPrice && newTotal === amendment.oldTotal) return "nothingToChange";
    const displayLots = details?.displayLots ?? 0;
    if (movesPrice && (displayLots > 0 || list !== undefined)) return "invalidPrice";
    if (displayLots > 0 && !isDisplay(displayLots, newTotal)) return "invalidDisplay";
    const badSize = refuseSize(newTicks, newTotal, book);
    if (badSize !== null) return badSize;
    const plan = catalogue.planTerms(accounts.planOf(command.account));
    const notional = newTicks * newTotal * book.tickLotUnits;
    if (notional > notionalMaxOf(book, plan)) return "notionalTooLarge";
    const postOnly = isPostOnly(orders.feesOf(slot));
    if (movesPrice && !isWithinBand(book, side, newTicks)) return "priceOutsideBand";
    if (book.isGathering) {
      if (crossesOwnOrder(this.#state, command.account, book, side, newTicks)) {
        return "wouldCrossOwnOrder";
      }
    } else if (postOnly || book.status === "postOnly") {
      if (movesPrice && book.crosses(side, newTicks)) return "wouldCross";
    }
    const assetId = side === BID ? book.quoteAssetId : book.baseAssetId;
    const available = ledger.available(command.account, assetId);
    const more = amendment.newHold - amendment.oldHold;
    return more > available ? "insufficientAvailable" : null;
  }

  /** Less of the same: the order keeps its place, what it hides goes first. */
  #shrink(account: number, amendment: Amendment, events: EventBuffer): void {
    const { orders } = this.#state;
    const { newTotal, oldTotal, slot } = amendment;
    const shownBefore = orders.shownLotsOf(slot);
    this.#matching.reduceResting(slot, oldTotal - newTotal);
    const shownLots = orders.shownLotsOf(slot);
    this.#tell(account, amendment, true, shownBefore, shownLots, events);
  }

  /** The order leaves the book and comes in again as it is to be. */
  #moveAgain(account: number, amendment: Amendment, events: EventBuffer): void {
    const { orders } = this.#state;
    const { book, details, newRemaining, newTicks, newTotal, side, slot } = amendment;
    const orderId = orders.idOf(slot);
    const shownBefore = orders.shownLotsOf(slot);
    book.remove(side, slot);
    orders.setTotalLots(slot, newTotal);
    this.#tell(account, amendment, false, shownBefore, 0, events);

    const order = this.#matching.incoming;
    const fees = orders.feesOf(slot);
    order.takeOpen(slot, orderId, account, book, side, fees, details);
    order.waitsFor = "nothing";
    order.priceTicks = newTicks;
    order.limitTicks = newTicks;
    // Whether it ends at a time is its timer's matter.
    order.timeInForce = "gtc";
    order.isByQuote = false;
    order.quoteAmount = 0;
    order.holdsAtLimit = true;
    order.totalLots = newTotal;
    order.remainingLots = newRemaining;
    order.heldAmount = amendment.newHold;
    this.#matching.match(events);
    this.#matching.restOrEnd(events);
  }

  #tell(
    account: number,
    amendment: Amendment,
    keptPriority: boolean,
    previousVisibleLots: number,
    visibleLots: number,
    events: EventBuffer,
  ): void {
    const { newHold, newRemaining, newTicks, newTotal, oldHold, oldTicks, side, slot } = amendment;
    events.orderAmended(
      this.#state.orders.idOf(slot),
      account,
      amendment.book.marketId,
      side !== BID,
      newTicks,
      newTotal,
      newRemaining,
      Math.max(0, newHold - oldHold),
      Math.max(0, oldHold - newHold),
      keptPriority,
      oldTicks,
      previousVisibleLots,
      visibleLots,
    );
  }
}
