/**
 * While the database is away no request about accounts can be answered, and none may be answered as if
 * the caller had been refused: clients would sign people out. They are told to try again.
 */
import type { ServerResponse } from "node:http";
import { sql } from "kysely";
import type { Database } from "../../database/open-database.ts";
import { sendJson } from "./node-requests.ts";

/** Half of what clients wait at least; a database that takes as long is of no use to them. */
const WAIT_MS_MAX = 2000;

/** The database is away: who the caller is cannot be told at the moment. */
export class AccountsUnavailableError extends Error {
  override readonly name = "AccountsUnavailableError";
}

export async function isDatabaseReachable({ read }: Pick<Database, "read">): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), WAIT_MS_MAX);
  });
  const asked = sql`select 1`.execute(read).then(
    () => true,
    () => false,
  );
  const isReachable = await Promise.race([asked, tooLong]);
  clearTimeout(timer);
  return isReachable;
}

/** The answer where accounts cannot be reached. */
export const UNAVAILABLE = {
  status: 503,
  body: {
    code: "SERVICE_UNAVAILABLE",
    message: "Accounts cannot be reached at the moment; try again shortly.",
  },
  headers: { "retry-after": "2" },
} as const;

export function sendUnavailable(response: ServerResponse): void {
  sendJson(response, UNAVAILABLE.status, UNAVAILABLE.body, UNAVAILABLE.headers);
}
