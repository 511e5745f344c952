/**
 * Arguments and answers of paginated queries that stay current, as the official client's
 * `usePaginatedQuery` expects them.
 */
import { z } from "zod";
import { PAGE_ITEMS_MAX, cursor } from "./arguments.ts";

export const paginationOpts = z.strictObject({
  /** The number of rows when the page is first read; it then grows and shrinks with its rows. */
  numItems: z.number().int().min(1).max(PAGE_ITEMS_MAX),
  /** `continueCursor` of the previous page; null for the first page. */
  cursor: cursor.nullable(),
  /** The position of the page's last row, for a page that is split in two. */
  endCursor: cursor.nullish(),
  /** Chosen by the client: pages with different ids have separate query journals. */
  id: z.number().optional(),
});

export type PaginationOptions = z.output<typeof paginationOpts>;

export interface PaginatedPage<Row> {
  page: Row[];
  /** Whether this is the last page. */
  isDone: boolean;
  continueCursor: string;
  /** The position at which the page may be split; null if it has fewer than two rows. */
  splitCursor: string | null;
  /** "SplitRequired": the page has more rows than an answer may have, so it must be split. */
  pageStatus: "SplitRecommended" | "SplitRequired" | null;
}
