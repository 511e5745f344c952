/** The caller's lists of orders, open and past. */
import { z } from "zod";
import type { Services } from "../../functions/services.ts";
import type { OrderListRecord } from "../../records/order-lists.ts";
import { checkPeriod } from "../account/period.ts";
import { conflictingParameters } from "../api-error.ts";
import { endpoint, RowsAnswer } from "../endpoint.ts";
import { describeList } from "../orders/describe-list.ts";
import { noSuchList } from "../orders/list-refusals.ts";
import { findOwnList, ordersOfLists } from "../orders/own-lists.ts";
import { clientOrderId, limitUpTo, orderListId, time } from "../parameters.ts";

const HOURS_MAX = 24;
const ROWS_MAX = 1_000;
const ROWS = 500;

/** Describes each of the lists, whose orders are read at once. */
async function describerOf(services: Services, account: number, lists: readonly OrderListRecord[]) {
  const ordersOf = await ordersOfLists(services, account, lists);
  const { catalogue } = services.views;
  return (list: OrderListRecord) =>
    describeList(list, ordersOf(list.listId), catalogue.market(list.marketId));
}

export const queryOrderList = endpoint({
  method: "GET",
  path: "/api/v3/orderList",
  summary: "A list of orders of the caller.",
  security: "userData",
  weight: 4,
  errors: [-1128, -2018],
  parameters: z.object({
    orderListId: orderListId.optional(),
    /** The client list id. */
    origClientOrderId: clientOrderId.optional(),
  }),
  async answer(services, { orderListId, origClientOrderId: listClientOrderId }, caller) {
    const name = { orderListId, listClientOrderId };
    const list = await findOwnList(services, caller, name, noSuchList);
    const describe = await describerOf(services, caller.account, [list]);
    return describe(list);
  },
});

/** The times are those of placement. */
export const allOrderLists = endpoint({
  method: "GET",
  path: "/api/v3/allOrderList",
  summary: "Lists of orders of the caller, open and done.",
  security: "userData",
  weight: 20,
  errors: [-1127, -1128, -1130],
  parameters: z.object({
    fromId: orderListId.optional(),
    startTime: time.optional(),
    endTime: time.optional(),
    limit: limitUpTo(ROWS_MAX, ROWS),
  }),
  async answer(services, { fromId, limit, ...period }, { account }) {
    const { startTime: fromMs, endTime: toMs } = period;
    if (fromId !== undefined && (fromMs ?? toMs) !== undefined) throw conflictingParameters();
    checkPeriod(period, HOURS_MAX);
    const { history, views } = services;
    const reads = await history.readsCaughtUpTo(views.people.lastSequence(account));
    const lists = await reads.orderListRange({ account, fromId, fromMs, toMs, limit });
    return RowsAnswer.of(lists, await describerOf(services, account, lists));
  },
});

export const openOrderLists = endpoint({
  method: "GET",
  path: "/api/v3/openOrderList",
  summary: "Lists of the caller that have open orders.",
  security: "userData",
  weight: 6,
  parameters: z.object({}),
  async answer(services, _parameters, { account }) {
    const lists = services.views.lists.ofAccount(account);
    return RowsAnswer.of(lists, await describerOf(services, account, lists));
  },
});
