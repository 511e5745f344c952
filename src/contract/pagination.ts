/** Pages of queries that stay current, as the official client's `usePaginatedQuery` asks for them. */
import { z } from "zod";
import { PAGE_ITEMS_MAX, cursor } from "./arguments.ts";

export const paginationOpts = z.strictObject({
  /** Of the page when it is first read; it then grows and shrinks with its rows. */
  numItems: z.number().int().min(1).max(PAGE_ITEMS_MAX),
  /** `continueCursor` of the page before, null for the first one. */
  cursor: cursor.nullable(),
  /** The last row of the page, for a page that is split in two. */
  endCursor: cursor.nullish(),
  /** Chosen by the client: pages of different lists have journals of their own. */
  id: z.number().optional(),
});

export type PaginationOptions = z.output<typeof paginationOpts>;

export interface PaginatedPage<Row> {
  page: Row[];
  /** Whether it is the last page. */
  isDone: boolean;
  continueCursor: string;
  /** Where the page may be split; null if it has fewer than two rows. */
  splitCursor: string | null;
  /** "SplitRequired": the page has more rows than an answer may have, so it must be split. */
  pageStatus: "SplitRecommended" | "SplitRequired" | null;
}
