/**
 * Pages of rows: newest first, of a selection or of the items that a search finds among its rows; or oldest
 * first, until the end of a selection.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import { type SelectQueryBuilder, sql, type SqlBool } from "kysely";
import type { Page } from "#contract/types.ts";
import { decodeCursor, encodeCursor, type PageQuery } from "../../database/cursor.ts";
import type { Tables } from "../../database/tables.ts";

const PAGE_LIMIT_MAX = 1_000;
/** How many rows a search reads at a time. */
const SEARCH_ROWS_PER_READ = 1_000;
/** How many such reads a page may take: a search never runs for long. */
export const SEARCH_READS_MAX = 20;

/**
 * The page of a selection at its cursor, newest first.
 * @param keys the columns that order the selection, and together identify one row
 * @throws CursorError
 */
export async function readPage<Table extends keyof Tables, Row extends object, Item>(
  select: SelectQueryBuilder<Tables, Table, Row>,
  keys: readonly (keyof Row & string)[],
  { cursor, limit }: PageQuery,
  toItem: (row: Row) => Item,
): Promise<Page<Item>> {
  const columns = keys.map((key) => sql.ref(key));
  // One more row shows that there is another page.
  let page = select.limit(limit + 1);
  if (cursor !== undefined) {
    const after = decodeCursor(cursor, keys.length);
    page = page.where(sql<SqlBool>`(${sql.join(columns)}) < (${sql.join(after)})`);
  }
  for (const column of columns) page = page.orderBy(column, "desc");
  const rows = await page.execute();
  const last = rows.length > limit ? rows[limit - 1] : undefined;
  return {
    items: rows.slice(0, limit).map(toItem),
    cursor: last === undefined ? null : encodeCursor(keys.map((key) => Number(last[key]))),
  };
}

interface Search<Item> {
  readonly matches: (item: Item) => boolean;
  readonly cursorOf: (item: Item) => string;
}

/**
 * A page of only the items that match a condition that SQL cannot evaluate; reads a bounded number
 * of rows.
 */
export async function searchPage<Item>(
  read: (page: PageQuery) => Promise<Page<Item>>,
  { cursor, limit }: PageQuery,
  { matches, cursorOf }: Search<Item>,
): Promise<Page<Item>> {
  const found: Item[] = [];
  let from = cursor;
  for (let reads = 0; reads < SEARCH_READS_MAX; reads += 1) {
    const page = await read({ cursor: from, limit: SEARCH_ROWS_PER_READ });
    for (const item of page.items) {
      if (!matches(item)) continue;
      found.push(item);
      // It is unknown whether another item follows: the next page may be empty.
      if (found.length === limit) return { items: found, cursor: cursorOf(item) };
    }
    if (page.cursor === null) return { items: found, cursor: null };
    from = page.cursor;
    // SQLite answers synchronously: other reads run on this thread in between.
    await nextTurn();
  }
  return { items: found, cursor: from ?? null };
}

/** How many rows are read at a time of a selection that is read to its end. */
const ROWS_PER_READ = 2_000;

/**
 * The rows of a selection, oldest first, in bounded reads: SQLite answers synchronously, and other reads run on
 * this thread in between.
 * @param keys the columns that order the selection, and together identify one row
 * @param after the keys' values of the row before the first
 */
export async function* readInTurns<Table extends keyof Tables, Row extends object>(
  select: SelectQueryBuilder<Tables, Table, Row>,
  keys: readonly (keyof Row & string)[],
  after: readonly number[] = keys.map(() => 0),
): AsyncGenerator<readonly Row[], void> {
  const columns = keys.map((key) => sql.ref(key));
  let ordered = select.limit(ROWS_PER_READ);
  for (const column of columns) ordered = ordered.orderBy(column);
  for (let last = after; ; await nextTurn()) {
    const isLater = sql<SqlBool>`(${sql.join(columns)}) > (${sql.join(last)})`;
    const rows = await ordered.where(isLater).execute();
    yield rows;
    if (rows.length < ROWS_PER_READ) return;
    const newest = rows[rows.length - 1];
    last = keys.map((key) => Number(newest[key]));
  }
}

/** @throws RangeError */
export function checkLimit(limit: number): void {
  if (!Number.isInteger(limit) || limit < 1 || limit > PAGE_LIMIT_MAX) {
    throw new RangeError(`A page has 1 to ${PAGE_LIMIT_MAX} rows, not ${limit}.`);
  }
}
