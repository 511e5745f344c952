/**
 * How an order is placed: refuse → hold → wait, or match → settle → rest.
 *
 * The first refusal that applies, in this order: its enumerated values, its account, its client
 * order id, its time limit, the order that it replaces, its market, a freeze, the state of its
 * market, its terms (conditions first), if it may stay open the limits of its plan and of the
 * exchange's tables, its trigger or the book (including the largest notional and the price band),
 * its hold. All reasons in order: docs/order-types.md.
 *
 * Invariants: every check precedes every change, so that a refused command changes nothing.
 */
import { feeSourceOf, makerFeeBpsOf, takerFeeBpsOf } from "../accounts/packed-fees.ts";
import { match } from "../book/matching.ts";
import { NO_ORDER } from "../book/order-table.ts";
import { ASK, BID } from "../book/price-ladder.ts";
import type { CommandOf, OrderTerms, PlaceOrder } from "../commands.ts";
import { isSameRequest } from "../idempotency/client-order-ids.ts";
import type { Outcome, RejectReason } from "../reject-reasons.ts";
import type { EngineState } from "../state.ts";
import { validateTimeLimit } from "../time/time-limits.ts";
import { END_REASON, END_CANCELLED } from "./end-codes.ts";
import { endOrder, holdOf } from "./ending.ts";
import { letWait } from "./opening.ts";
import { keptConditions } from "../order-terms.ts";
import { isWellFormed } from "./order-checks.ts";
import { packOrderFlags } from "../formats/order-flags.ts";
import type { Placement } from "./placement.ts";
import { placePlainOrder } from "./plain-orders.ts";
import { restOrEnd } from "./remainders.ts";
import { ALONE, validateHold, validateOrder } from "./validating.ts";

/**
 * Fills the state's first placement. If the order is accepted, its order id is that placement's.
 */
export function placeOrder(state: EngineState, command: PlaceOrder): Outcome {
  const { account, marketId } = command;
  const order = state.placements.first;
  if (!isWellFormed(command)) return "invalidCommand";
  if (!state.accounts.exists(account)) return "unknownAccount";
  if (command.clientOrderId !== "") {
    const known = answerKnown(state, account, marketId, command);
    if (known !== null) return known;
  }
  const late = validateTimeLimit(command.validUntilMs, state.nowMs);
  if (late !== null) return late;
  if (placePlainOrder(state, order, command)) return "accepted";
  const refusal =
    validateOrder(state, order, command, account, marketId, ALONE) ??
    validateHold(state, order, order.heldAmount, 0);
  if (refusal !== null) return refusal;

  acceptOrder(state, order);
  executeOrder(state, order);
  return "accepted";
}

/**
 * Why an order would be refused now, apart from its hold and its time limit; null
 * if it would be accepted. Uses the state's first placement, which means nothing between commands.
 */
export function refusalOfOrder(state: EngineState, command: PlaceOrder): RejectReason | null {
  const { account, clientOrderId, marketId } = command;
  const { accounts, clientOrderIds, nowMs, placements } = state;
  if (!isWellFormed(command)) return "invalidCommand";
  if (!accounts.exists(account)) return "unknownAccount";
  const isKnown = clientOrderId !== "" && clientOrderIds.find(account, clientOrderId, nowMs);
  if (isKnown) return "duplicateClientOrderId";
  return validateOrder(state, placements.first, command, account, marketId, ALONE);
}

