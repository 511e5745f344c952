/**
 * How a list of orders is placed, all of it or nothing: OCO, OTO and OTOCO (a bracket).
 *
 * The orders get their ids in the order of the command. Those that wait do so before the first one
 * goes to the market, so that whatever happens to it reaches them. A pair holds the larger need of its
 * two orders: the limit order holds its own need, the trigger order its need beyond that.
 *
 * Never: the later life of a list (ending.ts, activating.ts).
 */
import type { CommandOf, OrderTerms } from "../commands.ts";
import { isSameRequest } from "../idempotency/client-order-ids.ts";
import type { Outcome, RejectReason } from "../reject-reasons.ts";
import type { EngineState } from "../state.ts";
import { validateTimeLimit } from "../time/time-limits.ts";
import { isClientId, isWellFormed } from "./order-checks.ts";
import { LISTS_MAX } from "./order-lists.ts";
import { acceptOrder, executeOrder } from "./placing.ts";
import { ALONE, fillPending, validateHold, validateOrder, validatePending } from "./validating.ts";

const ORDER_COUNTS = { oco: 2, oto: 2, otoco: 3 } as const;

/**
 * Fills the state's first placement with the list's first order. If accepted, its order id is that
 * placement's.
 */
export function placeOrderList(state: EngineState, command: CommandOf<"placeOrderList">): Outcome {
  const { account, clientListId, kind, marketId, orders } = command;
  const { first, second } = state.placements;
  if (!isWellFormedList(command)) return "invalidCommand";
  if (!state.accounts.exists(account)) return "unknownAccount";
  const known = answerKnownList(state, command);
  if (known !== null) return known;
  const late = validateTimeLimit(command.validUntilMs, state.nowMs);
  if (late !== null) return late;
  if (!areConsistent(command)) return "invalidList";
  if (state.lists.size >= LISTS_MAX) return "limitReached";
  const refusal = kind === "oco" ? validatePair(state, command) : validateWorking(state, command);
  if (refusal !== null) return refusal;

  const listId = state.nextListId++;
  const firstId = state.nextOrderId;
  const orderIds = orders.map((_, index) => firstId + index);
  state.lists.set(listId, {
    listId,
    marketId,
    workingOrderId: kind === "oco" ? 0 : firstId,
    otherOrderIds: kind === "oco" ? orderIds : orderIds.slice(1),
    receivedAmount: 0,
  });
  state.events.rare({
    type: "orderListPlaced",
    listId,
    account,
    marketId,
    kind,
    orderIds,
    ...(clientListId !== undefined && { clientListId }),
  });
  first.listId = listId;
  acceptOrder(state, first);
  for (const terms of orders.slice(1)) {
    if (kind === "oco") second.heldAmount = Math.max(0, second.neededAmount - first.heldAmount);
    else fillPending(state, second, terms, account, first.book);
    second.listId = listId;
    acceptOrder(state, second);
    executeOrder(state, second);
  }
  executeOrder(state, first);
  return "accepted";
}

/**
 * Answers a list whose client order ids are known: if all belong to one list, it is the same
 * request again.
 */
function answerKnownList(
  { clientOrderIds, events, nowMs }: EngineState,
  command: CommandOf<"placeOrderList">,
): Outcome | null {
  const { account, marketId, orders } = command;
  const named = orders.filter(({ clientOrderId }) => clientOrderId !== "");
  const ids = new Set(named.map(({ clientOrderId }) => clientOrderId));
  if (ids.size < named.length) return "duplicateClientOrderId";
  const found = named.map((terms) => clientOrderIds.find(account, terms.clientOrderId, nowMs));
  const first = found.find((placed) => placed !== undefined);
  if (first === undefined) return null;
  const isSame = found.every(
    (placed, index) =>
      placed !== undefined &&
      placed.sequence === first.sequence &&
      isSameRequest(placed, marketId, named[index]),
  );
  if (!isSame) return "duplicateClientOrderId";
  events.requestRepeated(first.sequence, first.orderId);
  return "repeated";
}

/**
 * Fills the first placement with the limit order, which goes to the market, and the second with the
 * trigger order.
 */
function validatePair(
  state: EngineState,
  { account, marketId, orders }: CommandOf<"placeOrderList">,
): RejectReason | null {
  const { first, second } = state.placements;
  const [limit, trigger] = orders;
  const isIceberg = limit.conditions?.displayLots !== undefined;
  const beside = { ...ALONE, extraOpen: 1, extraAlgo: 1 };
  const besideLimit = { ...beside, extraAlgo: isIceberg ? 1 : 0 };
  return (
    validateOrder(state, second, trigger, account, marketId, besideLimit) ??
    validateOrder(state, first, limit, account, marketId, beside) ??
    validateHold(state, first, Math.max(first.heldAmount, second.heldAmount), 0)
  );
}

/** Fills the first placement with the working order. */
function validateWorking(
  state: EngineState,
  { account, marketId, orders }: CommandOf<"placeOrderList">,
): RejectReason | null {
  const { first } = state.placements;
  const [working, ...pending] = orders;
  const count = pending.length;
  const beside = { ...ALONE, extraOpen: count, extraAlgo: count };
  const refusal = validateOrder(state, first, working, account, marketId, beside);
  if (refusal !== null) return refusal;
  const others = count - 1;
  const waits = { ...ALONE, extraOpen: others, extraAlgo: others, isPending: true };
  for (const terms of pending) {
    const badPending = validatePending(state, terms, account, marketId, waits);
    if (badPending !== null) return badPending;
  }
  return validateHold(state, first, first.heldAmount, 0);
}

function isWellFormedList(command: CommandOf<"placeOrderList">): boolean {
  const { clientListId, kind, orders } = command;
  if (clientListId !== undefined && !isClientId(clientListId)) return false;
  if (kind !== "oco" && kind !== "oto" && kind !== "otoco") return false;
  if (!Array.isArray(orders) || orders.length !== ORDER_COUNTS[kind]) return false;
  return orders.every(
    (terms) => typeof terms === "object" && terms !== null && isWellFormed(terms),
  );
}

/** Whether the orders have terms that suit their roles in the list. */
function areConsistent({ kind, orders }: CommandOf<"placeOrderList">): boolean {
  if (kind === "oco") return isPair(orders[0], orders[1]) && orders[0].quantityLots !== 0;
  const [working, ...pending] = orders;
  if (working.conditions?.trigger !== undefined) return false;
  if (kind === "otoco" && !isPair(pending[0], pending[1])) return false;
  return pending.every((terms) => {
    if (terms.quantityLots !== 0 || terms.quoteAmount !== 0) return true;
    // The received coin can only be sold again; a buy needs a price, by which the proceeds are divided.
    const isMarket = terms.orderType === "market" && terms.conditions?.trigger === undefined;
    return terms.side !== working.side && !(isMarket && terms.side === "buy");
  });
}

function isPair(limit: OrderTerms, trigger: OrderTerms): boolean {
  return (
    limit.orderType === "limit" &&
    (limit.timeInForce === "gtc" || limit.timeInForce === "gtd") &&
    limit.conditions?.trigger === undefined &&
    trigger.conditions?.trigger !== undefined &&
    limit.side === trigger.side &&
    limit.quantityLots === trigger.quantityLots &&
    trigger.quoteAmount === 0
  );
}
