/**
 * How an order comes in: refuse → hold → wait, or match → settle → rest.
 *
 * The first refusal that applies, in this order: its words, its account, its client order id, its
 * time limit, the order that it replaces, its market, a freeze, the state of its market, its terms (conditions
 * first), where it may stay open the limits of its plan and of the exchange's tables, its trigger or
 * the book (the largest notional and the price band among it), what it must hold. Every reason in
 * its turn: docs/order-types.md.
 *
 * Invariants: every check precedes every change, so that a refused command changes nothing.
 */
import { AMOUNT_MAX, type Lots } from "../amount.ts";
import type { PlanTerms } from "../markets/catalogue.ts";
import { isSameRequest } from "../idempotency/client-order-ids.ts";
import type { OrderTerms, OrderTrigger, PlaceOrder, ReplaceOrder } from "../commands.ts";
import { endOrder, holdOf } from "./ending.ts";
import { feeSourceOf, makerFeeBpsOf, takerFeeBpsOf } from "../accounts/fee-tiers.ts";
import { BECAUSE, END_CANCELLED } from "./end-codes.ts";
import { packOrderFlags } from "../formats/order-flags.ts";
import type { EventBuffer } from "../event-buffer.ts";
import { NO_LEVEL } from "../book/level-table.ts";
import { canFill, costToBuy, lotsToReceive } from "../book/liquidity.ts";
import { refuseByStatus } from "../markets/market-statuses.ts";
import type { Matching } from "../book/matching.ts";
import { activatesAbove, letWait } from "./opening.ts";
import type { OrderBook } from "../book/order-book.ts";
import { keptConditions } from "../formats/order-conditions.ts";
import { isWellFormed, refuseConditions, refuseTerms } from "./order-checks.ts";
import { NO_ORDER } from "../book/order-table.ts";
import type { Outcome } from "../outcome.ts";
import { crossesOwnOrder } from "../book/own-orders.ts";
import { PlainOrders } from "./plain-orders.ts";
import { ASK, BID } from "../book/price-ladder.ts";
import {
  bandEdgeOf,
  breakerEdgeOf,
  isWithinBand,
  notionalMaxOf,
  tighterOf,
} from "../markets/price-limits.ts";
import type { RejectReason } from "../reject-reasons.ts";
import type { EngineState } from "../state.ts";
import { refuseLate } from "../time/time-limits.ts";
import { trailedTicks } from "../book/triggers.ts";

export class Placing {
  /** The order that the last accepted placement got. */
  orderId = 0;

  readonly #state: EngineState;
  readonly #matching: Matching;
  readonly #plainOrders: PlainOrders;

  constructor(state: EngineState, matching: Matching) {
    this.#state = state;
    this.#matching = matching;
    this.#plainOrders = new PlainOrders(state, matching);
  }

