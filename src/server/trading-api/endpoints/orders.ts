/** Placing, reading and cancelling one order, or all of a market. */
import { z } from "zod";
import { findOrder } from "../../functions/orders.ts";
import { parseTerms } from "../../functions/order-terms.ts";
import { refused } from "../../functions/refusals.ts";
import type { OrderRecord } from "../../records/orders.ts";
import { describeCommissionOfOrder } from "../account/commission.ts";
import { endpoint } from "../endpoint.ts";
import { newClientOrderId } from "../orders/client-order-id.ts";
import { describeCancelled, describeOrder } from "../orders/describe-order.ts";
import {
  cancelRestrictions,
  newOrder as newOrderParameters,
  orderArgsOf,
} from "../orders/order-parameters.ts";
import { noSuchOrder, onlyWhile, unknownOrder } from "../orders/order-refusals.ts";
import { cancelAllOwn, command, findOwnOrder } from "../orders/own-orders.ts";
import { describePlaced, ordersPlacedBy, responseTypeOf } from "../orders/placed-order.ts";
import { clientOrderId, orderId, symbol } from "../parameters.ts";
import { marketOf } from "../symbols.ts";

export const newOrder = endpoint({
  method: "POST",
  path: "/api/v3/order",
  security: "trade",
  weight: 1,
  parameters: newOrderParameters,
  async answer(services, parameters, caller) {
    const market = marketOf(services.views, parameters.symbol);
    const clientOrderId = parameters.newClientOrderId ?? newClientOrderId();
    const terms = parseTerms({ ...orderArgsOf(parameters), clientOrderId }, market);
    const { marketId } = market;
    const { account } = caller;
    const asked = { type: "placeOrder", account, marketId, ...terms } as const;
    const { events } = await command(services, caller, asked);
    const [placed] = ordersPlacedBy(events, market);
    return describePlaced(placed, market, responseTypeOf(parameters));
  },
});

/** Judged as the engine would judge it now, apart from the balance that it would hold. */
export const testOrder = endpoint({
  method: "POST",
  path: "/api/v3/order/test",
  security: "trade",
  weight: ({ computeCommissionRates }) => (computeCommissionRates ? 20 : 1),
  parameters: z.object({
    ...newOrderParameters.shape,
    computeCommissionRates: z.stringbool().default(false),
  }),
  async answer({ exchange, views }, parameters, { account }) {
    const market = marketOf(views, parameters.symbol);
    const clientOrderId = parameters.newClientOrderId ?? "";
    const terms = parseTerms({ ...orderArgsOf(parameters), clientOrderId }, market);
    const { marketId } = market;
    const reason = await exchange.refusalOf({ type: "placeOrder", account, marketId, ...terms });
    if (reason !== null) throw refused(reason);
    if (!parameters.computeCommissionRates) return {};
    return describeCommissionOfOrder(views, account, market);
  },
});

const orderName = { orderId: orderId.optional(), origClientOrderId: clientOrderId.optional() };

export const queryOrder = endpoint({
  method: "GET",
  path: "/api/v3/order",
  security: "userData",
  weight: 4,
  parameters: z.object({ symbol, ...orderName }),
  async answer(services, { symbol, ...name }, caller) {
    const market = marketOf(services.views, symbol);
    const order = await findOwnOrder(services, caller, market, name, noSuchOrder);
    return describeOrder(order, market);
  },
});

export const cancelOrder = endpoint({
  method: "DELETE",
  path: "/api/v3/order",
  security: "trade",
  weight: 1,
  parameters: z.object({
    symbol,
    ...orderName,
    newClientOrderId: clientOrderId.optional(),
    cancelRestrictions: cancelRestrictions.optional(),
  }),
  async answer(services, parameters, caller) {
    const { cancelRestrictions: restriction, newClientOrderId: own, symbol, ...name } = parameters;
    const market = marketOf(services.views, symbol);
    const order = await findOwnOrder(services, caller, market, name, unknownOrder);
    if (restriction !== undefined) onlyWhile(order, restriction);
    const { account } = caller;
    await command(services, caller, { type: "cancelOrder", account, orderId: order.orderId });
    const cancelled = await findOrder(services, account, order.orderId);
    return describeCancelled(cancelled, market, own ?? newClientOrderId());
  },
});

export const openOrders = endpoint({
  method: "GET",
  path: "/api/v3/openOrders",
  security: "userData",
  weight: ({ symbol }) => (symbol === undefined ? 80 : 6),
  parameters: z.object({ symbol: symbol.optional() }),
  answer({ views }, { symbol }, { account }) {
    const market = symbol === undefined ? undefined : marketOf(views, symbol);
    return views.people
      .openOrders(account)
      .filter(({ marketId }) => market === undefined || marketId === market.marketId)
      .map((order) => describeOrder(order, views.catalogue.market(order.marketId)));
  },
});

export const cancelOpenOrders = endpoint({
  method: "DELETE",
  path: "/api/v3/openOrders",
  security: "trade",
  weight: 1,
  parameters: z.object({ symbol }),
  async answer(services, { symbol }, caller) {
    const market = marketOf(services.views, symbol);
    const { account } = caller;
    const open = services.views.people
      .openOrders(account)
      .filter(({ marketId }) => marketId === market.marketId);
    if (open.length === 0) throw unknownOrder();
    await cancelAllOwn(services, caller, market);
    const cancelled: OrderRecord[] = [];
    for (const { orderId } of open) cancelled.push(await findOrder(services, account, orderId));
    return cancelled
      .filter(({ status }) => status === "cancelled")
      .map((order) => describeCancelled(order, market, newClientOrderId()));
  },
});
