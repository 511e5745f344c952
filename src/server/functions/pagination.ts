/**
 * Pages of a live query, compatible with the official client's `usePaginatedQuery`. The first run
 * of a page decides where it ends and stores that in the query's journal. Later runs, even after a
 * reconnection, end at the same row, however many rows have been added: no row is missing between
 * two pages, and none is in both.
 */
import type { PaginatedPage, PaginationOptions } from "#contract/pagination.ts";
import { CursorError, decodeCursor, encodeCursor } from "../database/cursor.ts";
import { FunctionError } from "./function-error.ts";

/** Maximum number of rows of an answer. The client splits a page with more. */
const ROWS_MAX = 500;
/**
 * From this size on, the client is advised to split the page, so that a change resends less of it.
 */
const ROWS_RECOMMENDED_MAX = 100;
/** A cursor below any row's number: a page that ends here has all remaining rows. */
const END = 0;

/** The query journal: the data that the previous run of a query left for this one. */
export interface QueryJournal {
  /** Null at the first run. Clients return this text, so it may be anything. */
  readonly before: string | null;
  leave(text: string): void;
}

/** A range of row numbers, highest first. */
export interface RowRange {
  /** Exclusive; infinity for the newest rows. */
  readonly below: number;
  /** Inclusive. */
  readonly from: number;
  /** The most rows. */
  readonly limit: number;
}

export interface Rows<Row> {
  readonly rows: readonly Row[];
  /**
   * The rows are complete from this number on; greater than the range's `from` if more rows may
   * follow.
   */
  readonly from: number;
}

type CursorField = "cursor" | "endCursor";

/** @throws FunctionError for a cursor or a journal that did not come from a page */
export function paginate<Row>(
  { journal }: { readonly journal: QueryJournal },
  { numItems, cursor, endCursor }: PaginationOptions,
  read: (range: RowRange) => Rows<Row>,
  numberOf: (row: Row) => number,
): PaginatedPage<Row> {
  const below = cursor === null ? Number.POSITIVE_INFINITY : numberIn(cursor, "cursor");
  const pinned = endCursor ?? journal.before;
  const from = pinned === null ? END : numberIn(pinned, "endCursor");
  if (from >= below && below !== END) throw invalidCursor("endCursor");
  const limit = pinned === null ? numItems : ROWS_MAX;
  const { rows, from: readFrom } = read({ below, from, limit });
  const end = pinned === null ? readFrom : from;
  journal.leave(encodeCursor([end]));
  const middle = rows.length < 2 ? undefined : rows[Math.ceil(rows.length / 2) - 1];
  return {
    page: [...rows],
    isDone: end === END,
    continueCursor: encodeCursor([end]),
    splitCursor: middle === undefined ? null : encodeCursor([numberOf(middle)]),
    pageStatus: statusOf(rows.length, pinned !== null && readFrom > from),
  };
}

function statusOf(rows: number, isIncomplete: boolean): PaginatedPage<never>["pageStatus"] {
  if (isIncomplete) return "SplitRequired";
  return rows > ROWS_RECOMMENDED_MAX ? "SplitRecommended" : null;
}

function numberIn(cursor: string, field: CursorField): number {
  try {
    return decodeCursor(cursor, 1)[0];
  } catch (error) {
    if (error instanceof CursorError) throw invalidCursor(field);
    throw error;
  }
}

/** The official client restarts with the first page when the message contains this word. */
function invalidCursor(field: CursorField): FunctionError {
  return new FunctionError({
    code: "invalidArgument",
    field: `paginationOpts.${field}`,
    message: "InvalidCursor: the cursor is not one that a page of this query handed out.",
  });
}
