/** The feed of a person's activity. Its rows refer to orders and fills, which are read with them. */
import type { Kysely } from "kysely";
import type { Page } from "#contract/types.ts";
import type { Tables } from "../database/tables.ts";
import type { ActivityRecord } from "../records/activity.ts";
import { type OrderRecord, ORDERS } from "../records/orders.ts";
import { type FillRecord, FILLS } from "../records/trades.ts";
import { activityRecord, fillKey } from "./activity-rows.ts";
import { decodeCursor, encodeCursor, type PageQuery } from "../database/cursor.ts";
import type { ActivityTable } from "../database/history-tables.ts";

export interface ActivityQuery extends PageQuery {
  readonly account: number;
  readonly kind?: ActivityTable["kind"];
  /**
   * Words that a row must all contain, ignoring case: kind, side, type, status, market, coin, order
   * number, client order id, plan.
   */
  readonly search?: string;
}

/** Rows that a search reads at a time, and reads per page: it never runs for long. */
const SEARCH_ROWS_PER_READ = 2_000;
const SEARCH_READS_MAX = 20;
const SEARCH_WORDS_MAX = 8;

export async function readActivityPage(
  read: Kysely<Tables>,
  query: ActivityQuery,
): Promise<Page<ActivityRecord>> {
  const words = (query.search ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  const { rows, next } =
    words.length === 0
      ? await readRows(read, query, query.cursor, query.limit)
      : await searchRows(read, query, words.slice(0, SEARCH_WORDS_MAX));
  return { items: await withDetails(read, query.account, rows), cursor: next };
}

interface RowsAndNext {
  readonly rows: readonly ActivityTable[];
  readonly next: string | null;
}

async function readRows(
  read: Kysely<Tables>,
  { account, kind }: ActivityQuery,
  cursor: string | undefined,
  limit: number,
): Promise<RowsAndNext> {
  let select = read.selectFrom("activity").selectAll().where("account", "=", account);
  if (kind !== undefined) select = select.where("kind", "=", kind);
  if (cursor !== undefined) {
    const [sequence, position] = decodeCursor(cursor, 2);
    select = select.where((where) =>
      where.eb(where.refTuple("sequence", "position"), "<", where.tuple(sequence, position)),
    );
  }
  const rows = await select
    .orderBy("sequence", "desc")
    .orderBy("position", "desc")
    .limit(limit + 1)
    .execute();
  if (rows.length <= limit) return { rows, next: null };
  return { rows: rows.slice(0, limit), next: cursorAfter(rows[limit - 1]) };
}

async function searchRows(
  read: Kysely<Tables>,
  query: ActivityQuery,
  words: readonly string[],
): Promise<RowsAndNext> {
  const found: ActivityTable[] = [];
  let cursor = query.cursor;
  for (let reads = 0; reads < SEARCH_READS_MAX; reads += 1) {
    const { rows, next } = await readRows(read, query, cursor, SEARCH_ROWS_PER_READ);
    for (const row of rows) {
      if (!words.every((word) => row.search_text.includes(word))) continue;
      // One more row than the page holds was found, so there is another page.
      if (found.length === query.limit)
        return { rows: found, next: cursorAfter(found[query.limit - 1]) };
      found.push(row);
    }
    if (next === null) return { rows: found, next: null };
    cursor = next;
    // SQLite answers synchronously: other work gets the thread between two reads.
    await new Promise((resolve) => setImmediate(resolve));
  }
  return { rows: found, next: cursor ?? null };
}

async function withDetails(
  read: Kysely<Tables>,
  account: number,
  rows: readonly ActivityTable[],
): Promise<ActivityRecord[]> {
  const orderIds = rows.filter((row) => row.kind === "order").map((row) => row.order_id);
  const orders = new Map<number, OrderRecord>();
  if (orderIds.length > 0) {
    const orderRows = await read
      .selectFrom("orders")
      .selectAll()
      .where("account", "=", account)
      .where("order_id", "in", orderIds)
      .execute();
    for (const row of orderRows) orders.set(row.order_id, ORDERS.fromRow(row));
  }
  const fillKeys = rows.filter((row) => row.kind === "fill");
  const fills = new Map<string, FillRecord>();
  if (fillKeys.length > 0) {
    const fillRows = await read
      .selectFrom("fills")
      .selectAll()
      .where("account", "=", account)
      .where((where) =>
        where.eb(
          where.refTuple("sequence", "trade_id"),
          "in",
          fillKeys.map((row) => where.tuple(row.sequence, row.trade_id)),
        ),
      )
      .execute();
    for (const row of fillRows) {
      fills.set(fillKey(row.sequence, row.trade_id), FILLS.fromRow(row));
    }
  }
  return rows.map((row) => activityRecord(row, orders, fills));
}

function cursorAfter(row: ActivityTable): string {
  return encodeCursor([row.sequence, row.position]);
}
