/**
 * The last administrator cannot be demoted, banned or deleted, not even by themselves. If two
 * administrators remove each other at the same moment, on whichever nodes, one of the removals is
 * refused (leaving-administrators.ts).
 *
 * An administrator whose role or access another one has recently set does not count as remaining:
 * otherwise an intruder with one administrator's session could create a second administrator and
 * remove all others. One whom another has made an administrator recently may always leave.
 */
import { AsyncLocalStorage } from "node:async_hooks";
import type { BetterAuthPlugin } from "better-auth";
import { fieldOf } from "../requests/fields.ts";
import { onCalls, refusal, sessionOf } from "../library-calls.ts";
import type { Administrators } from "./administrators.ts";
import type { LeavingAdministrators } from "./leaving-administrators.ts";
import { isAdmin } from "./user-profile.ts";

export interface LastAdmin {
  readonly plugin: BetterAuthPlugin;
  /** Runs one request; administrators that it removes count as leaving until it has ended. */
  duringRequest<T>(run: () => Promise<T>): Promise<T>;
}

interface LastAdminOptions {
  readonly administrators: Pick<Administrators, "isNew" | "isSettled">;
  readonly leavingAdministrators: LeavingAdministrators;
  /** Users who are administrators regardless of role. */
  readonly adminIds: readonly string[];
}

export function createLastAdmin(options: LastAdminOptions): LastAdmin {
  const { adminIds, administrators, leavingAdministrators } = options;
  /** The removals that each running request has begun. */
  const requests = new AsyncLocalStorage<string[]>();

  /** @throws APIError LAST_ADMIN if no administrator would remain, or only recently created ones */
  async function leave(userId: string): Promise<void> {
    const removal = await leavingAdministrators.begin(userId);
    if (removal === null) {
      throw refusal("FORBIDDEN", "LAST_ADMIN", `${NO_OTHER} Make another user one first.`);
    }
    requests.getStore()?.push(removal.id);
    if (removal.others === undefined || (await administrators.isNew(userId))) return;
    for (const id of removal.others) if (await administrators.isSettled(id)) return;
    throw refusal("FORBIDDEN", "LAST_ADMIN", `${NO_OTHER} ${TOO_NEW}`);
  }

  return {
    plugin: {
      id: "last-admin",
      hooks: {
        before: [
          onCalls(Object.keys(LEAVING_USER_BY_CALL), async (context) => {
            const session = await sessionOf(context);
            if (session === null) return;
            const { user } = session;
            // The endpoint refuses callers who are not administrators; they must learn nothing
            // here.
            if (!isAdmin(roleOf(user)) && !adminIds.includes(user.id)) return;
            const subject = LEAVING_USER_BY_CALL[context.path](context.body, user.id);
            const staysListed = ROLE_CALLS.has(context.path) && !isBan(context.body);
            if (subject === null || (staysListed && adminIds.includes(subject))) return;
            await leave(subject);
          }),
        ],
      },
    },
    async duringRequest(run) {
      const removals: string[] = [];
      try {
        return await requests.run(removals, run);
      } finally {
        await leavingAdministrators.end(removals);
      }
    },
  };
}

const NO_OTHER = "There is no other administrator.";
const TOO_NEW =
  "Those whose role or access was set a short while ago do not count yet: they may be one person.";
const ROLE_CALLS = new Set(["/admin/set-role", "/admin/update-user"]);

/** The user who would no longer be an administrator after the call; null if none. */
const LEAVING_USER_BY_CALL: Readonly<
  Record<string, (body: unknown, callerId: string) => string | null>
> = {
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

/** @param role one role, several in an array, or several joined by commas */
function keepsAdmin(role: unknown): boolean {
  return (Array.isArray(role) ? role : [role]).some(
    (each) => typeof each === "string" && isAdmin(each),
  );
}

function isBan(body: unknown): boolean {
  const banned = fieldOf(fieldOf(body, "data"), "banned");
  return banned !== undefined && banned !== false;
}

/** The endpoint also accepts an array of one id. */
function userIdOf(body: unknown): string {
  return String(fieldOf(body, "userId"));
}

function roleOf(user: object): string | null {
  const role = fieldOf(user, "role");
  return typeof role === "string" ? role : null;
}
