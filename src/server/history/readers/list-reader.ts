/** Reads an account's lists of orders, and the orders of lists. Every read is bounded. */
import type { Kysely } from "kysely";
import type { Tables } from "../../database/tables.ts";
import { ORDER_LISTS, type OrderListRecord } from "../../records/order-lists.ts";
import { type OrderRecord, ORDERS } from "../../records/orders.ts";
import { type Range, readPlaced } from "./range-reader.ts";

/** A range of lists, over all markets. */
export type ListRange = Omit<Range, "marketId">;

/** Identifies a list of its owner: by its number or by its client list id. */
export type ListName =
  | { readonly account: number; readonly listId: number }
  | { readonly account: number; readonly clientListId: string };

/** The account's newest list with this name; undefined if none. */
export async function readList(
  read: Kysely<Tables>,
  name: ListName,
): Promise<OrderListRecord | undefined> {
  const lists = read.selectFrom("order_lists").selectAll().where("account", "=", name.account);
  const named =
    "listId" in name
      ? lists.where("list_id", "=", name.listId)
      : lists.where("client_list_id", "=", name.clientListId);
  const row = await named.orderBy("list_id", "desc").limit(1).executeTakeFirst();
  return row && ORDER_LISTS.fromRow(row);
}

/** Lists of an account, oldest first: from a start on, or the newest if no start is given. */
export async function readListRange(
  read: Kysely<Tables>,
  range: ListRange,
): Promise<OrderListRecord[]> {
  const lists = read.selectFrom("order_lists").selectAll().where("account", "=", range.account);
  const rows = await readPlaced(lists, "list_id", range);
  return rows.map(ORDER_LISTS.fromRow);
}

/** The account's orders among these ids. */
export async function readOrdersById(
  read: Kysely<Tables>,
  account: number,
  orderIds: readonly number[],
): Promise<OrderRecord[]> {
  if (orderIds.length === 0) return [];
  const rows = await read
    .selectFrom("orders")
    .selectAll()
    .where("account", "=", account)
    .where("order_id", "in", orderIds)
    .orderBy("order_id")
    .execute();
  return rows.map(ORDERS.fromRow);
}
