/**
 * How a list of orders comes in, all of it or nothing: OCO, OTO and OTOCO (a bracket).
 *
 * The orders get their ids in the order in which they are given. Those that wait do so before the
 * first one goes to the market, so that whatever happens to it reaches them. A pair holds the larger
 * of what its orders need: the limit order its own, the trigger order what it needs beyond that.
 *
 * Never: what a list does later (ending.ts, activating.ts).
 */
import { assert } from "../assert.ts";
import { isSameRequest } from "../idempotency/client-order-ids.ts";
import type { OrderTerms, PlaceOrderList } from "../commands.ts";
import type { EventBuffer } from "../event-buffer.ts";
import { IncomingOrder } from "./incoming-order.ts";
import type { Matching } from "../book/matching.ts";
import { isWellFormed } from "./order-checks.ts";
import { LISTS_MAX } from "./order-lists.ts";
import type { Outcome } from "../outcome.ts";
import type { Placing } from "./placing.ts";
import type { RejectReason } from "../reject-reasons.ts";
import type { EngineState } from "../state.ts";
import { refuseLate } from "../time/time-limits.ts";

const ORDER_COUNTS = { oco: 2, oto: 2, otoco: 3 } as const;

export class PlacingLists {
  readonly #state: EngineState;
  readonly #placing: Placing;
  readonly #matching: Matching;
  /** The first order while the others are placed. */
  readonly #first = new IncomingOrder();

  constructor(state: EngineState, placing: Placing, matching: Matching) {
    this.#state = state;
    this.#placing = placing;
    this.#matching = matching;
  }

  place(command: PlaceOrderList, sequence: number, events: EventBuffer): Outcome {
    const { account, kind, marketId, orders } = command;
    if (!isWellFormedList(command)) return "invalidCommand";
    if (!this.#state.accounts.exists(account)) return "unknownAccount";
    const known = this.#answerKnown(command, events);
    if (known !== null) return known;
    const late = refuseLate(command, this.#state.nowMs);
    if (late !== null) return late;
    if (!fitTogether(command)) return "invalidList";
    if (this.#state.lists.size >= LISTS_MAX) return "limitReached";
    const first = this.#matching.incoming;
    const refusal = kind === "oco" ? this.#examinePair(command) : this.#examineWorking(command);
    if (refusal !== null) return refusal;

    const listId = this.#state.nextListId++;
    const firstId = this.#state.nextOrderId;
    const orderIds = orders.map((_, index) => firstId + index);
    this.#state.lists.set(listId, {
      listId,
      marketId,
      workingOrderId: kind === "oco" ? 0 : firstId,
      otherOrderIds: kind === "oco" ? orderIds : orderIds.slice(1),
      receivedAmount: 0,
    });
    events.rare({ type: "orderListPlaced", listId, account, marketId, kind, orderIds });
    first.join(listId);
    this.#placing.accept(orders[0], events);
    const heldByFirst = first.heldAmount;
    Object.assign(this.#first, first);
    for (const terms of orders.slice(1)) {
      if (kind === "oco") {
        const unlimited = -Infinity;
        const refused = this.#placing.examine(terms, account, marketId, unlimited, unlimited);
        assert(refused === null, "a pair was examined");
        first.heldAmount = Math.max(0, first.neededAmount - heldByFirst);
      } else {
        this.#placing.takePending(terms, account, first.book);
      }
      first.join(listId);
      this.#placing.accept(terms, events);
      this.#placing.carryOut(terms, sequence, events);
    }
    Object.assign(first, this.#first);
    this.#placing.carryOut(orders[0], sequence, events);
    this.#placing.orderId = firstId;
    return "accepted";
  }

  /** Where all client order ids are those of one list, it is the same request again. */
  #answerKnown(command: PlaceOrderList, events: EventBuffer): Outcome | null {
    const { account, marketId, orders } = command;
    const named = orders.filter(({ clientOrderId }) => clientOrderId !== "");
    const ids = new Set(named.map(({ clientOrderId }) => clientOrderId));
    if (ids.size < named.length) return "duplicateClientOrderId";
    const { clientOrderIds, nowMs } = this.#state;
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

  /** Leaves the limit order, which goes to the market, as the incoming one. */
  #examinePair(command: PlaceOrderList): RejectReason | null {
    const { account, marketId } = command;
    const [limit, trigger] = command.orders;
    const order = this.#matching.incoming;
    const displayLots = limit.conditions?.displayLots;
    const alsoAlgo = displayLots === undefined ? 0 : 1;
    const badTrigger = this.#placing.examine(trigger, account, marketId, 1, alsoAlgo);
    if (badTrigger !== null) return badTrigger;
    const needed = order.heldAmount;
    const badLimit = this.#placing.examine(limit, account, marketId, 1, 1);
    if (badLimit !== null) return badLimit;
    const limitHold = order.heldAmount;
    order.heldAmount = Math.max(limitHold, needed);
    const refusal = this.#placing.refuseHold(0);
    order.heldAmount = limitHold;
    return refusal;
  }

  /** Leaves the working order as the incoming one. */
  #examineWorking(command: PlaceOrderList): RejectReason | null {
    const { account, marketId, orders } = command;
    const [working, ...pending] = orders;
    const count = pending.length;
    const refusal = this.#placing.examine(working, account, marketId, count, count);
    if (refusal !== null) return refusal;
    for (const terms of pending) {
      const others = count - 1;
      const badPending = this.#placing.examinePending(terms, account, marketId, others);
      if (badPending !== null) return badPending;
    }
    return this.#placing.refuseHold(0);
  }
}

function isWellFormedList({ kind, orders }: PlaceOrderList): boolean {
  if (kind !== "oco" && kind !== "oto" && kind !== "otoco") return false;
  if (!Array.isArray(orders) || orders.length !== ORDER_COUNTS[kind]) return false;
  return orders.every(
    (terms) => typeof terms === "object" && terms !== null && isWellFormed(terms),
  );
}

/** Whether the orders can be what their places in the list say. */
function fitTogether({ kind, orders }: PlaceOrderList): boolean {
  if (kind === "oco") return isPair(orders[0], orders[1]) && orders[0].quantityLots !== 0;
  const [working, ...pending] = orders;
  if (working.conditions?.trigger !== undefined) return false;
  if (kind === "otoco" && !isPair(pending[0], pending[1])) return false;
  return pending.every((terms) => {
    if (terms.quantityLots !== 0 || terms.quoteAmount !== 0) return true;
    // What is received can only be given away again; at a price, where it is to be divided by one.
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
