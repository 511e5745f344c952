/**
 * Activating: an order whose trigger was reached is sent to the market, within the price limits in
 * force. In a pair (OCO) its limit order is cancelled first and passes on what both held together.
 *
 * Never: which price reaches a trigger (order-model-triggers.ts); pending orders (order-model-lists.ts).
 */
import { bandEdge, isInBand, tighter } from "./market-model.ts";
import { crosses, touchOf } from "./order-model-book.ts";
import { endOrder } from "./order-model-ending.ts";
import { naming, type ModelExchange, type ModelOrder } from "./order-model-exchange.ts";
import { toMarket } from "./order-model-matching.ts";
import { canFillWhole } from "./order-model-receipts.ts";
import { capOf } from "./order-model-triggers.ts";

export function activate(exchange: ModelExchange, order: ModelOrder): void {
  const { list, market, side, terms } = order;
  if (list !== undefined) {
    // The trigger order keeps what it needs of the pair's shared hold.
    const [limit] = list.others;
    for (const each of list.others) each.list = undefined;
    const kept = limit.held < order.needed ? limit.held : order.needed;
    const whole = limit.held;
    endOrder(exchange, limit, "cancelled", "listEnded", kept, true);
    order.held = order.held + whole - (whole - kept);
  }
  tellActivated(exchange, order, "trigger", 0n);
  const edge = bandEdge(market, side, touchOf(exchange, market));
  let limit: bigint | undefined = order.price;
  let holdsAtLimit = true;
  if (terms.orderType === "market") {
    holdsAtLimit = side === "buy" && terms.quoteAmount === 0;
    limit = holdsAtLimit ? tighter(side, capOf(order.triggerAt, market), edge) : edge;
  }
  if (limit !== undefined && !isInBand(market, side, limit, touchOf(exchange, market))) {
    return endOrder(exchange, order, "expired", "priceOutsideBand");
  }
  if (terms.postOnly && crosses(exchange, side, order.price, market)) {
    return endOrder(exchange, order, "expired", "wouldCross");
  }
  if (terms.timeInForce === "fok") {
    const fills = canFillWhole(exchange, terms, order.account, market, order.price, order.left);
    if (!fills) return endOrder(exchange, order, "expired", "wouldNotFill");
  }
  toMarket(exchange, order, limit, holdsAtLimit);
}

export function tellActivated(
  exchange: ModelExchange,
  order: ModelOrder,
  cause: "trigger" | "workingOrder",
  held: bigint,
): void {
  exchange.events.push({
    type: "orderActivated",
    ...naming(order),
    cause,
    lastTicks: Number(order.market.last),
    heldAmount: Number(held),
    quantityLots: Number(order.left),
  });
}
