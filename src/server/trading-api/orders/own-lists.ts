/** The lists of a request's caller: found as the request names them, with their orders. */
import type { Services } from "../../functions/services.ts";
import { orderIdsOf, type OrderListRecord } from "../../records/order-lists.ts";
import type { OrderRecord } from "../../records/orders.ts";
import type { ApiError } from "../api-error.ts";
import type { Caller } from "../endpoint.ts";
import { missingListId } from "./list-refusals.ts";

/** How a request names one list. */
export interface ListName {
  readonly orderListId?: number | undefined;
  readonly listClientOrderId?: string | undefined;
}

/** @throws ApiError if the name has neither */
function fits({ orderListId, listClientOrderId }: ListName): (list: OrderListRecord) => boolean {
  if (orderListId === undefined && listClientOrderId === undefined) throw missingListId();
  return ({ clientListId, listId }) =>
    (orderListId === undefined || listId === orderListId) &&
    (listClientOrderId === undefined || clientListId === listClientOrderId);
}

/** Undefined if none of the caller's open lists has all of the name. @throws ApiError */
export function findOpenList(
  { views }: Services,
  { account }: Caller,
  name: ListName,
): OrderListRecord | undefined {
  return views.lists.ofAccount(account).find(fits(name));
}

/**
 * An open list of that name, or else the newest.
 * @param absent the refusal if there is none
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
  if (past === undefined || !fits(name)(past)) throw absent();
  return past;
}

/** All orders of lists of the account, each by its list's number, in their order. */
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

/** The history as far as anything has happened to the account. */
function readsOf({ history, views }: Services, account: number) {
  return history.readsCaughtUpTo(views.people.lastSequence(account));
}
