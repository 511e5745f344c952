/**
 * Changes of roles and of how users sign in, from before they are made until their security events are
 * stored. An event is stored after the change that it reports: until then, on another node, a user could
 * approve with a role or withdraw without a second factor as if nothing had been changed. So code
 * that asks the events whether something was changed asks here first.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import { randomUUID } from "node:crypto";
import type { BetterAuthPlugin } from "better-auth";
import type { Database } from "../../database/open-database.ts";
import type { Log } from "../../log.ts";
import { onCalls, sessionOf } from "../library-calls.ts";
import { fieldOf, textOf } from "../requests/fields.ts";
import { isAdmin } from "../users/user-profile.ts";
import type { SecurityEvents } from "./security-events.ts";

/** The interval after which the change of a node that died is ignored. */
const CHANGE_MS_MAX = 120_000;

const BY_ADMINISTRATORS: ReadonlySet<string> = new Set([
  "/admin/set-role",
  "/admin/update-user",
  "/admin/ban-user",
  "/admin/unban-user",
  "/admin/set-user-password",
  "/admin/remove-second-factor",
]);
const BY_USERS: ReadonlySet<string> = new Set([
  "/change-password",
  "/two-factor/enable",
  "/two-factor/verify-totp",
  "/two-factor/disable",
  "/two-factor/generate-backup-codes",
  "/passkey/verify-registration",
]);

export type AccessChanges = ReturnType<typeof createAccessChanges>;

interface AccessChangesOptions {
  readonly database: Database;
  readonly log: Log;
  /** Users who are administrators regardless of role. */
  readonly adminIds: readonly string[];
  readonly securityEvents: Pick<SecurityEvents, "settled">;
}

export function createAccessChanges(options: AccessChangesOptions) {
  const { adminIds, database, log, securityEvents } = options;
  /** The changes that each running request has noted. */
  const requests = new AsyncLocalStorage<string[]>();

  async function note(userId: string, actorId: string): Promise<void> {
    const id = randomUUID();
    const nowMs = Date.now();
    requests.getStore()?.push(id);
    await database.write.deleteFrom("access_changes").where("until_ms", "<=", nowMs).execute();
    await database.write
      .insertInto("access_changes")
      .values({ id, user_id: userId, actor_id: actorId, until_ms: nowMs + CHANGE_MS_MAX })
      .execute();
  }

  /** Never throws. */
  async function forget(ids: readonly string[]): Promise<void> {
    try {
      await securityEvents.settled();
      await database.write.deleteFrom("access_changes").where("id", "in", ids).execute();
    } catch (error) {
      log.warn({ error: String(error) }, "a change of a user counts as under way");
    }
  }

  const plugin: BetterAuthPlugin = {
    id: "access-changes",
    hooks: {
      before: [
        onCalls([...BY_ADMINISTRATORS, ...BY_USERS], async (context) => {
          const session = await sessionOf(context);
          if (session === null) return; // The endpoint reports this error.
          const { user } = session;
          if (BY_USERS.has(context.path)) {
            await note(user.id, user.id);
            return;
          }
          // The endpoint refuses others, and so does nothing to the user whom they name.
          if (!isAdmin(textOf(user, "role") ?? null) && !adminIds.includes(user.id)) return;
          const subject = String(fieldOf(context.body, "userId"));
          if (subject !== user.id) await note(subject, user.id);
        }),
      ],
    },
  };
  return {
    plugin,
    /** Runs one request; the changes that it has noted end once the events recorded by then are stored. */
    async duringRequest<T>(run: () => Promise<T>): Promise<T> {
      const ids: string[] = [];
      try {
        return await requests.run(ids, run);
      } finally {
        // The answer does not wait for it.
        if (ids.length > 0) void forget(ids);
      }
    },
  };
}

/** Whether a change of how the user signs in is under way on any node, and whether another user makes it. */
export async function accessChangeUnderWay(
  { read }: Pick<Database, "read">,
  userId: string,
): Promise<"none" | "own" | "byAnother"> {
  const rows = await read
    .selectFrom("access_changes")
    .select("actor_id")
    .where("user_id", "=", userId)
    .where("until_ms", ">", Date.now())
    .execute();
  if (rows.length === 0) return "none";
  return rows.some(({ actor_id: actorId }) => actorId !== userId) ? "byAnother" : "own";
}
