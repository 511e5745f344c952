/**
 * While the database is unavailable, or a request needs room on its full disk, the request cannot
 * be answered, and must not be answered with a refusal, upon which clients would sign users out.
 * The answer is to retry.
 */
import type { ServerResponse } from "node:http";
import { sql } from "kysely";
import type { Database } from "../../database/open-database.ts";
import { sendJson } from "../../http/json-answer.ts";

/** Half of the shortest client time-out; waiting longer would not help clients. */
const WAIT_MS_MAX = 2000;

/** Thrown if the database is unavailable, so that the caller cannot be identified at the moment. */
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
