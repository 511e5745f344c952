/** What a downloaded file is made of. */
import type { z } from "zod";
import type { Page } from "#contract/types.ts";
import type { Contexts } from "../functions/handlers.ts";
import { csvLine } from "./csv.ts";

export type ExportContext = Contexts["action"];
/** The columns of a table: the title of each, and its cell of an item; null and undefined are empty. */
export type ColumnsOf<Item> = Readonly<
  Record<string, (item: Item) => string | number | null | undefined>
>;

/** The rows read at a time: what an export holds in memory, twice. */
export const PAGE_SIZE = 500;

export interface ExportFile {
  readonly mediaType: string;
  /** Of the request's search parameters. */
  readonly args: z.ZodType;
  /** Whether its rows are of the exchange's history, all of which is to be there first. */
  readonly isOfHistory: boolean;
  /** The file's content, a page at a time. @throws FunctionError if the caller may not read it */
  pieces(context: ExportContext, args: unknown): AsyncGenerator<string>;
}

/** Reads one page of items. */
type ReadPage<Item, Args> = (
  context: ExportContext,
  args: Args,
  cursor: string | undefined,
) => Promise<Page<Item>>;

/** A table as CSV with a line of titles; a page of rows at a time. */
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
    async *pieces(context, given) {
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

/** A time as ISO 8601 in UTC. */
export function isoTime(timeMs: number): string {
  return new Date(timeMs).toISOString();
}
