/** Security events as administrators see them: with users and email addresses. */
import type { Page } from "#contract/types.ts";
import type { AuditEvent } from "#contract/users.ts";
import type { Database } from "../../database/open-database.ts";
import type { SecurityEvents, SecurityEventsQuery } from "./security-events.ts";

export interface AuditQuery extends Omit<SecurityEventsQuery, "userId"> {
  /** A user's id or full email address. */
  readonly user?: string | undefined;
}

/** @throws CursorError */
export async function readAudit(
  database: Database,
  securityEvents: Pick<SecurityEvents, "page">,
  { user, ...query }: AuditQuery,
): Promise<Page<AuditEvent>> {
  const userId = user === undefined ? undefined : await userIdOf(database, user);
  if (userId === null) return { items: [], cursor: null };
  const { items, cursor } = await securityEvents.page({ ...query, userId });
  const emails = await emailsOf(
    database,
    items.flatMap((event) => [event.userId, event.actorId ?? event.userId]),
  );
  return {
    items: items.map(({ id, atMs, kind, title, status, ...event }) => ({
      id,
      time: atMs,
      kind,
      title,
      status,
      userId: event.userId,
      userEmail: emails.get(event.userId) ?? null,
      actorId: event.actorId,
      actorEmail: event.actorId === null ? null : (emails.get(event.actorId) ?? null),
      address: event.address,
      userAgent: event.userAgent,
    })),
    cursor,
  };
}

/** Returns an id unchanged, so that deleted users can be found too; null for an unknown address. */
export async function userIdOf({ read }: Database, user: string): Promise<string | null> {
  const wanted = user.trim();
  if (!wanted.includes("@")) return wanted;
  const found = await read
    .selectFrom("user")
    .select("id")
    .where("email", "=", wanted.toLowerCase())
    .executeTakeFirst();
  return found?.id ?? null;
}

export async function emailsOf(
  { read }: Database,
  userIds: readonly string[],
): Promise<Map<string, string>> {
  if (userIds.length === 0) return new Map();
  const rows = await read
    .selectFrom("user")
    .select(["id", "email"])
    .where("id", "in", [...new Set(userIds)])
    .execute();
  return new Map(rows.map(({ id, email }) => [id, email]));
}
