/**
 * Which users are administrators and able to sign in, and which have been administrators for a
 * while without another administrator changing their access.
 */
import type { Transaction } from "kysely";
import { flagOf } from "../../database/accounts-tables.ts";
import { isSqlite } from "../../database/dialect.ts";
import type { Database } from "../../database/open-database.ts";
import { readAdminChanges, wasMadeAdmin } from "../audit/admin-changes.ts";
import type { Tables } from "../../database/tables.ts";
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

  const select = (from: Database["read"]) =>
    from
      .selectFrom("user")
      .select(["id", "role", "banned"])
      .where((where) =>
        where.or([
          where("role", "like", "%admin%"),
          ...(adminIds.length > 0 ? [where("id", "in", adminIds)] : []),
        ]),
      )
      .orderBy("id");
  type Row = Awaited<ReturnType<ReturnType<typeof select>["execute"]>>[number];
  const idsOf = (rows: readonly Row[]) =>
    rows
      .filter(({ id, role, banned }) => !flagOf(banned) && (isAdmin(role) || adminIds.includes(id)))
      .map(({ id }) => id);

  return {
    /** Ids of the administrators who are able to sign in. */
    ids: async (): Promise<string[]> => idsOf(await select(database.read).execute()),
    /**
     * The same ids as `ids`; none of these administrators can be removed by others until the
     * transaction has ended.
     */
    async lockedIds(transaction: Transaction<Tables>): Promise<string[]> {
      const selected = select(transaction);
      return idsOf(await (isSqlite(transaction) ? selected : selected.forNoKeyUpdate()).execute());
    },
    /**
     * Whether another administrator has made the user one within the waiting time. Other changes to an
     * administrator do not make them new: one who made such changes to all the others could remove them.
     */
    async isNew(userId: string): Promise<boolean> {
      return wasMadeAdmin(database, securityEvents, userId, Date.now() - waitMs);
    },
    /**
     * Whether no other administrator has changed the user's role or sign-in within the waiting
     * time.
     */
    async isSettled(userId: string): Promise<boolean> {
      if (waitMs === 0) return true;
      const sinceMs = Date.now() - waitMs;
      const { accessAtMs } = await readAdminChanges(database, securityEvents, userId, sinceMs);
      return accessAtMs === null || accessAtMs <= sinceMs;
    },
  };
}
