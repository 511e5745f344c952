/** Replacing an order and reducing an order's quantity. */
import { z } from "zod";
import { formatDecimal } from "#contract/decimal.ts";
import type { Ticks } from "#engine/amount.ts";
import { FunctionError } from "../../functions/function-error.ts";
import { formatPrice, formatQuantity, parseQuantity } from "../../functions/market-numbers.ts";
import type { OrderRecord } from "../../records/orders.ts";
import type { MarketView } from "../../views/catalogue.ts";
import { invalidParameter } from "../api-error.ts";
import { endpoint } from "../endpoint.ts";
import { clientOrderIdFor, newClientOrderId } from "../orders/client-order-id.ts";
import {
  describeCancelled,
  describeProgress,
  identityOf,
  workingTimeOf,
} from "../orders/describe-order.ts";
import { cancelRestrictions, newOrder, orderArgsOf, termsOf } from "../orders/order-parameters.ts";
import {
  apiErrorOf,
  asAmendRefusal,
  PLACING_ERRORS,
  quantityIncrease,
  unchangedOrder,
  unknownOrder,
} from "../orders/order-refusals.ts";
import { findKnownOrder, submitCommand } from "../orders/own-orders.ts";
import { describePlaced, responseTypeOf } from "../orders/placed-order.ts";
import { replaceOrder } from "../orders/replacing.ts";
import { clientOrderId, decimal, orderId, symbol } from "../parameters.ts";
import { marketOf } from "../symbols.ts";

export const cancelReplace = endpoint({
  method: "POST",
  path: "/api/v3/order/cancelReplace",
  summary: "Replaces an order by a new one in one step.",
  security: "trade",
  namesOrders: true,
  weight: 1,
  errors: [...PLACING_ERRORS, -2021, -2022],
  parameters: z.object({
    ...newOrder.shape,
    cancelReplaceMode: z.enum(["STOP_ON_FAILURE", "ALLOW_FAILURE"]),
    cancelOrderId: orderId.optional(),
    cancelOrigClientOrderId: clientOrderId.optional(),
    cancelNewClientOrderId: clientOrderId.optional(),
    cancelRestrictions: cancelRestrictions.optional(),
    /** If the rate limit for orders is exceeded, nothing is cancelled either. */
    orderRateLimitExceededMode: z.enum(["DO_NOTHING"]).optional(),
  }),
  async answer(services, parameters, caller) {
    const market = marketOf(services.views, parameters.symbol);
    const ownId = parameters.newClientOrderId ?? clientOrderIdFor(caller);
    const terms = termsOf({ ...orderArgsOf(parameters), clientOrderId: ownId }, market);
    const { cancelled, placed } = await replaceOrder(services, caller, market, {
      old: {
        orderId: parameters.cancelOrderId,
        origClientOrderId: parameters.cancelOrigClientOrderId,
      },
      restriction: parameters.cancelRestrictions,
      mode: parameters.cancelReplaceMode,
      terms,
      describe: (order) => describePlaced(order, market, responseTypeOf(parameters)),
    });
    const cancelId = parameters.cancelNewClientOrderId ?? newClientOrderId();
    return {
      cancelResult: "SUCCESS",
      newOrderResult: "SUCCESS",
      cancelResponse: describeCancelled(cancelled, market, cancelId),
      newOrderResponse: placed,
    };
  },
});

export const amendKeepPriority = endpoint({
  method: "PUT",
  path: "/api/v3/order/amend/keepPriority",
  summary: "Takes quantity from an order, which keeps its place in the queue.",
  security: "trade",
  namesOrders: true,
  weight: 4,
  errors: [-1013, -1102, -2038],
  parameters: z.object({
    symbol,
    orderId: orderId.optional(),
    origClientOrderId: clientOrderId.optional(),
    /** An order keeps its client order id: another one is refused. */
    newClientOrderId: clientOrderId.optional(),
    newQty: decimal,
  }),
  async answer(services, { symbol, newClientOrderId: newId, newQty, ...name }, caller) {
    const market = marketOf(services.views, symbol);
    const quantityLots = parseQuantity(newQty, market);
    const absent = () => asAmendRefusal(unknownOrder());
    const order = findKnownOrder(services, caller, market, name, absent);
    if (newId !== undefined && newId !== order.clientOrderId) {
      throw invalidParameter("newClientOrderId");
    }
    if (order.status === "open" && quantityLots > order.quantityLots) throw quantityIncrease();
    if (order.status === "open" && quantityLots === order.quantityLots) throw unchangedOrder();
    const { account } = caller;
    const asked = { account, orderId: order.orderId, quantityLots };
    const amended = { type: "amendOrder", ...asked, priceTicks: 0 as Ticks } as const;
    try {
      const { sequence, timestampMs } = await submitCommand(services, caller, amended);
      return {
        transactTime: timestampMs,
        executionId: sequence,
        amendedOrder: describeAmended(order, market),
      };
    } catch (error) {
      throw error instanceof FunctionError ? asAmendRefusal(apiErrorOf(error)) : error;
    }
  },
});

/** Some quantities have other names than in all other calls. */
function describeAmended(order: OrderRecord, market: MarketView) {
  const { status, timeInForce, type, side, selfTradePreventionMode } = describeProgress(
    order,
    market,
  );
  return {
    ...identityOf(order, market),
    origClientOrderId: order.clientOrderId,
    price: formatPrice(order.priceTicks, market),
    qty: formatQuantity(order.quantityLots, market),
    executedQty: formatQuantity(order.filledLots, market),
    preventedQty: formatQuantity(0, market),
    quoteOrderQty: formatDecimal(order.quoteAmount, market.quote.scale),
    cumulativeQuoteQty: formatDecimal(order.filledNotional, market.quote.scale),
    status,
    timeInForce,
    type,
    side,
    workingTime: workingTimeOf(order),
    selfTradePreventionMode,
  };
}
