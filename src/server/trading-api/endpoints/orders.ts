/** Placing, reading and cancelling one order, and cancelling all orders of a market. */
import { z } from "zod";
import { refused } from "../../functions/refusals.ts";
import { describeCommissionOfOrder } from "../account/commission.ts";
import { endpoint, RowsAnswer } from "../endpoint.ts";
import { newClientOrderId } from "../orders/client-order-id.ts";
import { describeCancelledList } from "../orders/describe-list.ts";
import { answerWithOrders } from "../orders/own-lists.ts";
import { describeCancelled, describeOrder } from "../orders/describe-order.ts";
import {
  cancelRestrictions,
  newOrder as newOrderParameters,
  orderArgsOf,
  termsOf,
} from "../orders/order-parameters.ts";
import {
  noSuchOrder,
  checkRestriction,
  PLACING_ERRORS,
  unknownOrder,
} from "../orders/order-refusals.ts";
import { cancelAllOwn, findKnownOrder, findOwnOrder, submitCommand } from "../orders/own-orders.ts";
import { placeOrder } from "../orders/placing.ts";
import { clientOrderId, flagOr, orderId, symbol } from "../parameters.ts";
import { marketOf } from "../symbols.ts";

export const newOrder = endpoint({
  method: "POST",
  path: "/api/v3/order",
  summary: "Places an order.",
  security: "trade",
  weight: 1,
  errors: PLACING_ERRORS,
  parameters: newOrderParameters,
  answer: (services, parameters, caller) =>
    placeOrder(services, caller, parameters, orderArgsOf(parameters)),
});

/** Validates the order as the engine would now, except for the available balance. */
export const testOrder = endpoint({
  method: "POST",
  path: "/api/v3/order/test",
  summary: "Says whether an order would be accepted now, and places none.",
  security: "trade",
  // The real order may follow in the same millisecond, with the same signature.
  changesNothing: true,
  weight: {
    text: "1, with fees 20",
    of: ({ computeCommissionRates }) => (computeCommissionRates ? 20 : 1),
  },
  errors: PLACING_ERRORS,
  parameters: z.object({
    ...newOrderParameters.shape,
    computeCommissionRates: flagOr(false),
  }),
  async answer({ exchange, views }, parameters, { account }) {
    const market = marketOf(views, parameters.symbol);
    const clientOrderId = parameters.newClientOrderId ?? "";
    const terms = termsOf({ ...orderArgsOf(parameters), clientOrderId }, market);
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
  summary: "An order of the caller.",
  security: "userData",
  weight: 4,
  errors: [-1102, -2013],
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
  summary: "Cancels an order.",
  security: "trade",
  namesOrders: true,
  weight: 1,
  errors: [-1102, -2011],
  parameters: z.object({
    symbol,
    ...orderName,
    newClientOrderId: clientOrderId.optional(),
    cancelRestrictions: cancelRestrictions.optional(),
  }),
  async answer(services, parameters, caller) {
    const { cancelRestrictions: restriction, newClientOrderId: own, symbol, ...name } = parameters;
    const market = marketOf(services.views, symbol);
    const order = findKnownOrder(services, caller, market, name, unknownOrder);
    if (restriction !== undefined) checkRestriction(order, restriction);
    const { account } = caller;
    await submitCommand(services, caller, { type: "cancelOrder", account, orderId: order.orderId });
    return describeCancelled(order, market, own ?? newClientOrderId());
  },
});

export const openOrders = endpoint({
  method: "GET",
  path: "/api/v3/openOrders",
  summary: "Open orders of the caller, in one market or in all.",
  security: "userData",
  weight: {
    text: "6 for one market, 80 for all",
    of: ({ symbol }) => (symbol === undefined ? 80 : 6),
  },
  parameters: z.object({ symbol: symbol.optional() }),
  answer({ views }, { symbol }, { account }) {
    const market = symbol === undefined ? undefined : marketOf(views, symbol);
    const orders = views.people
      .openOrders(account)
      .filter(({ marketId }) => market === undefined || marketId === market.marketId);
    return RowsAnswer.of(orders, (order) =>
      describeOrder(order, views.catalogue.market(order.marketId)),
    );
  },
});

/** The engine's list number of an order without a list. */
const NO_LIST = 0;

/** Each cancelled list is one item of the answer. */
export const cancelOpenOrders = endpoint({
  method: "DELETE",
  path: "/api/v3/openOrders",
  summary: "Cancels all open orders of the caller in a market.",
  security: "trade",
  namesOrders: true,
  weight: 1,
  errors: [-2011],
  parameters: z.object({ symbol }),
  async answer(services, { symbol }, caller) {
    const market = marketOf(services.views, symbol);
    const { account } = caller;
    const open = services.views.people
      .openOrders(account)
      .filter(({ marketId }) => marketId === market.marketId);
    const lists = services.views.lists
      .ofAccount(account)
      .filter(({ marketId }) => marketId === market.marketId);
    if (open.length === 0) throw unknownOrder();
    await cancelAllOwn(services, caller, market);
    // The records have been updated in the meantime.
    const cancelled = Map.groupBy(
      open.filter(({ status }) => status === "cancelled"),
      ({ listId }) => listId,
    );
    const single = cancelled.get(NO_LIST) ?? [];
    return answerWithOrders(services, account, lists, (ordersOf) => [
      ...single.map((order) => describeCancelled(order, market, newClientOrderId())),
      ...lists.flatMap((list) => {
        const { listId } = list;
        const ofList = cancelled.get(listId);
        if (ofList === undefined) return [];
        return describeCancelledList(list, ordersOf(listId), ofList, market, newClientOrderId());
      }),
    ]);
  },
});
