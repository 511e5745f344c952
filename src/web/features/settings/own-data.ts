import type { ConvexReactClient } from "convex/react";
import { functions } from "#contract/functions.ts";

const PAGE_SIZE = 200;

type Backend = Pick<ConvexReactClient, "action" | "query">;

/** All data stored about the caller, one JSON object per line, each naming its kind. */
export async function* ownDataPieces(backend: Backend): AsyncGenerator<string> {
  const user = await backend.query(functions.users.current, {});
  const balances = await backend.query(functions.accounts.balances, {});
  yield line("user", user) + balances.map((balance) => line("balance", balance)).join("");
  yield* pages("order", (more) => backend.action(functions.orders.history, more));
  yield* pages("fill", (more) => backend.action(functions.fills.history, more));
  yield* pages("activity", (more) => backend.action(functions.activity.page, more));
}

interface More {
  readonly limit: number;
  readonly cursor?: string;
}

async function* pages(
  what: string,
  read: (more: More) => Promise<{ items: unknown[]; cursor: string | null }>,
): AsyncGenerator<string> {
  let cursor: string | null = null;
  do {
    const more: More = { limit: PAGE_SIZE, ...(cursor === null ? {} : { cursor }) };
    const page = await read(more);
    yield page.items.map((item) => line(what, item)).join("");
    ({ cursor } = page);
  } while (cursor !== null);
}

function line(what: string, value: unknown): string {
  return `${JSON.stringify({ what, ...(value as object) })}\n`;
}
