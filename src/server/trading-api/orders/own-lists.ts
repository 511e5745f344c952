/** Finds the caller's order lists, by the id that the request names, with their orders. */
import type { Services } from "../../functions/services.ts";
import { orderIdsOf, type OrderListRecord } from "../../records/order-lists.ts";
import type { OrderRecord } from "../../records/orders.ts";
import type { ApiError } from "../api-error.ts";
import { type Caller, ReadAnswer } from "../endpoint.ts";
import { missingListId } from "./list-refusals.ts";

/** The ids by which a request may name a list. */
export interface ListName {
  readonly orderListId?: number | undefined;
  readonly listClientOrderId?: string | undefined;
}

/** @throws ApiError if the request has neither id */
function matcherOf({
  orderListId,
  listClientOrderId,
}: ListName): (list: OrderListRecord) => boolean {
  if (orderListId === undefined && listClientOrderId === undefined) throw missingListId();
  return ({ clientListId, listId }) =>
    (orderListId === undefined || listId === orderListId) &&
    (listClientOrderId === undefined || clientListId === listClientOrderId);
}

/**
 * The caller's open list that matches every given id; undefined if there is none. @throws ApiError
 */
export function findOpenList(
  { views }: Services,
  { account }: Caller,
  name: ListName,
): OrderListRecord | undefined {
  return views.lists.ofAccount(account).find(matcherOf(name));
}

/**
 * The caller's open list with the given ids, or else the newest past one.
 * @param absent the error if there is none
 * @throws ApiError
 */
export async function findOwnList(
  services: Services,
  caller: Caller,
  name: ListName,
  absent: () => ApiError,
): Promise<OrderListRecord> {
  const open = findOpenList(services, caller, name);
  if (open !== undefined) return open;
  const { account } = caller;
  const { orderListId: listId, listClientOrderId: clientListId = "" } = name;
  const reads = await readsOf(services, account);
  const past = await reads.orderList(
    listId === undefined ? { account, clientListId } : { account, listId },
  );
  if (past === undefined || !matcherOf(name)(past)) throw absent();
  return past;
}

/** The orders of the account's lists, by list number, in each list's order. */
export async function ordersOfLists(
  services: Services,
  account: number,
  lists: readonly OrderListRecord[],
): Promise<(listId: number) => OrderRecord[]> {
  const { people } = services.views;
  const orderIds = lists.flatMap(orderIdsOf);
  const missing = orderIds.filter((orderId) => people.order(account, orderId) === undefined);
  const past =
    missing.length === 0
      ? []
      : await (await readsOf(services, account)).ordersById(account, missing);
  const recent = orderIds.flatMap((orderId) => people.order(account, orderId) ?? []);
  const byId = new Map([...past, ...recent].map((order) => [order.orderId, order]));
  const orders = orderIds.flatMap((orderId) => byId.get(orderId) ?? []);
  const byList = Map.groupBy(orders, ({ listId }) => listId);
  return (listId) => byList.get(listId) ?? [];
}

/**
 * Answers a call that has traded with the orders of lists: at once if they are all in memory, as
 * nearly always, otherwise in a place among the reads.
 */
export function answerWithOrders(
  services: Services,
  account: number,
  lists: readonly OrderListRecord[],
  describe: (ordersOf: (listId: number) => OrderRecord[]) => unknown,
): unknown {
  const { people } = services.views;
  const known = new Map(
    lists.map((list) => [
      list.listId,
      orderIdsOf(list).flatMap((orderId) => people.order(account, orderId) ?? []),
    ]),
  );
  const isWhole = lists.every(({ listId, orderCount }) => known.get(listId)?.length === orderCount);
  if (isWhole) return describe((listId) => known.get(listId) ?? []);
  return new ReadAnswer(async () => describe(await ordersOfLists(services, account, lists)));
}

/** Reads of the history that include all events of the account so far. */
function readsOf({ history, views }: Services, account: number) {
  return history.readsCaughtUpTo(views.people.lastSequence(account));
}
