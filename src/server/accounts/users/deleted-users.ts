/**
 * Notifies the exchange of each deleted user until that succeeds. A note is written before the user
 * is deleted and removed after the exchange has cleaned up, so that neither a failure nor a crash
 * leaves orphaned orders.
 */
import type { Database } from "../../database/open-database.ts";
import type { Log } from "../../log.ts";
import type { FormerUsers } from "./former-users.ts";

const RETRY_AFTER_MS = 30_000;

interface DeletedUsersOptions {
  readonly database: Database;
  readonly log: Log;
  readonly formerUsers: FormerUsers;
  /**
   * Must be idempotent: after a crash it is called again. If absent, as on the command line, notes
   * remain for a process that has it.
   */
  readonly onUserDeleted?: ((user: { readonly id: string }) => void | Promise<void>) | undefined;
}

export function createDeletedUsers(options: DeletedUsersOptions) {
  const { database, log, formerUsers } = options;
  const timer = setInterval(() => {
    void finishCleanups();
    void forgetOld();
  }, RETRY_AFTER_MS);
  timer.unref();

  /** Called after the deletion; never throws. */
  async function settle(userId: string): Promise<void> {
    if (options.onUserDeleted === undefined) return;
    try {
      await options.onUserDeleted({ id: userId });
      await database.write
        .updateTable("deleted_users")
        .set({ settled_at_ms: Date.now() })
        .where("id", "=", userId)
        .execute();
    } catch (error) {
      log.error({ userId, error: String(error) }, "a deleted user is not settled yet");
    }
  }

  /** Processes notes that earlier attempts or an earlier process left; never throws. */
  async function finishCleanups(): Promise<void> {
    if (options.onUserDeleted === undefined) return;
    try {
      const left = await database.read
        .selectFrom("deleted_users")
        .leftJoin("user", "user.id", "deleted_users.id")
        .where("deleted_users.settled_at_ms", "is", null)
        // A note whose user still exists belongs to a deletion that failed or is in progress.
        .where("user.id", "is", null)
        .select("deleted_users.id")
        .execute();
      for (const { id } of left) await settle(id);
    } catch (error) {
      log.error({ error: String(error) }, "deleted users could not be looked up");
    }
  }

  async function forgetOld(): Promise<void> {
    try {
      await formerUsers.forget(Date.now());
    } catch (error) {
      log.error({ error: String(error) }, "addresses of deleted users could not be removed");
    }
  }

  return {
    /** Writes the note before the deletion, which may still fail. */
    async note({ id, email }: { readonly id: string; readonly email: string }): Promise<void> {
      const deletedAtMs = Date.now();
      const digest = formerUsers.digestOf(email);
      const latest = { deleted_at_ms: deletedAtMs, address_digest: digest };
      await database.write
        .insertInto("deleted_users")
        .values({ id, settled_at_ms: null, ...latest })
        // An earlier attempt to delete the user failed.
        .onConflict((conflict) => conflict.column("id").doUpdateSet(latest))
        .execute();
      formerUsers.add(digest, { id, deletedAtMs });
    },
    settle,
    finishCleanups,
    close() {
      clearInterval(timer);
    },
  };
}