  place(command: PlaceOrder, sequence: number, events: EventBuffer): Outcome {
    const { account, marketId } = command;
    if (!isWellFormed(command)) return "invalidCommand";
    if (!this.#state.accounts.exists(account)) return "unknownAccount";
    if (command.clientOrderId !== "") {
      const known = this.#answerKnown(account, marketId, command, events);
      if (known !== null) return known;
    }
    const late = refuseLate(command, this.#state.nowMs);
    if (late !== null) return late;
    const orderId = this.#plainOrders.place(command, sequence, events);
    if (orderId !== 0) {
      this.orderId = orderId;
      return "accepted";
    }
    const refusal = this.examine(command, account, marketId, 0, 0) ?? this.refuseHold(0);
    if (refusal !== null) return refusal;

    this.accept(command, events);
    this.carryOut(command, sequence, events);
    return "accepted";
  }

  /** Cancels one order and places another; both are checked before anything changes. */
  replace(command: ReplaceOrder, sequence: number, events: EventBuffer): Outcome {
    const { account, marketId, mode, order } = command;
    if (mode !== "stopOnFailure" && mode !== "allowFailure") return "invalidCommand";
    if (typeof order !== "object" || order === null || !isWellFormed(order)) {
      return "invalidCommand";
    }
    const { accounts, orders } = this.#state;
    if (!accounts.exists(account)) return "unknownAccount";
    if (order.clientOrderId !== "") {
      const known = this.#answerKnown(account, marketId, order, events);
      if (known !== null) return known;
    }
    const late = refuseLate(command, this.#state.nowMs);
    if (late !== null) return late;
    let slot = orders.find(command.orderId);
    if (slot !== NO_ORDER && orders.accountOf(slot) !== account) {
      slot = NO_ORDER;
    }
    if (slot === NO_ORDER && mode === "stopOnFailure") return "unknownOrder";
    const old = slot === NO_ORDER ? undefined : this.#replaced(slot, marketId, order);
    if (old === "invalidReplacement") return old;
    const refusal =
      this.examine(order, account, marketId, old ? -1 : 0, old?.isAlgorithmic ? -1 : 0) ??
      this.refuseHold(old?.heldAmount ?? 0);
    if (refusal !== null) return refusal;

    if (slot !== NO_ORDER) endOrder(this.#state, slot, END_CANCELLED, BECAUSE.replaced, events);
    this.accept(order, events);
    this.carryOut(order, sequence, events);
    return "accepted";
  }

  /**
   * Why the order cannot be placed, its hold aside, null where it can; what it learns is kept in
   * `matching.incoming`. The extras are orders that the same command opens (or, negative, ends). An
   * order that is open already has its place in the tables, however full they are.
   */
  examine(
    terms: OrderTerms,
    account: number,
    marketId: number,
    extraOpen: number,
    extraAlgo: number,
    isOpen = false,
  ): RejectReason | null {
    const { accounts, books, catalogue } = this.#state;
    if (!catalogue.markets.has(marketId)) return "unknownMarket";
    const book = books[marketId] as OrderBook;
    if (accounts.isFrozen(account)) return "accountFrozen";
    if (!book.isTrading) {
      const refusal = refuseByStatus(book.status, terms);
      if (refusal !== null) return refusal;
    }
    const badTerms = this.#refuseTerms(terms, book);
    if (badTerms !== null) return badTerms;

    const plan = this.#planOf(account);
    const trigger = terms.conditions?.trigger;
    if (trigger !== undefined || terms.timeInForce === "gtc" || terms.timeInForce === "gtd") {
      const refusal = this.#refuseOneMore(terms, account, book, plan, {
        isPending: false,
        isOpen,
        extraOpen,
        extraAlgo,
      });
      if (refusal !== null) return refusal;
    }
    this.#take(terms, account, book, plan);
    if (trigger !== undefined) return this.#refuseTrigger(terms, trigger);
    return terms.orderType === "market" ? this.#refuseAtMarket() : this.#refuseAtLimit(account);
  }

  /**
   * Why the order cannot wait for a working order, null where it can. Its size, its hold and the
   * state of the book are looked at when its time comes.
   */
  examinePending(
    terms: OrderTerms,
    account: number,
    marketId: number,
    extra: number,
  ): RejectReason | null {
    const book = this.#state.books[marketId] as OrderBook;
    const isOpenEnded = terms.quantityLots === 0 && terms.quoteAmount === 0;
    const sized = isOpenEnded ? { ...terms, quantityLots: book.quantityLotsMax as Lots } : terms;
    const badTerms = this.#refuseTerms(sized, book);
    if (badTerms !== null && !(isOpenEnded && SIZE_REASONS.has(badTerms))) return badTerms;
    const plan = this.#planOf(account);
    return this.#refuseOneMore(terms, account, book, plan, {
      isPending: true,
      isOpen: false,
      extraOpen: extra,
      extraAlgo: extra,
    });
  }

