/** Who could act as an administrator now, and who has been one on their own terms for a while. */
import { flagOf } from "../../database/accounts-tables.ts";
import type { Database } from "../../database/open-database.ts";
import { readAdminChanges } from "../record/admin-changes.ts";
import type { SecurityEvents } from "../record/security-events.ts";
import { isAdmin } from "./user-profile.ts";

export type Administrators = ReturnType<typeof createAdministrators>;

interface AdministratorsOptions {
  readonly database: Database;
  /** Users who are administrators regardless of role. */
  readonly adminIds: readonly string[];
  readonly securityEvents: Pick<SecurityEvents, "settled">;
  /** For how long an administrator whose access another one set may be that other one. */
  readonly waitMs: number;
}

export function createAdministrators(options: AdministratorsOptions) {
  const { adminIds, database, securityEvents, waitMs } = options;
  return {
    /** Ids of those who could sign in now. */
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
    /** Whether no other administrator made them one, or changed how they sign in, a short while ago. */
    async isSettled(userId: string): Promise<boolean> {
      const sinceMs = Date.now() - waitMs;
      const { accessAtMs } = await readAdminChanges(database, securityEvents, userId, sinceMs);
      return accessAtMs === null || accessAtMs <= sinceMs;
    },
  };
}
