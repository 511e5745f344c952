/** The list of all users, for administrators: searched, filtered, sorted and paged. */
import { type ExpressionBuilder, type SqlBool, sql } from "kysely";
import type { ListedUser, Role, UserSort } from "#contract/users.ts";
import type { Database } from "../../database/open-database.ts";
import type { Tables } from "../../database/tables.ts";
import { flagOf, type StoredTime, timeMsOf } from "../../database/accounts-tables.ts";
import { toProfile } from "./user-profile.ts";

export interface UserDirectoryQuery {
  /**
   * Words that must each be contained in the first name, the last name or the address, or a user's
   * full id.
   */
  readonly search?: string | undefined;
  readonly role?: Role | undefined;
  readonly banned?: boolean | undefined;
  readonly sort: UserSort;
  readonly descending: boolean;
  readonly offset: number;
  readonly limit: number;
}

export interface UserDirectoryPage {
  readonly users: ListedUser[];
  readonly total: number;
}

/** Events that only signed-in users themselves cause. */
const LAST_SEEN_KINDS = ["signedUp", "signedIn", "signedOut"] as const;
const SEARCH_WORDS_MAX = 8;

/** @param adminIds users who are administrators regardless of role */
export async function listUsers(
  database: Database,
  adminIds: readonly string[],
  query: UserDirectoryQuery,
): Promise<UserDirectoryPage> {
  const { read } = database;
  const wanted = wantedBy(database, adminIds, query);
  const direction = query.descending ? "desc" : "asc";
  const { total } = await read
    .selectFrom("user")
    .where(wanted)
    .select(({ fn }) => fn.countAll<number | string>().as("total"))
    .executeTakeFirstOrThrow();
  let page = read.selectFrom("user").where(wanted).selectAll();
  if (query.sort === "createdAt") page = page.orderBy("createdAt", direction);
  else page = page.orderBy(sql`lower(${sql.ref(query.sort)})`, direction);
  if (query.sort === "name") page = page.orderBy(sql`lower(coalesce(lastname, ''))`, direction);
  // Gives ties the same order on every page.
  const rows = await page
    .orderBy("id", direction)
    .offset(query.offset)
    .limit(query.limit)
    .execute();
  const seen = await lastSeen(
    database,
    rows.map(({ id }) => id),
  );
  const nowMs = Date.now();
  const users = rows.map((row): ListedUser => {
    const until = row.banExpires === null ? null : timeMsOf(row.banExpires);
    const isBanned = flagOf(row.banned) && (until === null || until > nowMs);
    const { createdAtMs: createdAt, image: _, ...profile } = toProfile(row, adminIds);
    return {
      ...profile,
      createdAt,
      lastSeenAt: seen.get(row.id) ?? null,
      ban: isBanned ? { reason: row.banReason ?? "", until } : null,
    };
  });
  return { users, total: Number(total) };
}

function wantedBy(
  { dialect }: Database,
  adminIds: readonly string[],
  { search, role, banned }: UserDirectoryQuery,
) {
  return (where: ExpressionBuilder<Tables, "user">) => {
    const all = (search ?? "")
      .split(/\s+/)
      .filter(Boolean)
      .slice(0, SEARCH_WORDS_MAX)
      .map((word) =>
        where.or([
          ...(["name", "lastname", "email"] as const).flatMap((column) => [
            contains(column, word.toLowerCase()),
            // SQLite folds case for Latin letters only; other letters must match exactly.
            contains(column, word),
          ]),
          where("id", "=", word),
        ]),
      );
    if (role !== undefined) {
      const admins = where.or([
        sql<SqlBool>`',' || coalesce(role, 'user') || ',' like '%,admin,%'`,
        ...(adminIds.length > 0 ? [where("id", "in", adminIds)] : []),
      ]);
      all.push(role === "admin" ? admins : where.not(admins));
    }
    if (banned !== undefined) {
      // An expired ban remains in its row until the user signs in again.
      const now = new Date();
      const nowAsStored: StoredTime = dialect === "sqlite" ? now.toISOString() : now;
      const isBanned = where.and([
        where("banned", "is", sql<boolean>`true`),
        where.or([where("banExpires", "is", null), where("banExpires", ">", nowAsStored)]),
      ]);
      all.push(banned ? isBanned : where.not(isBanned));
    }
    return where.and(all);
  };
}

/** Whether a column contains the word, with % and _ matched literally. */
function contains(column: "name" | "lastname" | "email", word: string) {
  const pattern = `%${word.replaceAll(/[\\%_]/g, String.raw`\$&`)}%`;
  return sql<SqlBool>`lower(coalesce(${sql.ref(column)}, '')) like ${pattern} escape '\\'`;
}

/** When each user was last seen: a session was extended, or the user signed in or out. */
async function lastSeen(
  { read }: Database,
  userIds: readonly string[],
): Promise<Map<string, number>> {
  const seen = new Map<string, number>();
  if (userIds.length === 0) return seen;
  const note = (userId: string, atMs: number) =>
    seen.set(userId, Math.max(atMs, seen.get(userId) ?? 0));
  const sessions = await selectSessions(read, userIds).execute();
  for (const { userId, updatedAt, impersonatedBy } of sessions) {
    if (impersonatedBy === null) note(userId, timeMsOf(updatedAt));
  }
  for (const { id, ...events } of await selectLastEvents(read, userIds).execute())
    for (const atMs of Object.values(events)) if (atMs !== null) note(id, atMs);
  return seen;
}

/**
 * The sessions of users, including impersonations. Without those, SQLite would use the index of
 * impersonators, and so search the sessions of all users.
 */
export function selectSessions(read: Database["read"], userIds: readonly string[]) {
  return read
    .selectFrom("session")
    .where("userId", "in", userIds)
    .select(["userId", "updatedAt", "impersonatedBy"]);
}

/** When each user last caused an event of each kind: one row by the index, however many there are. */
export function selectLastEvents(read: Database["read"], userIds: readonly string[]) {
  return read
    .selectFrom("user")
    .where("user.id", "in", userIds)
    .select("user.id")
    .select((user) =>
      LAST_SEEN_KINDS.map((kind) =>
        user
          .selectFrom("security_events")
          .whereRef("user_id", "=", "user.id")
          .where("kind", "=", kind)
          .where("actor_id", "is", null)
          .orderBy("security_events.id", "desc")
          .limit(1)
          .select("at_ms")
          .as(kind),
      ),
    );
}
