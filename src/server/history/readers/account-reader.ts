/** Reads the events of an account and its orders, as programs request them. Every read is bounded. */
import type { Kysely } from "kysely";
import type { Tables } from "../../database/tables.ts";
import { type TransferRecord, TRANSFERS } from "../../records/activity.ts";
import { PREVENTED_MATCHES, type PreventedMatchRecord } from "../../records/prevented-matches.ts";
import { ORDER_CHANGES, type OrderChangeRecord } from "../../records/order-changes.ts";

export interface PracticeFundsQuery {
  readonly account: number;
  /** Restricts the read to these coins. */
  readonly assetIds?: readonly number[] | undefined;
  /** Milliseconds since 1970 UTC, both included. */
  readonly fromMs: number;
  readonly toMs: number;
  /** How many of the newest entries are skipped. */
  readonly offset: number;
  readonly limit: number;
}

/** Practice funds taken by an account, newest first. */
export async function readPracticeFunds(
  read: Kysely<Tables>,
  { account, assetIds, fromMs, toMs, offset, limit }: PracticeFundsQuery,
): Promise<TransferRecord[]> {
  let select = read
    .selectFrom("activity")
    .selectAll()
    .where("account", "=", account)
    .where("kind", "=", "transfer")
    // Rows from before there were adjustments have no reason.
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
  /** The first sequence to read; entries are identified by their commands' sequences. */
  readonly fromSequence: number;
  readonly limit: number;
}

/** The amendments of an order, oldest first. */
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

export interface PreventedMatchesQuery {
  readonly account: number;
  readonly marketId: number;
  /** Restricts the read to matches of this order, on either side. */
  readonly orderId?: number | undefined;
  readonly matchId?: number | undefined;
  /** The first match id to read. */
  readonly fromMatchId: number;
  readonly limit: number;
}

/** An account's prevented self-trades in a market, by match id. */
export async function readPreventedMatches(
  read: Kysely<Tables>,
  query: PreventedMatchesQuery,
): Promise<PreventedMatchRecord[]> {
  const rows = await selectPreventedMatches(read, query).execute();
  return rows.map(PREVENTED_MATCHES.fromRow);
}

/** What `readPreventedMatches` asks the database. */
export function selectPreventedMatches(
  read: Kysely<Tables>,
  { account, fromMatchId, limit, marketId, matchId, orderId }: PreventedMatchesQuery,
) {
  let matches = read
    .selectFrom("prevented_matches")
    .selectAll()
    .where("account", "=", account)
    .where("market_id", "=", marketId);
  if (matchId !== undefined) matches = matches.where("match_id", "=", matchId);
  if (orderId === undefined) {
    matches = matches.where("match_id", ">=", fromMatchId);
  } else {
    // Each side has an index, which contains what is read here. Otherwise SQLite would rather read
    // all matches of the account.
    const ids = read
      .selectFrom("prevented_matches")
      .select("match_id")
      .where("account", "=", account)
      .where("match_id", ">=", fromMatchId);
    matches = matches.where(
      "match_id",
      "in",
      ids.where("taker_order_id", "=", orderId).unionAll(ids.where("maker_order_id", "=", orderId)),
    );
  }
  return matches.orderBy("match_id").limit(limit);
}

/** Maps orders of an account to their list ids; orders of no list are omitted. */
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
