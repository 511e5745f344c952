/**
 * The removals of administrators that have begun and not ended: bans, demotions and deletions. They
 * are in the database, because several nodes may share it, and each is noted while all administrators
 * are locked: of two that remove each other at the same moment, on any nodes, the second finds that
 * the first is leaving.
 */
import { randomUUID } from "node:crypto";
import type { Transaction } from "kysely";
import type { Database } from "../../database/open-database.ts";
import { retrySerialization } from "../../database/retry-serialization.ts";
import type { Tables } from "../../database/tables.ts";
import type { Log } from "../../log.ts";
import type { Administrators } from "./administrators.ts";

/** The interval after which the removal of a node that died is ignored. */
const REMOVAL_MS_MAX = 120_000;

export interface Removal {
  readonly id: string;
  /** The administrators who remain; undefined if the user is not one, so that all remain. */
  readonly others: readonly string[] | undefined;
}

export type LeavingAdministrators = ReturnType<typeof createLeavingAdministrators>;

interface LeavingAdministratorsOptions {
  readonly database: Database;
  readonly administrators: Pick<Administrators, "lockedIds">;
  readonly log: Log;
}

export function createLeavingAdministrators(options: LeavingAdministratorsOptions) {
  const { administrators, database, log } = options;
  return {
    /**
     * Begins the removal of a user, who counts as leaving until `end`.
     * @returns null, and begins nothing, if no administrator would remain
     */
    begin(userId: string): Promise<Removal | null> {
      const id = randomUUID();
      return retrySerialization(() =>
        database.write.transaction().execute(async (transaction) => {
          const ids = await administrators.lockedIds(transaction);
          const nowMs = Date.now();
          const leaving = await transaction
            .selectFrom("leaving_administrators")
            .select("user_id")
            .where("until_ms", ">", nowMs)
            .execute();
          const gone = new Set(leaving.map(({ user_id: leavingId }) => leavingId)).add(userId);
          const others = ids.filter((each) => !gone.has(each));
          const isOne = ids.includes(userId);
          if (isOne && others.length === 0) return null;
          const removal = { id, others: isOne ? others : undefined };
          // A user who is not yet an administrator may become one before the removal.
          if (!isOne && !(await isUser(transaction, userId))) return removal;
          await transaction
            .deleteFrom("leaving_administrators")
            .where("until_ms", "<=", nowMs)
            .execute();
          await transaction
            .insertInto("leaving_administrators")
            .values({ id, user_id: userId, until_ms: nowMs + REMOVAL_MS_MAX })
            .execute();
          return removal;
        }),
      );
    },
    /** Must be called when the user has been removed or stays; never throws. */
    async end(removalIds: readonly string[]): Promise<void> {
      if (removalIds.length === 0) return;
      try {
        await database.write
          .deleteFrom("leaving_administrators")
          .where("id", "in", removalIds)
          .execute();
      } catch (error) {
        log.warn({ error: String(error) }, "a removal of an administrator counts as under way");
      }
    },
  };
}

async function isUser(transaction: Transaction<Tables>, userId: string): Promise<boolean> {
  const selected = transaction.selectFrom("user").select("id").where("id", "=", userId);
  return (await selected.executeTakeFirst()) !== undefined;
}
