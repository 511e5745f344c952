/** The administrator who impersonates a session's user, for the page to show. */
import type { Impersonation } from "#contract/page-context.ts";
import type { Database } from "../../database/open-database.ts";
import { timeMsOf } from "../../database/accounts-tables.ts";

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
