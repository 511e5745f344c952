/** Reads users from the database. */
import { flagOf } from "../../database/accounts-tables.ts";
import type { Database } from "../../database/open-database.ts";
import { accessChangeUnderWay } from "../audit/access-changes.ts";
import { emailsOf, userIdOf } from "../audit/audit.ts";
import { listUsers, type UserDirectoryQuery } from "./user-directory.ts";
import { toProfile, type UserProfile } from "./user-profile.ts";

/** @param adminIds users who are administrators regardless of role */
export function createUserReads(database: Database, adminIds: readonly string[]) {
  return {
    /** Null if there is no such user. */
    async userById(userId: string): Promise<UserProfile | null> {
      const row = await database.read
        .selectFrom("user")
        .selectAll()
        .where("id", "=", userId)
        .executeTakeFirst();
      return row === undefined ? null : toProfile(row, adminIds);
    },
    /** All users; for administrators only. */
    listUsers: (query: UserDirectoryQuery) => listUsers(database, adminIds, query),
    /** Those of the given users who are banned. */
    async bannedOf(userIds: readonly string[]): Promise<string[]> {
      if (userIds.length === 0) return [];
      const rows = await database.read
        .selectFrom("user")
        .select(["id", "banned"])
        .where("id", "in", userIds)
        .execute();
      return rows.filter(({ banned }) => flagOf(banned)).map(({ id }) => id);
    },
    /** Whether how the user signs in is being changed, so that the events do not include it yet. */
    isAccessChanging: async (userId: string) =>
      (await accessChangeUnderWay(database, userId)) !== "none",
    /** Returns an id unchanged; for an address, the id of its user, or null if there is none. */
    idOf: (user: string) => userIdOf(database, user),
    /** Addresses by id; deleted users have none. */
    emailsOf: (userIds: readonly string[]) => emailsOf(database, userIds),
  };
}
