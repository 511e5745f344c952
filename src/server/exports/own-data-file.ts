/** All data stored about the caller as JSON lines, each with its kind. */
import { z } from "zod";
import type { Page } from "#contract/types.ts";
import { balances } from "../functions/accounts.ts";
import { readFeed } from "../functions/activity-feed.ts";
import { requireUser } from "../functions/caller.ts";
import { readFills } from "../functions/fills.ts";
import type { QueryContext } from "../functions/handlers.ts";
import { readOrders } from "../functions/orders.ts";
import { current } from "../functions/users.ts";
import { type ExportFile, PAGE_SIZE } from "./export-file.ts";

export const ownDataFile: ExportFile = {
  mediaType: "application/x-ndjson; charset=utf-8",
  isOfHistory: true,
  args: z.strictObject({}),
  async *chunks(context) {
    const userId = requireUser(context);
    const limit = PAGE_SIZE;
    const journal = { before: null, leave() {} };
    const once: QueryContext = { ...context, dependsOn() {}, journal };
    yield line("user", current(once, {}));
    yield balances(once, {})
      .map((balance) => line("balance", balance))
      .join("");
    yield* pages("order", (cursor) => readOrders(context, { cursor, limit }));
    yield* pages("fill", (cursor) => readFills(context, { cursor, limit }));
    yield* pages("activity", (cursor) => readFeed(context.services, { userId, cursor, limit }));
  },
};

async function* pages(
  what: string,
  read: (cursor: string | undefined) => Promise<Page<unknown>>,
): AsyncGenerator<string> {
  let cursor: string | undefined;
  do {
    const page = await read(cursor);
    yield page.items.map((item) => line(what, item)).join("");
    cursor = page.cursor ?? undefined;
  } while (cursor !== undefined);
}

function line(what: string, value: unknown): string {
  return `${JSON.stringify({ what, ...(value as object) })}\n`;
}
