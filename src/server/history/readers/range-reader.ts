/**
 * Reads an account's orders and fills in one market by number or time, oldest first: from a start
 * on, or the newest if no start is given.
 */
import { type Kysely, type SelectQueryBuilder, sql, type SqlBool } from "kysely";
import type { Tables } from "../../database/tables.ts";
import { type OrderRecord, ORDERS } from "../../records/orders.ts";
import { type FillRecord, FILLS } from "../../records/trades.ts";
import { readListIds } from "./account-reader.ts";
import { firstNumber } from "./last-early-row.ts";

export interface Range {
  readonly account: number;
  readonly marketId: number;
  /** The first number to return, of orders or of trades. */
  readonly fromId?: number | undefined;
  /** Inclusive start and end, milliseconds since 1970 UTC. For orders, the time of placement. */
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
  readonly limit: number;
}
export interface FillRange extends Range {
  /** Only the fills of this order. */
  readonly orderId?: number | undefined;
}
export type FillOfList = FillRecord & {
  /** The list with which the fill's order was placed, 0 if none. */
  readonly listId: number;
};

export async function readOrderRange(read: Kysely<Tables>, range: Range): Promise<OrderRecord[]> {
  const orders = read
    .selectFrom("orders")
    .selectAll()
    .where("account", "=", range.account)
    .where("market_id", "=", range.marketId);
  const rows = await readPlaced(orders, "order_id", range);
  return rows.map(ORDERS.fromRow);
}

/** The rows of a range of placed orders or lists. @param key the column with its number */
export async function readPlaced<
  Table extends keyof Tables,
  Row extends { readonly placed_at: number },
>(
  select: SelectQueryBuilder<Tables, Table, Row>,
  key: keyof Row & string,
  { fromId, fromMs, toMs, limit }: Pick<Range, "fromId" | "fromMs" | "toMs" | "limit">,
): Promise<Row[]> {
  const column = sql.ref(key);
  const firstAt = (timeMs: number) => firstNumber(select, [key], (row) => row.placed_at < timeMs);
  const first = Math.max(fromId ?? 0, fromMs === undefined ? 0 : await firstAt(fromMs));
  let range = select.where(sql<SqlBool>`${column} >= ${first}`).limit(limit);
  if (toMs !== undefined) {
    range = range.where(sql<SqlBool>`${column} < ${await firstAt(toMs + 1)}`);
  }
  const isFromFirst = fromId !== undefined || fromMs !== undefined;
  const rows = await range.orderBy(column, isFromFirst ? "asc" : "desc").execute();
  return isFromFirst ? rows : rows.reverse();
}

export async function readFillRange(
  read: Kysely<Tables>,
  { account, marketId, orderId, fromId, fromMs, toMs, limit }: FillRange,
): Promise<FillOfList[]> {
  const ofAccount = read.selectFrom("fills").selectAll().where("account", "=", account);
  // Either condition has an index. An order has one market, so the other condition keeps all its
  // fills or none.
  const fills =
    orderId === undefined
      ? ofAccount.where("market_id", "=", marketId)
      : ofAccount.where("order_id", "=", orderId);
  const firstOf = (isEarly: (row: Tables["fills"]) => boolean) =>
    firstNumber(fills, ["sequence", "trade_id"], isEarly);
  const firstById = fromId === undefined ? 0 : await firstOf((row) => row.trade_id < fromId);
  const firstByTime = fromMs === undefined ? 0 : await firstOf((row) => row.time < fromMs);
  const first = Math.max(firstById, firstByTime);
  let select = fills.where("sequence", ">=", first).limit(limit);
  // The command of the first wanted trade may also have made earlier trades.
  if (fromId !== undefined) select = select.where("trade_id", ">=", fromId);
  if (toMs !== undefined) {
    select = select.where("sequence", "<", await firstOf((row) => row.time <= toMs));
  }
  const isFromFirst = fromId !== undefined || fromMs !== undefined;
  const direction = isFromFirst ? "asc" : "desc";
  const rows = await select.orderBy("sequence", direction).orderBy("trade_id", direction).execute();
  const oldestFirst = isFromFirst ? rows : rows.reverse();
  const found = oldestFirst.filter((row) => row.market_id === marketId).map(FILLS.fromRow);
  const orderIds = [...new Set(found.map((fill) => fill.orderId))];
  const listIds = await readListIds(read, account, orderIds);
  return found.map((fill) => ({ ...fill, listId: listIds.get(fill.orderId) ?? 0 }));
}
