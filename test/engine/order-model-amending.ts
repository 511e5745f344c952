/**
 * Amending: a resting order gets another price or quantity. It keeps its place in the queue only if its
 * quantity is reduced at the same price; otherwise it is sent to the market anew, with the same id.
 */
import { isGathering, isInBand, neverCrosses, spentOf, tickOf } from "./market-model.ts";
import { isPositive, type CommandOf, type Reasons } from "./model-parts.ts";
import { crosses, crossesOwn, touchOf } from "./order-model-book.ts";
import { naming, ownOrder, type ModelExchange } from "./order-model-exchange.ts";
import { hold, restingNeeds } from "./order-model-holds.ts";
import { isDisplay } from "./order-model-icebergs.ts";
import { toMarket } from "./order-model-matching.ts";
import { addSize, notionalMaxOf } from "./order-model-refusals.ts";

export function amendOrder(exchange: ModelExchange, command: CommandOf<"amendOrder">): Reasons {
  const { account, priceTicks, quantityLots } = command;
  const order = ownOrder(exchange, account, command.orderId);
  if (order === undefined) return new Set(["unknownOrder", "unknownAccount"]);
  if (order.state !== "resting") return new Set(["orderNotResting"]);
  const reasons: Reasons = new Set();
  const { list, market, side } = order;
  if (exchange.house.isFrozen(account)) reasons.add("accountFrozen");
  const { status } = market;
  if (!neverCrosses(status) && !isGathering(market)) reasons.add("marketNotTrading");
  if (list !== undefined && list.working !== order) reasons.add("invalidList");
  if (priceTicks !== 0 && !isPositive(priceTicks)) return reasons.add("invalidPrice");
  if (quantityLots !== 0 && !isPositive(quantityLots)) return reasons.add("invalidQuantity");
  const price = priceTicks === 0 ? order.price : BigInt(priceTicks);
  const total = quantityLots === 0 ? order.total : BigInt(quantityLots);
  const left = total - (order.total - order.left);
  if (left <= 0n) reasons.add("invalidQuantity");
  const moves = price !== order.price;
  if (!moves && total === order.total) reasons.add("nothingToChange");
  const display = order.terms.conditions?.displayLots;
  if (moves && (display !== undefined || list !== undefined)) reasons.add("invalidPrice");
  if (display !== undefined && !isDisplay(BigInt(display), total)) reasons.add("invalidDisplay");
  addSize(reasons, price, total, market);
  if (price * total * tickOf(market) > notionalMaxOf(exchange, account, market)) {
    reasons.add("notionalTooLarge");
  }
  if (moves && !isInBand(market, side, price, touchOf(exchange, market)))
    reasons.add("priceOutsideBand");
  if (isGathering(market)) {
    if (crossesOwn(exchange, account, side, price, market)) reasons.add("wouldCrossOwnOrder");
  } else if (moves && (order.terms.postOnly || status === "postOnly")) {
    if (crosses(exchange, side, price, market)) reasons.add("wouldCross");
  }
  const needs = restingNeeds(side, price, left, market);
  const asset = spentOf(side, market);
  if (needs - order.held > exchange.money.of(account, asset, "available")) {
    reasons.add("insufficientAvailable");
  }
  if (reasons.size > 0) return reasons;

  const previous = { previousPriceTicks: Number(order.price), previousVisibleLots: order.shown };
  const more = needs - order.held;
  hold(exchange, order, more);
  const keptPriority = !moves && total < order.total;
  const hiddenBefore = order.left - order.shown;
  const lost = order.left - left;
  Object.assign(order, { price, total, left });
  order.shown = !keptPriority ? 0n : order.shown - (lost > hiddenBefore ? lost - hiddenBefore : 0n);
  exchange.events.push({
    type: "orderAmended",
    ...naming(order),
    priceTicks: Number(price),
    quantityLots: Number(total),
    remainingLots: Number(left),
    heldAmount: Number(more > 0n ? more : 0n),
    releasedAmount: Number(more < 0n ? -more : 0n),
    keptPriority,
    previousPriceTicks: previous.previousPriceTicks,
    previousVisibleLots: Number(previous.previousVisibleLots),
    visibleLots: Number(order.shown),
  });
  if (!keptPriority) toMarket(exchange, order, price, true);
  return reasons;
}