  /** Makes the order, which holds nothing yet, the incoming one. */
  takePending(terms: OrderTerms, account: number, book: OrderBook): void {
    const order = this.#matching.incoming;
    this.#take(terms, account, book, this.#planOf(account));
    order.isPlain = false;
    order.waitsFor = "workingOrder";
    order.heldAmount = 0;
    order.neededAmount = 0;
    const trigger = terms.conditions?.trigger;
    if (trigger === undefined) return;
    order.trigger = trigger.kind;
    if (trigger.kind === "trailingStop") order.trailBps = trigger.trailBps;
    else order.triggerTicks = trigger.triggerTicks;
  }

  #refuseTerms(terms: OrderTerms, book: OrderBook): RejectReason | null {
    const refusal =
      terms.conditions === undefined
        ? null
        : refuseConditions(terms, terms.conditions, this.#state.nowMs);
    return refusal ?? refuseTerms(terms, book);
  }

  #planOf(account: number): PlanTerms {
    const { accounts, catalogue } = this.#state;
    return catalogue.planTerms(accounts.planOf(account));
  }

  #take(terms: OrderTerms, account: number, book: OrderBook, plan: PlanTerms): void {
    const order = this.#matching.incoming;
    order.takeTerms(terms, account, book, terms.side === "buy" ? BID : ASK);
    const fees = book.ownFees || this.#state.feeTiers.feesOf(account);
    order.makerFeeBps = makerFeeBpsOf(fees);
    order.takerFeeBps = takerFeeBpsOf(fees);
    order.feeSource = feeSourceOf(fees);
    order.notionalMax = notionalMaxOf(book, plan);
  }

  /** Why the account can have no further open order of this kind, null where it can. */
  #refuseOneMore(
    terms: OrderTerms,
    account: number,
    book: OrderBook,
    plan: PlanTerms,
    { isPending, isOpen, extraOpen, extraAlgo }: OneMore,
  ): RejectReason | null {
    const { accounts, orders } = this.#state;
    if (accounts.openOrderCount(account) + extraOpen >= plan.openOrdersMax) {
      return "tooManyOpenOrders";
    }
    // The order that a replacement ends gives its row free.
    if (extraOpen >= 0 && orders.isFull) return "limitReached";
    const { conditions } = terms;
    if (conditions === undefined && !isPending) return null;
    const isAlgorithmic =
      isPending || conditions?.trigger !== undefined || conditions?.displayLots !== undefined;
    if (isAlgorithmic && accounts.algoOrderCount(account) + extraAlgo >= plan.algoOrdersMax) {
      return "tooManyAlgoOrders";
    }
    if (!isOpen && !this.#hasRoomForDetails()) return "limitReached";
    return hasRoomForTrigger(book, conditions?.trigger) ? null : "limitReached";
  }

  /** Whether the incoming order can hold what it must, beside what the command gives free. */
  refuseHold(freedAmount: number): RejectReason | null {
    const order = this.#matching.incoming;
    const available = this.#state.ledger.available(order.account, order.spentAssetId);
    return order.heldAmount > available + freedAmount ? "insufficientAvailable" : null;
  }

  /** From here on nothing is refused: the incoming order gets its id and its hold. */
  accept(terms: OrderTerms, events: EventBuffer): void {
    const order = this.#matching.incoming;
    const { conditions } = terms;
    this.orderId = this.#state.nextOrderId++;
    order.orderId = this.orderId;
    this.#state.ledger.hold(order.account, order.spentAssetId, order.heldAmount);
    events.orderPlaced(
      order.orderId,
      order.account,
      order.book.marketId,
      packOrderFlags(terms.side, terms.orderType, terms.timeInForce, terms.postOnly),
      terms.priceTicks,
      terms.quantityLots,
      terms.quoteAmount,
      order.heldAmount,
      order.makerFeeBps,
      order.takerFeeBps,
      order.feeSource,
      terms.clientOrderId,
      conditions === undefined ? undefined : keptConditions(conditions),
      order.listId,
    );
  }

  /** The accepted order waits, or goes to the market. */
  carryOut(terms: OrderTerms, sequence: number, events: EventBuffer): void {
    const order = this.#matching.incoming;
    let isOpen = true;
    if (order.waitsFor === "nothing") {
      this.#matching.match(events);
      isOpen = this.#matching.restOrEnd(events);
    } else {
      letWait(this.#state, order, events);
    }
    if (terms.clientOrderId === "") return;
    const { account, book, orderId } = order;
    this.#state.clientOrderIds.remember(
      account,
      book.marketId,
      terms,
      orderId,
      sequence,
      this.#state.nowMs,
      isOpen,
    );
  }

  /** Where the client order id is known: a repeat, or a refusal; null where it is new. */
  #answerKnown(
    account: number,
    marketId: number,
    terms: OrderTerms,
    events: EventBuffer,
  ): Outcome | null {
    const { clientOrderIds, nowMs } = this.#state;
    const placed = clientOrderIds.find(account, terms.clientOrderId, nowMs);
    if (placed === undefined) return null;
    if (!isSameRequest(placed, marketId, terms)) return "duplicateClientOrderId";
    events.requestRepeated(placed.sequence, placed.orderId);
    return "repeated";
  }

  /** What the order to be replaced gives free; it is of the same market and side, and of no list. */
  #replaced(
    slot: number,
    marketId: number,
    terms: OrderTerms,
  ): { heldAmount: number; isAlgorithmic: boolean } | "invalidReplacement" {
    const { details: table, orders } = this.#state;
    const side = terms.side === "buy" ? BID : ASK;
    if (orders.marketAndSideOf(slot) !== marketId * 2 + side) {
      return "invalidReplacement";
    }
    const heldAmount = holdOf(this.#state, slot);
    if (!orders.hasDetails(slot)) return { heldAmount, isAlgorithmic: false };
    const { isAlgorithmic, listId } = table.at(slot);
    return this.#state.lists.has(listId) ? "invalidReplacement" : { heldAmount, isAlgorithmic };
  }

  #hasRoomForDetails(): boolean {
    const { details, timers } = this.#state;
    return details.room >= ROOM_KEPT && !timers.isFull;
  }

  #refuseAtLimit(account: number): RejectReason | null {
    const order = this.#matching.incoming;
    const { book, priceTicks, side, totalLots } = order;
    const notional = priceTicks * totalLots * book.tickLotUnits;
    if (notional > order.notionalMax) return "notionalTooLarge";
    if (!isWithinBand(book, side, priceTicks)) return "priceOutsideBand";
    if (book.isGathering) {
      if (crossesOwnOrder(this.#state, account, book, side, priceTicks)) {
        return "wouldCrossOwnOrder";
      }
    } else if (order.postOnly && book.crosses(side, priceTicks)) {
      return "wouldCross";
    }
    if (order.timeInForce === "fok") {
      const passesOver = order.selfTradePrevention === "expireMaker";
      const worstTicks = tighterOf(side, priceTicks, breakerEdgeOf(book, side, this.#state.nowMs));
      if (!canFill(this.#state, book, side, worstTicks, totalLots, account, passesOver)) {
        return "wouldNotFill";
      }
    }
    order.limitTicks = priceTicks;
    order.heldAmount = side === BID ? notional : totalLots * book.lotUnits;
    return null;
  }

  #refuseAtMarket(): RejectReason | null {
    const order = this.#matching.incoming;
    const { book, quoteAmount, side, totalLots } = order;
    if (book.ladder.best(side === BID ? ASK : BID) === NO_LEVEL) return "noLiquidity";
    const lotCost = book.bestTicks(side === BID ? ASK : BID) * book.tickLotUnits;
    if (order.isByQuote) {
      if (lotCost > quoteAmount) return "notionalTooSmall";
      if (quoteAmount > order.notionalMax) return "notionalTooLarge";
    } else {
      if (lotCost * totalLots < book.notionalMin) return "notionalTooSmall";
      if (lotCost * totalLots > order.notionalMax) return "notionalTooLarge";
    }
    const limitTicks = bandEdgeOf(book, side);
    order.limitTicks = limitTicks;
    const passedOver = order.selfTradePrevention === "expireMaker" ? order.account : 0;
    if (side === ASK && !order.isByQuote) {
      order.heldAmount = totalLots * book.lotUnits;
    } else if (side === ASK) {
      const reach = lotsToReceive(this.#state, book, quoteAmount, limitTicks, passedOver);
      order.limitTicks = reach.worstTicks;
      order.heldAmount = reach.amount * book.lotUnits;
    } else if (order.isByQuote) {
      order.heldAmount = quoteAmount;
    } else {
      const reach = costToBuy(this.#state, book, totalLots, limitTicks, passedOver);
      if (reach.amount > AMOUNT_MAX) return "notionalTooLarge";
      order.limitTicks = reach.worstTicks;
      order.heldAmount = reach.amount;
    }
    return null;
  }

  /** An order with a trigger holds what it needs once that is reached. */
  #refuseTrigger(terms: OrderTerms, trigger: OrderTrigger): RejectReason | null {
    const order = this.#matching.incoming;
    const { book, side, totalLots } = order;
    const { lastTicks } = book;
    if (lastTicks === 0) return "noReferencePrice";
    const isAbove = activatesAbove(side, trigger.kind);
    order.waitsFor = "trigger";
    order.trigger = trigger.kind;
    if (trigger.kind === "trailingStop") {
      order.trailBps = trigger.trailBps;
      order.triggerTicks = trailedTicks(lastTicks, trigger.trailBps, isAbove);
    } else {
      order.triggerTicks = trigger.triggerTicks;
    }
    const { triggerTicks } = order;
    if (isAbove ? lastTicks >= triggerTicks : lastTicks <= triggerTicks) {
      return "wouldTriggerAtOnce";
    }
    if (terms.orderType === "market" && !order.isByQuote) {
      if (triggerTicks * totalLots * book.tickLotUnits < book.notionalMin) {
        return "notionalTooSmall";
      }
    }
    order.heldAmount = neededByTrigger(
      book,
      side,
      terms.priceTicks,
      triggerTicks,
      totalLots,
      terms.quoteAmount,
    );
    order.neededAmount = order.heldAmount;
    const notional = order.isByQuote
      ? order.quoteAmount
      : (terms.priceTicks || triggerTicks) * totalLots * book.tickLotUnits;
    const isTooLarge = notional > order.notionalMax || order.heldAmount > AMOUNT_MAX;
    return isTooLarge ? "notionalTooLarge" : null;
  }
}

/** What a quantity that is not known yet can be refused for. */
const SIZE_REASONS: ReadonlySet<RejectReason> = new Set([
  "quantityTooLarge",
  "notionalTooSmall",
  "notionalTooLarge",
  "invalidDisplay",
]);

/** Details that stay free for the orders of a list, which are checked one by one. */
const ROOM_KEPT = 3;

/** What is asked about an order that would be one more. */
interface OneMore {
  readonly isPending: boolean;
  /** It has its row, its details and its timer already. */
  readonly isOpen: boolean;
  readonly extraOpen: number;
  readonly extraAlgo: number;
}

function hasRoomForTrigger(book: OrderBook, trigger: OrderTrigger | undefined): boolean {
  if (trigger === undefined) return true;
  return book.triggers.hasRoomFor(1, trigger.kind === "trailingStop" ? 1 : 0);
}

/**
 * What a triggered order needs to go to the market: a limit order its notional or its quantity, a
 * market order to sell its quantity, to buy its total or its quantity at the cap.
 */
function neededByTrigger(
  book: OrderBook,
  side: number,
  priceTicks: number,
  triggerTicks: number,
  lots: number,
  quoteAmount: number,
): number {
  if (side === ASK) return lots * book.lotUnits;
  if (quoteAmount !== 0) return quoteAmount;
  const limitTicks = priceTicks === 0 ? capOf(book, triggerTicks) : priceTicks;
  return limitTicks * lots * book.tickLotUnits;
}

/** The highest price that a triggered market order by quantity buys at. */
export function capOf(book: OrderBook, triggerTicks: number): number {
  return trailedTicks(triggerTicks, book.protectionBps, true);
}
