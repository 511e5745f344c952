/** Placing OCO, OTO and OTOCO lists, and cancelling lists. */
import { z } from "zod";
import type { OrderListKind } from "#engine/commands.ts";
import type { Services } from "../../functions/services.ts";
import { type Caller, endpoint } from "../endpoint.ts";
import { clientOrderIdFor, newClientOrderId } from "../orders/client-order-id.ts";
import { describeCancelledList, describeList } from "../orders/describe-list.ts";
import {
  argsOfFormerPair,
  argsOfPair,
  argsOfWorkingAndPair,
  argsOfWorkingAndPending,
  newFormerPair,
  newPair,
  newWorkingAndPair,
  newWorkingAndPending,
} from "../orders/list-parameters.ts";
import { LIST_ERRORS, PAIR_ERRORS, unknownList } from "../orders/list-refusals.ts";
import { type ProgramOrderArgs, termsOf } from "../orders/order-parameters.ts";
import { answerWithOrders, findOpenList } from "../orders/own-lists.ts";
import { describePlaced, type ResponseType } from "../orders/placed-order.ts";
import { cancelList, placeList } from "../orders/placing-lists.ts";
import { clientOrderId, orderListId, symbol } from "../parameters.ts";
import { marketOf } from "../symbols.ts";

interface OfEveryList {
  readonly symbol: string;
  readonly listClientOrderId?: string | undefined;
  readonly newOrderRespType?: ResponseType | undefined;
}

/** @param argsOf returns the orders' arguments, in the order of the engine's command */
async function place<Given extends OfEveryList>(
  services: Services,
  caller: Caller,
  given: Given,
  kind: OrderListKind,
  argsOf: (given: Given) => ProgramOrderArgs[],
) {
  const market = marketOf(services.views, given.symbol);
  const orders = argsOf(given).map((args, index) => {
    const clientOrderId = args.clientOrderId ?? clientOrderIdFor(caller, `order ${index}`);
    return termsOf({ ...args, clientOrderId }, market);
  });
  const clientListId = given.listClientOrderId ?? clientOrderIdFor(caller, "list");
  const placed = await placeList(services, caller, market, { kind, orders, clientListId });
  const records = placed.orders.map(({ order }) => order);
  return {
    ...describeList(placed.list, records, market),
    orderReports: placed.orders.map((order) =>
      describePlaced(order, market, given.newOrderRespType ?? "RESULT"),
    ),
  };
}

export const newOco = endpoint({
  method: "POST",
  path: "/api/v3/orderList/oco",
  summary: "Places a pair of orders of which one cancels the other.",
  security: "trade",
  weight: 1,
  errors: PAIR_ERRORS,
  parameters: newPair,
  answer: (services, given, caller) => place(services, caller, given, "oco", argsOfPair),
});

/** The deprecated form of the call, which programs still use. */
export const newFormerOco = endpoint({
  method: "POST",
  path: "/api/v3/order/oco",
  summary: "Places such a pair, as programs did before `orderList/oco`.",
  security: "trade",
  weight: 1,
  errors: LIST_ERRORS,
  parameters: newFormerPair,
  answer: (services, given, caller) => place(services, caller, given, "oco", argsOfFormerPair),
});

export const newOto = endpoint({
  method: "POST",
  path: "/api/v3/orderList/oto",
  summary: "Places an order that sets another one free when it has filled.",
  security: "trade",
  weight: 1,
  errors: LIST_ERRORS,
  parameters: newWorkingAndPending,
  answer: (services, given, caller) =>
    place(services, caller, given, "oto", argsOfWorkingAndPending),
});

export const newOtoco = endpoint({
  method: "POST",
  path: "/api/v3/orderList/otoco",
  summary: "Places an order that sets a pair free when it has filled.",
  security: "trade",
  weight: 1,
  errors: PAIR_ERRORS,
  parameters: newWorkingAndPair,
  answer: (services, given, caller) =>
    place(services, caller, given, "otoco", argsOfWorkingAndPair),
});

export const cancelOrderList = endpoint({
  method: "DELETE",
  path: "/api/v3/orderList",
  summary: "Cancels all orders of a list.",
  security: "trade",
  namesOrders: true,
  weight: 1,
  errors: [-1128, -2011],
  parameters: z.object({
    symbol,
    orderListId: orderListId.optional(),
    listClientOrderId: clientOrderId.optional(),
    newClientOrderId: clientOrderId.optional(),
  }),
  async answer(services, { symbol, newClientOrderId: ownId, ...name }, caller) {
    const market = marketOf(services.views, symbol);
    const list = findOpenList(services, caller, name);
    if (list?.marketId !== market.marketId) throw unknownList();
    const sequence = await cancelList(services, caller, list);
    return answerWithOrders(services, caller.account, [list], (ordersOf) => {
      const orders = ordersOf(list.listId);
      const cancelled = orders.filter(({ updatedSequence }) => updatedSequence === sequence);
      return describeCancelledList(list, orders, cancelled, market, ownId ?? newClientOrderId());
    });
  },
});