/** Cancels one order and places another; both are checked before anything changes. */
export function replaceOrder(state: EngineState, command: CommandOf<"replaceOrder">): Outcome {
  const { account, marketId, mode, order: terms } = command;
  if (mode !== "stopOnFailure" && mode !== "allowFailure") return "invalidCommand";
  if (typeof terms !== "object" || terms === null || !isWellFormed(terms)) {
    return "invalidCommand";
  }
  const { accounts, orders } = state;
  const order = state.placements.first;
  if (!accounts.exists(account)) return "unknownAccount";
  if (terms.clientOrderId !== "") {
    const known = answerKnown(state, account, marketId, terms);
    if (known !== null) return known;
  }
  const late = validateTimeLimit(command.validUntilMs, state.nowMs);
  if (late !== null) return late;
  let slot = orders.find(command.orderId);
  if (slot !== NO_ORDER && orders.accountOf(slot) !== account) {
    slot = NO_ORDER;
  }
  if (slot === NO_ORDER && mode === "stopOnFailure") return "unknownOrder";
  const old = slot === NO_ORDER ? undefined : replacedOrder(state, slot, marketId, terms);
  if (old === "invalidReplacement") return old;
  const circumstances = {
    ...ALONE,
    extraOpen: old ? -1 : 0,
    extraAlgo: old?.isAlgorithmic ? -1 : 0,
  };
  const refusal =
    validateOrder(state, order, terms, account, marketId, circumstances) ??
    validateHold(state, order, order.heldAmount, old?.heldAmount ?? 0);
  if (refusal !== null) return refusal;

  if (slot !== NO_ORDER) endOrder(state, slot, END_CANCELLED, END_REASON.replaced);
  acceptOrder(state, order);
  executeOrder(state, order);
  return "accepted";
}

/** Gives the order its id and its hold. From here on nothing is refused. */
export function acceptOrder(state: EngineState, order: Placement): void {
  const { account, fees, heldAmount, terms } = order;
  const { conditions } = terms;
  order.orderId = state.nextOrderId++;
  state.ledger.hold(account, order.spentAssetId, heldAmount);
  state.events.orderPlaced(
    order.orderId,
    account,
    order.book.marketId,
    packOrderFlags(terms),
    terms.priceTicks,
    terms.quantityLots,
    terms.quoteAmount,
    heldAmount,
    makerFeeBpsOf(fees),
    takerFeeBpsOf(fees),
    feeSourceOf(fees),
    terms.clientOrderId,
    conditions === undefined ? undefined : keptConditions(conditions),
    order.listId,
  );
  order.isAsPlaced = order.listId === 0;
}

/** Lets the accepted order wait, or sends it to the market. */
export function executeOrder(state: EngineState, order: Placement): void {
  let isOpen = true;
  if (order.waitsFor === "nothing") {
    match(state, order);
    isOpen = restOrEnd(state, order);
  } else {
    letWait(state, order);
  }
  const { account, book, orderId, terms } = order;
  if (terms.clientOrderId === "") return;
  const { clientOrderIds, nowMs, sequence } = state;
  clientOrderIds.remember(account, book.marketId, terms, orderId, sequence, nowMs, isOpen);
}

/** The outcome for a known client order id: a repeat, or a refusal; null if the id is new. */
function answerKnown(
  { clientOrderIds, events, nowMs }: EngineState,
  account: number,
  marketId: number,
  terms: OrderTerms,
): Outcome | null {
  const placed = clientOrderIds.find(account, terms.clientOrderId, nowMs);
  if (placed === undefined) return null;
  if (!isSameRequest(placed, marketId, terms)) return "duplicateClientOrderId";
  events.requestRepeated(placed.sequence, placed.orderId);
  return "repeated";
}

/** The amount that the replaced order releases. It must be of the same market and side, and in no list. */
function replacedOrder(
  state: EngineState,
  slot: number,
  marketId: number,
  terms: OrderTerms,
): { heldAmount: number; isAlgorithmic: boolean } | "invalidReplacement" {
  const { details: table, lists, orders } = state;
  const side = terms.side === "buy" ? BID : ASK;
  if (orders.marketAndSideOf(slot) !== marketId * 2 + side) {
    return "invalidReplacement";
  }
  const heldAmount = holdOf(state, slot);
  if (!orders.hasDetails(slot)) return { heldAmount, isAlgorithmic: false };
  const { isAlgorithmic, listId } = table.at(slot);
  return lists.has(listId) ? "invalidReplacement" : { heldAmount, isAlgorithmic };
}
