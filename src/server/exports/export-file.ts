/** Builds the contents of downloaded files. */
import { z } from "zod";
import { timeMs } from "#contract/arguments.ts";
import type { Page } from "#contract/types.ts";
import type { Contexts } from "../functions/handlers.ts";
import { csvLine } from "./csv.ts";

export type ExportContext = Contexts["action"];
/**
 * The columns of a table: each title with a function from an item to its cell; null and undefined give
 * an empty cell.
 */
export type ColumnsOf<Item> = Readonly<
  Record<string, (item: Item) => string | number | null | undefined>
>;

/** Rows read at a time. An export holds two pages in memory. */
export const PAGE_SIZE = 500;

export interface ExportFile {
  readonly mediaType: string;
  /** Schema of the request's search parameters. */
  readonly args: z.ZodType;
  /** Whether the rows come from the history, which must be complete first. */
  readonly isOfHistory: boolean;
  /** The file's content, a page at a time. @throws FunctionError if the caller may not read it */
  chunks(context: ExportContext, args: unknown): AsyncGenerator<string>;
}

/** Reads one page of items. */
type ReadPage<Item, Args> = (
  context: ExportContext,
  args: Args,
  cursor: string | undefined,
) => Promise<Page<Item>>;

/** A CSV table with a header line, a page of rows at a time. */
export function csvFile<Item, Args extends z.ZodType>(
  columns: ColumnsOf<Item>,
  args: Args,
  readPage: ReadPage<Item, z.output<Args>>,
): ExportFile {
  const cells = Object.values(columns);
  const lineOf = (item: Item) => csvLine(cells.map((cellOf) => String(cellOf(item) ?? "")));
  return {
    mediaType: "text/csv; charset=utf-8",
    isOfHistory: true,
    args,
    async *chunks(context, given) {
      let titles = csvLine(Object.keys(columns));
      let cursor: string | undefined;
      do {
        const page = await readPage(context, given as z.output<Args>, cursor);
        yield titles + page.items.map(lineOf).join("");
        titles = "";
        cursor = page.cursor ?? undefined;
      } while (cursor !== undefined);
    },
  };
}

/** A time as a search parameter, milliseconds since 1970. */
export const moment = z.coerce.number().pipe(timeMs).optional();

/** A time as ISO 8601 in UTC. */
export function isoTime(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
