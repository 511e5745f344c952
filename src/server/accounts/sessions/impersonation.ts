/** Sessions in which an administrator impersonates a user: who does, for the page to show, and for how long. */
import type { Impersonation } from "#contract/page-context.ts";
import type { Database } from "../../database/open-database.ts";
import { timeMsOf } from "../../database/accounts-tables.ts";
import { textOf } from "../requests/fields.ts";

interface Sessions<Session> {
  findSession: (token: string) => Promise<{ readonly session: Session } | null>;
  updateSession: (token: string, change: Partial<Session>) => Promise<unknown>;
}

/** null for the user's own session. */
export async function impersonationOf(
  database: Database,
  sessionId: string,
): Promise<Impersonation | null> {
  const row = await database.read
    .selectFrom("session")
    .innerJoin("user as admin", "admin.id", "session.impersonatedBy")
    .where("session.id", "=", sessionId)
    .select(["session.expiresAt", "admin.name", "admin.lastname", "admin.email"])
    .executeTakeFirst();
  if (row === undefined) return null;
  const name = [row.name, row.lastname ?? ""].join(" ").trim();
  return { by: name === "" ? row.email : name, until: timeMsOf(row.expiresAt) };
}

/**
 * Prevents use from extending an impersonation. The library distinguishes it from other sessions only
 * by a cookie, which its browser may leave out.
 */
export function endImpersonationsOnTime<Session>(sessions: Sessions<Session>): void {
  const { updateSession } = sessions;
  sessions.updateSession = async (token, change) => {
    const found = await sessions.findSession(token);
    const isImpersonation = textOf(found?.session, "impersonatedBy") !== undefined;
    return isImpersonation ? found?.session : updateSession(token, change);
  };
}
