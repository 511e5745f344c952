/**
 * Database hooks: the consequences of changes to users, sessions and linked accounts, within the
 * library's own writes.
 */
import type { BetterAuthOptions } from "better-auth";
import type { AuthOptions, SessionRecord, UserRecord } from "./auth-terms.ts";
import { changedFrom } from "./audit/previous-values.ts";
import { storedTokenHooks } from "./providers/identity-tokens.ts";
import { signUpSiteOf } from "./requests/attempt-guard.ts";
import { sessionsBeyondLimit } from "./sessions/session-limit.ts";
import { firstAdmin } from "./users/first-admin.ts";

/** A browser sends some two hundred characters; a header may have up to 16 KB. */
const USER_AGENT_LENGTH_MAX = 300;

export function databaseHooks(given: AuthOptions): BetterAuthOptions["databaseHooks"] {
  const { accountLimit, config, database, log, secret, events, securityEvents } = given;
  const first = firstAdmin(config);
  /** Addresses whose verification made their user the first administrator. */
  const appointed = new Set<string>();
  return {
    account: storedTokenHooks(secret),
    user: {
      create: {
        before: async (user, context) =>
          (await first.atSignUp(user, context)) ? { data: { ...user, role: "admin" } } : undefined,
        after: async (user: UserRecord, context) => {
          if (user.role === "admin") log.warn({ userId: user.id }, "an admin was created");
          if (context?.headers !== undefined) {
            await accountLimit?.attempt("signUpOfSite", signUpSiteOf(context.headers));
          }
          await events.userCreated(user);
        },
      },
      update: {
        before: async (change, context) => {
          if (!(await first.atVerification(change, context))) return undefined;
          log.warn({ email: config.ADMIN_EMAIL }, "an admin was created");
          appointed.add(config.ADMIN_EMAIL?.toLowerCase() ?? "");
          return { data: { ...change, role: "admin" } };
        },
        after: async (user: UserRecord | null) => {
          if (user === null) return;
          await events.userUpdated(user);
          if (user.role !== "admin" || !appointed.delete(user.email)) return;
          const detail = changedFrom("user", user.role);
          securityEvents.record({ userId: user.id, kind: "roleChanged", detail });
        },
      },
      delete: {
        before: async (user: UserRecord) => events.userDeleting(user),
        after: async (user: UserRecord) => events.userDeleted(user),
      },
    },
    session: {
      create: {
        before: async (session) => ({
          data: { ...session, userAgent: session.userAgent?.slice(0, USER_AGENT_LENGTH_MAX) },
        }),
        after: async ({ userId, impersonatedBy }: SessionRecord, context) => {
          if (typeof impersonatedBy === "string") return;
          const beyond = await sessionsBeyondLimit(database, userId);
          if (beyond.length > 0) await context?.context.internalAdapter.deleteSessions(beyond);
        },
      },
      update: {
        after: async (session: SessionRecord | null) => {
          if (session !== null) events.sessionUpdated(session);
        },
      },
      delete: {
        after: async (session: SessionRecord, context) =>
          events.sessionDeleted(session, context?.path),
      },
    },
  };
}
