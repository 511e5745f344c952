/**
 * Reads the feed of a person's activity. Its rows refer to orders and fills, which are read with
 * them.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Kysely } from "kysely";
import type { Page, Side } from "#contract/types.ts";
import type { Tables } from "../../database/tables.ts";
import type { ActivityRecord } from "../../records/activity.ts";
import { type OrderRecord, ORDERS } from "../../records/orders.ts";
import { type FillRecord, FILLS } from "../../records/trades.ts";
import { activityRecord, fillKey, sideOf } from "../activity-rows.ts";
import { decodeCursor, encodeCursor, type PageQuery } from "../../database/cursor.ts";
import type { ActivityTable } from "../../database/history-tables.ts";
import { firstNumber } from "./last-early-row.ts";
import { SEARCH_READS_MAX } from "./pages.ts";

export interface ActivityQuery extends PageQuery {
  readonly account: number;
  readonly kind?: ActivityTable["kind"];
  /**
   * Words that must all occur in a row, ignoring case: kind, side, type, status, market, coin,
   * order number, client order id, plan.
   */
  readonly search?: string;
  /** Only orders and fills of this market and of this side. */
  readonly marketId?: number;
  readonly side?: Side;
  /** Inclusive start and exclusive end, milliseconds since 1970 UTC. */
  readonly fromMs?: number;
  readonly toMs?: number;
  /** Leaves fills out. */
  readonly grouped?: boolean;
}

/** How many rows a search reads at a time; a page takes at most SEARCH_READS_MAX such reads. */
const SEARCH_ROWS_PER_READ = 2_000;
/**
 * Size of the first read, in pages: most filters match enough of the newest rows to need no second
 * read.
 */
const FIRST_READ_FACTOR = 4;
const SEARCH_WORDS_MAX = 8;

export async function readActivityPage(
  read: Kysely<Tables>,
  query: ActivityQuery,
): Promise<Page<ActivityRecord>> {
  const { toMs } = query;
  const before = toMs === undefined ? Infinity : await firstSequenceAt(read, query, toMs);
  const { rows, next } = isSelective(query)
    ? await searchRows(read, query, before, matcherOf(query))
    : await readRows(read, query, before, query.cursor, query.limit);
  return { items: await withDetails(read, query.account, rows), cursor: next };
}

type Matcher = (row: ActivityTable) => boolean;

/** Whether only few of many rows may match: these are then searched, a bounded number at a time. */
function isSelective({ search, marketId, side, fromMs, grouped }: ActivityQuery): boolean {
  const isSearched = search !== undefined && search.trim() !== "";
  const filters = [marketId, side, fromMs];
  return isSearched || grouped === true || filters.some((filter) => filter !== undefined);
}

function matcherOf({ search, marketId, side, grouped }: ActivityQuery): Matcher {
  const words = (search ?? "").toLowerCase().split(/\s+/).filter(Boolean);
  const searched = words.slice(0, SEARCH_WORDS_MAX);
  return (row) =>
    searched.every((word) => row.search_text.includes(word)) &&
    (marketId === undefined || row.market_id === marketId) &&
    (side === undefined || sideOf(row) === side) &&
    !(grouped === true && row.kind === "fill");
}

interface RowsAndNext {
  readonly rows: readonly ActivityTable[];
  readonly next: string | null;
}

/** The first sequence at that time or later: rows are read by sequence, for which there is an index. */
function firstSequenceAt(
  read: Kysely<Tables>,
  { account, kind }: ActivityQuery,
  timeMs: number,
): Promise<number> {
  return firstNumber({
    rowUpTo(sequence) {
      let upTo = read
        .selectFrom("activity")
        .select(["sequence", "time"])
        .where("account", "=", account)
        .where("sequence", "<=", sequence);
      if (kind !== undefined) upTo = upTo.where("kind", "=", kind);
      return upTo.orderBy("sequence", "desc").limit(1).executeTakeFirst();
    },
    numberOf: (row) => row.sequence,
    isEarly: (row) => row.time < timeMs,
  });
}

/** @param before the first sequence that is not read */
async function readRows(
  read: Kysely<Tables>,
  { account, kind }: ActivityQuery,
  before: number,
  cursor: string | undefined,
  limit: number,
): Promise<RowsAndNext> {
  let select = read.selectFrom("activity").selectAll().where("account", "=", account);
  if (kind !== undefined) select = select.where("kind", "=", kind);
  const [sequence, position] = cursor === undefined ? [Infinity] : decodeCursor(cursor, 2);
  // One bound alone: of two, SQLite may begin at the higher one and read all rows down to the other.
  if (sequence < before) {
    select = select.where((where) =>
      where.eb(where.refTuple("sequence", "position"), "<", where.tuple(sequence, position)),
    );
  } else if (before !== Infinity) {
    select = select.where("sequence", "<", before);
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
  before: number,
  matches: Matcher,
): Promise<RowsAndNext> {
  const { fromMs = 0 } = query;
  const found: ActivityTable[] = [];
  let cursor = query.cursor;
  let rowsPerRead = Math.min(query.limit * FIRST_READ_FACTOR, SEARCH_ROWS_PER_READ);
  for (let reads = 0; reads < SEARCH_READS_MAX; reads += 1) {
    const { rows, next } = await readRows(read, query, before, cursor, rowsPerRead);
    rowsPerRead = SEARCH_ROWS_PER_READ;
    for (const row of rows) {
      // All further rows are even older.
      if (row.time < fromMs) return { rows: found, next: null };
      if (!matches(row)) continue;
      // One more row than the page holds was found, so there is another page.
      if (found.length === query.limit)
        return { rows: found, next: cursorAfter(found[query.limit - 1]) };
      found.push(row);
    }
    if (next === null) return { rows: found, next: null };
    cursor = next;
    // SQLite answers synchronously: other reads run on this thread in between.
    await nextTurn();
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
