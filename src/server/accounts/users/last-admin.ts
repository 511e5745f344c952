/**
 * The last administrator cannot be demoted, banned or deleted, not even by themselves. If two
 * remove each other at the same moment both count as leaving, so that at least one is refused.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { BetterAuthPlugin } from "better-auth";
import type { Database } from "../../database/open-database.ts";
import { fieldOf } from "../requests/fields.ts";
import { flagOf } from "../../database/accounts-tables.ts";
import { onCalls, refusal, sessionOf } from "../library-calls.ts";
import { isAdmin } from "./user-profile.ts";

export interface LastAdmin {
  readonly plugin: BetterAuthPlugin;
  /** Runs one request; admins that it removes count as leaving until it is over. */
  duringRequest<T>(run: () => Promise<T>): Promise<T>;
}

interface LastAdminOptions {
  readonly database: Database;
  /** Users who are administrators regardless of role. */
  readonly adminIds: readonly string[];
}

export function createLastAdmin({ database, adminIds }: LastAdminOptions): LastAdmin {
  const requests = new AsyncLocalStorage<string[]>();
  /** How many requests are removing each of them. */
  const leaving = new Map<string, number>();

  /** @throws APIError LAST_ADMIN if none would remain */
  async function leave(userId: string): Promise<void> {
    leaving.set(userId, (leaving.get(userId) ?? 0) + 1);
    requests.getStore()?.push(userId);
    const admins = await readAdmins();
    if (!admins.includes(userId)) return;
    if (admins.some((id) => !leaving.has(id))) return;
    const message = "There is no other administrator. Make another user one first.";
    throw refusal("FORBIDDEN", "LAST_ADMIN", message);
  }

  /** Those who could sign in now. */
  async function readAdmins(): Promise<string[]> {
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
      .filter(({ id, role, banned }) => !flagOf(banned) && (isAdmin(role) || adminIds.includes(id)))
      .map(({ id }) => id);
  }

  return {
    plugin: {
      id: "last-admin",
      hooks: {
        before: [
          onCalls(Object.keys(LEAVING_BY), async (context) => {
            const session = await sessionOf(context);
            if (session === null) return;
            const { user } = session;
            // The endpoint refuses callers who are not administrators, who learn nothing here.
            if (!isAdmin(roleOf(user)) && !adminIds.includes(user.id)) return;
            const subject = LEAVING_BY[context.path](context.body, user.id);
            const staysListed = CHANGED_ROLE_BY.has(context.path) && !isBan(context.body);
            if (subject === null || (staysListed && adminIds.includes(subject))) return;
            await leave(subject);
          }),
        ],
      },
    },
    duringRequest: (run) => {
      const left: string[] = [];
      return requests.run(left, run).finally(() => {
        for (const userId of left) {
          const count = (leaving.get(userId) ?? 1) - 1;
          if (count === 0) leaving.delete(userId);
          else leaving.set(userId, count);
        }
      });
    },
  };
}

const CHANGED_ROLE_BY = new Set(["/admin/set-role", "/admin/update-user"]);

/** Who would no longer be an administrator; null if none. */
const LEAVING_BY: Readonly<Record<string, (body: unknown, callerId: string) => string | null>> = {
  "/admin/set-role": (body) => (keepsAdmin(fieldOf(body, "role")) ? null : userIdOf(body)),
  "/admin/update-user": (body) => {
    const data = fieldOf(body, "data");
    const isDemoted = fieldOf(data, "role") !== undefined && !keepsAdmin(fieldOf(data, "role"));
    return isDemoted || isBan(body) ? userIdOf(body) : null;
  },
  "/admin/ban-user": userIdOf,
  "/admin/remove-user": userIdOf,
  "/delete-user": (_body, callerId) => callerId,
  "/delete-user/callback": (_body, callerId) => callerId,
};

/** @param role one, several in an array, or several joined by commas */
function keepsAdmin(role: unknown): boolean {
  return (Array.isArray(role) ? role : [role]).some(
    (each) => typeof each === "string" && isAdmin(each),
  );
}

function isBan(body: unknown): boolean {
  const banned = fieldOf(fieldOf(body, "data"), "banned");
  return banned !== undefined && banned !== false;
}

/** The endpoint accepts an array of one id, too. */
function userIdOf(body: unknown): string {
  return String(fieldOf(body, "userId"));
}

function roleOf(user: object): string | null {
  const role = fieldOf(user, "role");
  return typeof role === "string" ? role : null;
}
