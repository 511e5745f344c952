/**
 * Pages of a query that stays current, in the shape of the official client's `usePaginatedQuery`. The
 * first run of a page decides where it ends and leaves that in the query's journal. Later runs, also
 * those after a reconnection, have the same end, however many rows have been added: no row is lost
 * between two pages, and none is in both.
 */
import type { PaginatedPage, PaginationOptions } from "#contract/pagination.ts";
import { CursorError, decodeCursor, encodeCursor } from "../database/cursor.ts";
import { FunctionError } from "./function-error.ts";

/** Rows that one answer may have. A page with more is split by the client. */
const ROWS_MAX = 500;
/** From here on the client is advised to split the page, so that a change sends less of it again. */
const ROWS_RECOMMENDED_MAX = 100;
/** The number of no row: a page that ends here has all the rest. */
const END = 0;

/** What the previous run of a query left for this one. */
export interface QueryJournal {
  /** Null at the first run. A client may have sent any text. */
  readonly before: string | null;
  leave(text: string): void;
}

/** Rows by their number, the highest first. */
export interface RowRange {
  /** Infinity for the newest. */
  readonly below: number;
  /** Included. */
  readonly from: number;
  /** The most rows. */
  readonly limit: number;
}

export interface Rows<Row> {
  readonly rows: readonly Row[];
  /** They are all of the range from this number on; above the range's own `from` if more may follow. */
  readonly from: number;
}

type CursorField = "cursor" | "endCursor";

/** @throws FunctionError for a cursor, or a journal, that no page handed out */
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

/** The official client starts again with the first page when it reads this word. */
function invalidCursor(field: CursorField): FunctionError {
  return new FunctionError({
    code: "invalidArgument",
    field: `paginationOpts.${field}`,
    message: "InvalidCursor: the cursor is not one that a page of this query handed out.",
  });
}
