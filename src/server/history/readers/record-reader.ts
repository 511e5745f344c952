/** Reads single records, and pages of records, newest first. A read throws CursorError for a wrong cursor. */
import type { Kysely } from "kysely";
import type { OrderKind } from "#contract/enumerations.ts";
import type { OrderStatus, Page, Side } from "#contract/types.ts";
import type { AdminChangeKind } from "#contract/users.ts";
import { encodeCursor, type PageQuery } from "../../database/cursor.ts";
import type { Tables } from "../../database/tables.ts";
import { ADMIN_CHANGES, type AdminChangeRecord } from "../../records/admin-changes.ts";
import { LEDGER_ENTRIES, type LedgerEntryRecord } from "../../records/ledger-entries.ts";
import { kindOfOrder, type OrderRecord, ORDERS } from "../../records/orders.ts";
import { type FillRecord, FILLS, type TradeRecord, TRADES } from "../../records/trades.ts";
import { firstNumber } from "./last-early-row.ts";
import { readPage, searchPage } from "./pages.ts";

export interface AccountPageQuery extends PageQuery {
  readonly account: number;
  readonly marketId?: number;
  readonly side?: Side;
}

export interface OrdersQuery extends AccountPageQuery {
  readonly kind?: OrderKind;
  readonly status?: OrderStatus;
  /** The first order number. */
  readonly from?: number;
}

export interface AdminChangesQuery extends PageQuery {
  readonly adminId?: string | undefined;
  readonly kind?: AdminChangeKind | undefined;
  /** From (inclusive) and until (exclusive), in milliseconds since 1970. */
  readonly fromMs?: number | undefined;
  readonly toMs?: number | undefined;
}

/**
 * Orders of an account by number. They are read by an index, of their market or else of their status;
 * for the other fields a bounded number of them is searched, because none of millions may match. A
 * page may therefore be short; its cursor continues from there.
 */
export async function readOrders(
  read: Kysely<Tables>,
  query: OrdersQuery,
): Promise<Page<OrderRecord>> {
  const { account, marketId, side, kind, status, from } = query;
  let select = read.selectFrom("orders").selectAll().where("account", "=", account);
  if (from !== undefined) select = select.where("order_id", ">=", from);
  if (marketId !== undefined) select = select.where("market_id", "=", marketId);
  else if (status !== undefined) select = select.where("status", "=", storedStatus(status));
  const pageOf = (page: PageQuery) => readPage(select, ["order_id"], page, ORDERS.fromRow);
  const isOfIndex =
    status === undefined || (marketId === undefined && storedStatus(status) !== "open");
  if (isOfIndex && side === undefined && kind === undefined) return pageOf(query);
  return searchPage(pageOf, query, {
    matches: (order) =>
      (side === undefined || order.side === side) &&
      (kind === undefined || kindOfOrder(order) === kind) &&
      (status === undefined || hasStatus(order, status)),
    cursorOf: ({ orderId }) => encodeCursor([orderId]),
  });
}

function storedStatus(status: OrderStatus): OrderRecord["status"] {
  return status === "partiallyFilled" ? "open" : status;
}

function hasStatus(order: OrderRecord, status: OrderStatus): boolean {
  if (order.status !== storedStatus(status)) return false;
  return order.status !== "open" || order.filledNotional > 0 === (status === "partiallyFilled");
}

/**
 * An order of the account; undefined if the account has none with this number, even if another
 * account has.
 */
export async function readOrder(
  read: Kysely<Tables>,
  account: number,
  orderId: number,
): Promise<OrderRecord | undefined> {
  const row = await read
    .selectFrom("orders")
    .selectAll()
    .where("account", "=", account)
    .where("order_id", "=", orderId)
    .executeTakeFirst();
  return row && ORDERS.fromRow(row);
}

/** The account's newest order with this client order id; undefined if none. */
export async function readOrderByClientId(
  read: Kysely<Tables>,
  account: number,
  clientOrderId: string,
): Promise<OrderRecord | undefined> {
  const row = await read
    .selectFrom("orders")
    .selectAll()
    .where("account", "=", account)
    .where("client_order_id", "=", clientOrderId)
    .orderBy("order_id", "desc")
    .limit(1)
    .executeTakeFirst();
  return row && ORDERS.fromRow(row);
}

/**
 * A fill of an order of the account; undefined if there is none. An order may have very many: trades are
 * numbered in the order of their sequences.
 */
export async function readFill(
  read: Kysely<Tables>,
  account: number,
  orderId: number,
  tradeId: number,
): Promise<FillRecord | undefined> {
  const fills = read
    .selectFrom("fills")
    .selectAll()
    .where("account", "=", account)
    .where("order_id", "=", orderId);
  const first = await firstNumber(fills, ["sequence", "trade_id"], (row) => row.trade_id < tradeId);
  const next = await fills
    .where("sequence", ">=", first)
    .orderBy("sequence")
    .limit(1)
    .executeTakeFirst();
  if (next === undefined) return undefined;
  const row = await fills
    .where("sequence", "=", next.sequence)
    .where("trade_id", "=", tradeId)
    .executeTakeFirst();
  return row && FILLS.fromRow(row);
}

/** Fills of an account, newest first. A search for a side may return a short page, as `readOrders` may. */
export async function readFills(
  read: Kysely<Tables>,
  query: AccountPageQuery,
): Promise<Page<FillRecord>> {
  const { account, marketId, side } = query;
  let select = read.selectFrom("fills").selectAll().where("account", "=", account);
  if (marketId !== undefined) select = select.where("market_id", "=", marketId);
  const pageOf = (page: PageQuery) =>
    readPage(select, ["sequence", "trade_id"], page, FILLS.fromRow);
  if (side === undefined) return pageOf(query);
  return searchPage(pageOf, query, {
    matches: (fill) => fill.side === side,
    cursorOf: ({ sequence, tradeId }) => encodeCursor([sequence, tradeId]),
  });
}

export async function readLedger(
  read: Kysely<Tables>,
  query: PageQuery & { account: number },
): Promise<Page<LedgerEntryRecord>> {
  const select = read.selectFrom("ledger_entries").selectAll().where("account", "=", query.account);
  return readPage(select, ["sequence", "position"], query, LEDGER_ENTRIES.fromRow);
}

/** Changes made by administrators. */
export async function readAdminChanges(
  read: Kysely<Tables>,
  query: AdminChangesQuery,
): Promise<Page<AdminChangeRecord>> {
  const { adminId, fromMs, kind, toMs } = query;
  let select = read.selectFrom("admin_changes").selectAll();
  if (adminId !== undefined) select = select.where("admin_id", "=", adminId);
  if (kind !== undefined) select = select.where("kind", "=", kind);
  if (fromMs !== undefined) select = select.where("time", ">=", fromMs);
  if (toMs !== undefined) select = select.where("time", "<", toMs);
  return readPage(select, ["sequence"], query, ADMIN_CHANGES.fromRow);
}

/** A market's public trades. */
export async function readTrades(
  read: Kysely<Tables>,
  query: PageQuery & { marketId: number },
): Promise<Page<TradeRecord>> {
  const select = read.selectFrom("trades").selectAll().where("market_id", "=", query.marketId);
  return readPage(select, ["trade_id"], query, TRADES.fromRow);
}
