/** What happened to an account and its orders, as programs ask for it. Every read is bounded. */
import type { Kysely } from "kysely";
import type { Tables } from "../../database/tables.ts";
import { type TransferRecord, TRANSFERS } from "../../records/activity.ts";
import { ORDER_CHANGES, type OrderChangeRecord } from "../../records/order-changes.ts";

export interface PracticeFundsQuery {
  readonly account: number;
  /** Of these coins only. */
  readonly assetIds?: readonly number[] | undefined;
  /** Milliseconds since 1970 UTC, both included. */
  readonly fromMs: number;
  readonly toMs: number;
  /** How many of the newest are left out. */
  readonly offset: number;
  readonly limit: number;
}

/** Practice funds that an account took, newest first. */
export async function readPracticeFunds(
  read: Kysely<Tables>,
  { account, assetIds, fromMs, toMs, offset, limit }: PracticeFundsQuery,
): Promise<TransferRecord[]> {
  let select = read
    .selectFrom("activity")
    .selectAll()
    .where("account", "=", account)
    .where("kind", "=", "transfer")
    // Before there were adjustments, rows had no reason.
    .where("reason", "in", ["", "practiceFunds"])
    .where("time", ">=", fromMs)
    .where("time", "<=", toMs);
  if (assetIds !== undefined) select = select.where("asset_id", "in", assetIds);
  const rows = await select
    .orderBy("sequence", "desc")
    .orderBy("position", "desc")
    .offset(offset)
    .limit(limit)
    .execute();
  return rows.map((row) => TRANSFERS.fromRow({ ...row, reason: "practiceFunds" }));
}

export interface AmendmentsQuery {
  readonly account: number;
  readonly orderId: number;
  /** The first wanted; each has the sequence of its command. */
  readonly fromSequence: number;
  readonly limit: number;
}

/** How an order was amended, oldest first. */
export async function readAmendments(
  read: Kysely<Tables>,
  { account, orderId, fromSequence, limit }: AmendmentsQuery,
): Promise<OrderChangeRecord[]> {
  const rows = await read
    .selectFrom("order_changes")
    .selectAll()
    .where("account", "=", account)
    .where("order_id", "=", orderId)
    .where("sequence", ">=", fromSequence)
    .where("kind", "=", "amended")
    .orderBy("sequence")
    .orderBy("position")
    .limit(limit)
    .execute();
  return rows.map(ORDER_CHANGES.fromRow);
}

/** The lists that orders of an account were placed with, by order; without those of no list. */
export async function readListIds(
  read: Kysely<Tables>,
  account: number,
  orderIds: readonly number[],
): Promise<Map<number, number>> {
  if (orderIds.length === 0) return new Map();
  const rows = await read
    .selectFrom("orders")
    .select(["order_id", "list_id"])
    .where("account", "=", account)
    .where("order_id", "in", orderIds)
    .where("list_id", ">", 0)
    .execute();
  return new Map(rows.map((row) => [row.order_id, row.list_id]));
}
