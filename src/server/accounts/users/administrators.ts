/**
 * Which users are administrators and able to sign in, and which have been administrators for a
 * while without another administrator changing their access.
 */
import { flagOf } from "../../database/accounts-tables.ts";
import type { Database } from "../../database/open-database.ts";
import { readAdminChanges } from "../audit/admin-changes.ts";
import type { SecurityEvents } from "../audit/security-events.ts";
import { isAdmin } from "./user-profile.ts";

export type Administrators = ReturnType<typeof createAdministrators>;

interface AdministratorsOptions {
  readonly database: Database;
  /** Users who are administrators regardless of role. */
  readonly adminIds: readonly string[];
  readonly securityEvents: Pick<SecurityEvents, "settled">;
  /**
   * How long after one administrator changed another's access the two may still be the same person,
   * so that their approvals count once. Milliseconds.
   */
  readonly waitMs: number;
}

export function createAdministrators(options: AdministratorsOptions) {
  const { adminIds, database, securityEvents, waitMs } = options;
  return {
    /** Ids of the administrators who are able to sign in. */
    async ids(): Promise<string[]> {
      const rows = await database.read
        .selectFrom("user")
        .select(["id", "role", "banned"])
        .where((where) =>
          where.or([
            where("role", "like", "%admin%"),
            ...(adminIds.length > 0 ? [where("id", "in", adminIds)] : []),
          ]),
        )
        .execute();
      return rows
        .filter(
          ({ id, role, banned }) => !flagOf(banned) && (isAdmin(role) || adminIds.includes(id)),
        )
        .map(({ id }) => id);
    },
    /**
     * Whether no other administrator has changed the user's role or sign-in within the waiting
     * time.
     */
    async isSettled(userId: string): Promise<boolean> {
      const sinceMs = Date.now() - waitMs;
      const { accessAtMs } = await readAdminChanges(database, securityEvents, userId, sinceMs);
      return accessAtMs === null || accessAtMs <= sinceMs;
    },
  };
}
