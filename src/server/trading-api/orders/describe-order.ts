/**
 * Orders and their fills in the trading API's format, for calls, streams and history alike.
 */
import { formatDecimal } from "#contract/decimal.ts";
import { formatPrice, formatQuantity } from "../../functions/market-numbers.ts";
import type { OrderRecord } from "../../records/orders.ts";
import type { FillRecord } from "../../records/trades.ts";
import type { MarketView } from "../../views/catalogue.ts";
import { selfTradePreventionOf, symbolOf } from "../symbols.ts";
import { expiryReasonOf, hasExpired } from "./expiry-reason.ts";

export type OrderStatus =
  | "NEW"
  | "PENDING_NEW"
  | "PARTIALLY_FILLED"
  | "FILLED"
  | "CANCELED"
  | "EXPIRED"
  | "EXPIRED_IN_MATCH";

/** Binance's `orderListId` for an order that is in no list. */
export const NO_LIST = -1;

export function statusOf(order: OrderRecord): OrderStatus {
  const { status, endReason, filledLots, waitsFor } = order;
  switch (status) {
    case "filled":
      return "FILLED";
    case "cancelled":
      return hasExpired(order) ? "EXPIRED" : "CANCELED";
    case "expired":
      return endReason === "selfTrade" ? "EXPIRED_IN_MATCH" : "EXPIRED";
    case "open":
      if (waitsFor === "workingOrder") return "PENDING_NEW";
      return filledLots > 0 ? "PARTIALLY_FILLED" : "NEW";
    default:
      return status satisfies never;
  }
}

/**
 * Binance's type, such as "STOP_LOSS_LIMIT". A trailing stop is a stop loss with a trailing delta.
 */
function typeOf({ orderType, postOnly, conditions }: OrderRecord): string {
  const trigger = conditions?.trigger;
  if (trigger === undefined) {
    if (orderType === "market") return "MARKET";
    return postOnly ? "LIMIT_MAKER" : "LIMIT";
  }
  const kind = trigger.kind === "takeProfit" ? "TAKE_PROFIT" : "STOP_LOSS";
  return orderType === "market" ? kind : `${kind}_LIMIT`;
}

/**
 * Binance's time in force. It has none for an order that expires: that is a GTC order with a
 * `goodTillDate`.
 */
function timeInForceOf({ orderType, timeInForce }: OrderRecord): string {
  if (orderType === "market" || timeInForce === "gtd") return "GTC";
  return timeInForce.toUpperCase();
}

/** An order's ids, terms and progress. */
export function describeProgress(order: OrderRecord, market: MarketView) {
  const expiryReason = expiryReasonOf(order);
  return {
    price: formatPrice(order.priceTicks, market),
    origQty: formatQuantity(originalLots(order), market),
    executedQty: formatQuantity(order.filledLots, market),
    origQuoteOrderQty: formatDecimal(order.quoteAmount, market.quote.scale),
    cummulativeQuoteQty: formatDecimal(order.filledNotional, market.quote.scale),
    status: statusOf(order),
    timeInForce: timeInForceOf(order),
    type: typeOf(order),
    side: order.side.toUpperCase(),
    ...describeConditions(order, market),
    ...(expiryReason !== undefined && { expiryReason }),
  };
}

export function identityOf(order: OrderRecord, market: MarketView) {
  return {
    symbol: symbolOf(market),
    orderId: order.orderId,
    orderListId: order.listId === 0 ? NO_LIST : order.listId,
    clientOrderId: order.clientOrderId,
  };
}

/** The order's quantity; of an order by quote amount, the quantity that it has traded. */
function originalLots({ filledLots, quantityLots, quoteAmount }: OrderRecord): number {
  return quoteAmount === 0 ? quantityLots : filledLots;
}

/**
 * Since when a trailing stop follows the market; -1 if not yet, undefined for other orders. Of one that was
 * pending it is not recorded.
 */
function trailingTimeOf(order: OrderRecord): number | undefined {
  const { conditions, listKind, placedAtMs, waitsFor } = order;
  if (conditions?.trigger?.kind !== "trailingStop") return undefined;
  if (waitsFor === "workingOrder") return -1;
  return listKind === "oto" || listKind === "otoco" ? undefined : placedAtMs;
}

function describeConditions(order: OrderRecord, market: MarketView) {
  const { conditions = {}, triggerTicks } = order;
  const { displayLots, expiresAtMs, selfTradePrevention, trigger } = conditions;
  const { strategyId, strategyType } = conditions;
  const trailingTime = trailingTimeOf(order);
  return {
    ...(triggerTicks !== 0 && { stopPrice: formatPrice(triggerTicks, market) }),
    ...(trigger?.kind === "trailingStop" && { trailingDelta: trigger.trailBps }),
    ...(trailingTime !== undefined && { trailingTime }),
    ...(displayLots !== undefined && { icebergQty: formatQuantity(displayLots, market) }),
    ...(expiresAtMs !== undefined && { goodTillDate: expiresAtMs }),
    ...(strategyId !== undefined && { strategyId }),
    ...(strategyType !== undefined && { strategyType }),
    selfTradePreventionMode: selfTradePreventionOf(market, selfTradePrevention),
  };
}

/** An item of `openOrders` and `allOrders`, and the answer of `GET /api/v3/order`. */
export function describeOrder(order: OrderRecord, market: MarketView) {
  const { placedAtMs, status, updatedAtMs, waitsFor } = order;
  return {
    ...identityOf(order, market),
    ...describeProgress(order, market),
    time: placedAtMs,
    updateTime: updatedAtMs,
    isWorking: status === "open" ? waitsFor === "nothing" : true,
    workingTime: workingTimeOf(order),
  };
}

/** Since when the order works; -1 if it has not. */
export function workingTimeOf({ workingSinceMs }: OrderRecord): number {
  return workingSinceMs === 0 ? -1 : workingSinceMs;
}

/** @param cancelId the client's id for the cancellation, instead of the order's own, as at Binance */
export function describeCancelled(order: OrderRecord, market: MarketView, cancelId: string) {
  return {
    ...identityOf(order, market),
    origClientOrderId: order.clientOrderId,
    clientOrderId: cancelId,
    transactTime: order.updatedAtMs,
    ...describeProgress(order, market),
  };
}

/**
 * An item of `fills`. Side and role are added under their names in `myTrades`: some clients look
 * for them in every trade.
 */
export function describeFill(fill: FillRecord, market: MarketView) {
  return {
    price: formatPrice(fill.priceTicks, market),
    qty: formatQuantity(fill.quantityLots, market),
    ...describeCommission(fill, market),
    tradeId: fill.tradeId,
    isBuyer: fill.side === "buy",
    isMaker: fill.role === "maker",
  };
}

/** A buyer pays the fee in the base coin, a seller in the quote coin. */
function describeCommission({ fee, feeAssetId }: FillRecord, market: MarketView) {
  const coin = feeAssetId === market.baseAssetId ? market.base : market.quote;
  return { commission: formatDecimal(fee, coin.scale), commissionAsset: coin.symbol };
}
