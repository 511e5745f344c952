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
import { readPage, SEARCH_READS_MAX } from "./pages.ts";

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
  const { items, cursor } = isSelective(query)
    ? await searchRows(read, query, before, matcherOf(query))
    : await readRows(read, query, before, query);
  return { items: await withDetails(read, query.account, items), cursor };
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

/** The first sequence at that time or later: rows are read by sequence, for which there is an index. */
function firstSequenceAt(
  read: Kysely<Tables>,
  { account, kind }: ActivityQuery,
  timeMs: number,
): Promise<number> {
  let select = read
    .selectFrom("activity")
    .select(["sequence", "time"])
    .where("account", "=", account);
  if (kind !== undefined) select = select.where("kind", "=", kind);
  return firstNumber(select, ["sequence"], (row) => row.time < timeMs);
}

/** @param before the exclusive upper bound of the sequences */
async function readRows(
  read: Kysely<Tables>,
  { account, kind }: ActivityQuery,
  before: number,
  { cursor, limit }: PageQuery,
): Promise<Page<ActivityTable>> {
  let select = read.selectFrom("activity").selectAll().where("account", "=", account);
  if (kind !== undefined) select = select.where("kind", "=", kind);
  // Only one bound: with two, SQLite may begin at the higher one and read all rows down to the other.
  const isBounded = cursor !== undefined && decodeCursor(cursor, 2)[0] < before;
  if (!isBounded && before !== Infinity) select = select.where("sequence", "<", before);
  const page = { cursor: isBounded ? cursor : undefined, limit };
  return readPage(select, ["sequence", "position"], page, (row) => row);
}

async function searchRows(
  read: Kysely<Tables>,
  query: ActivityQuery,
  before: number,
  matches: Matcher,
): Promise<Page<ActivityTable>> {
  const { fromMs = 0 } = query;
  const items: ActivityTable[] = [];
  let { cursor } = query;
  let limit = Math.min(query.limit * FIRST_READ_FACTOR, SEARCH_ROWS_PER_READ);
  for (let reads = 0; reads < SEARCH_READS_MAX; reads += 1) {
    const page = await readRows(read, query, before, { cursor, limit });
    limit = SEARCH_ROWS_PER_READ;
    for (const row of page.items) {
      // All further rows are even older.
      if (row.time < fromMs) return { items, cursor: null };
      if (!matches(row)) continue;
      // One more row than the page holds was found, so there is another page.
      if (items.length === query.limit)
        return { items, cursor: cursorAfter(items[query.limit - 1]) };
      items.push(row);
    }
    if (page.cursor === null) return { items, cursor: null };
    ({ cursor } = page);
    // SQLite answers synchronously: other reads run on this thread in between.
    await nextTurn();
  }
  return { items, cursor: cursor ?? null };
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
