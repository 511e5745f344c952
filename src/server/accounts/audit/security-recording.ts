/**
 * Records security events: from rows that the authentication library writes, distinguished by the
 * path of the call, and from the few answers that write no row.
 */
import { OPERATOR_ID, type SecurityEventKind } from "#contract/users.ts";
import { isAPIError } from "better-auth/api";
import type { BetterAuthOptions, BetterAuthPlugin } from "better-auth";
import { decodeJwt } from "jose";
import { onCalls, type AnsweredCall } from "../library-calls.ts";
import { fieldOf, textOf } from "../requests/fields.ts";
import { SET_BY_ADMIN } from "../passwords/admin-passwords.ts";
import type { HeldSessions } from "../second-factor/held-sessions.ts";
import type { Administrators } from "../users/administrators.ts";
import { isAdmin } from "../users/user-profile.ts";
import { changedFrom, changeDetails, roleOf } from "./previous-values.ts";
import { type NewSecurityEvent, clientOf, type SecurityEvents } from "./security-events.ts";

type DatabaseHooks = NonNullable<BetterAuthOptions["databaseHooks"]>;
type HookContext = Parameters<
  NonNullable<NonNullable<NonNullable<DatabaseHooks["user"]>["create"]>["after"]>
>[1];

const SESSION_END_BY_CALL: Readonly<Record<string, SecurityEventKind>> = {
  "/sign-out": "signedOut",
  "/revoke-session": "sessionRevoked",
  "/revoke-sessions": "sessionRevoked",
  "/revoke-other-sessions": "sessionRevoked",
  "/admin/revoke-user-session": "sessionRevoked",
  "/admin/revoke-user-sessions": "sessionRevoked",
  "/admin/stop-impersonating": "impersonationEnded",
};
const BAN_FIELDS = ["banned", "banReason", "banExpires"] as const;
const USER_CHANGE_BY_CALL: Readonly<Record<string, SecurityEventKind>> = {
  "/verify-email": "emailVerified",
  "/change-email": "emailChanged",
  "/admin/set-role": "roleChanged",
  "/admin/ban-user": "banned",
  "/admin/unban-user": "unbanned",
};
const CHANGES_BY_ADMIN: ReadonlySet<string> = new Set([
  "/admin/set-role",
  "/admin/ban-user",
  "/admin/unban-user",
  "/admin/update-user",
]);

/** @param isSignIn whether a session that a call created completes a sign-in */
export function securityRecording(
  { record }: Pick<SecurityEvents, "record">,
  isSignIn: HeldSessions["isSignIn"],
  administrators: Pick<Administrators, "ids">,
): BetterAuthPlugin {
  return {
    id: "security-recording",
    init: () => ({ options: { databaseHooks: recordingHooks(record, isSignIn, administrators) } }),
    hooks: {
      after: [
        onCalls(["/sign-in/email"], async (context) => {
          const { returned, internalAdapter } = context.context;
          if (!isAPIError(returned) || returned.body?.code !== "INVALID_EMAIL_OR_PASSWORD") return;
          const email = textOf(context.body, "email")?.toLowerCase();
          if (email === undefined) return;
          // Not awaited: the timing must be the same for an unknown address.
          const where = clientOf(context);
          void internalAdapter
            .findUserByEmail(email)
            .then((found) => {
              if (found === null) return;
              record({ userId: found.user.id, kind: "signInFailed", ...where });
            })
            .catch(() => undefined);
        }),
        onCalls(Object.keys(EVENT_BY_CALL), async (context) => {
          if (isAPIError(context.context.returned)) return;
          const event = EVENT_BY_CALL[context.path](context);
          const user = context.context.session?.user;
          const userId = event?.userId ?? user?.id;
          if (event === null || userId === undefined) return;
          const actorId = user === undefined || user.id === userId ? undefined : user.id;
          record({ ...clientOf(context), ...event, userId, actorId });
        }),
      ],
    },
  };
}

type RecordedCall = Omit<NewSecurityEvent, "userId"> & { readonly userId?: string | undefined };

const EVENT_BY_CALL: Readonly<Record<string, (call: AnsweredCall) => RecordedCall | null>> = {
  "/change-password": () => ({ kind: "passwordChanged" }),
  "/change-email": ({ body }) => ({ kind: "emailChangeAsked", detail: textOf(body, "newEmail") }),
  "/delete-user": ({ context }) =>
    textOf(context.returned, "message") === "Verification email sent"
      ? { kind: "deletionAsked" }
      : null,
};

function recordingHooks(
  record: SecurityEvents["record"],
  isSignIn: HeldSessions["isSignIn"],
  administrators: Pick<Administrators, "ids">,
): DatabaseHooks {
  const recordFor = (
    userId: string,
    kind: SecurityEventKind | undefined,
    context: HookContext,
    detail?: string | null,
    actorId = actorOf(context, userId),
  ) => {
    if (kind === undefined) return;
    record({ userId, kind, actorId, detail: detail ?? undefined, ...clientOf(context) });
  };
  /**
   * Notifies the other administrators: an intruder acting as one of them could create a second
   * administrator.
   */
  const announceAdmin = async (user: object & { id: string }, context: HookContext) => {
    if (!isAdmin(textOf(user, "role") ?? null)) return;
    const detail = textOf(user, "email");
    // A failure to record must not fail the action.
    const ids = await administrators.ids().catch(() => []);
    for (const id of ids) {
      if (id !== user.id) recordFor(id, "administratorAdded", context, detail);
    }
  };
  /** The users that calls are about to change, by the call. */
  const found = new WeakMap<object, object>();
  const setByAdmin = (context: HookContext, before: string) =>
    recordFor(
      subjectOf(context),
      "passwordChanged",
      context,
      changedFrom(before, "by an administrator"),
    );
  return {
    user: {
      create: {
        after: async (user, context) => {
          const role = roleOf(user);
          const detail = role === "user" ? null : `with the role ${role}`;
          // Outside of a call only the operator's command creates users.
          const actorId = context ? actorOf(context, user.id) : OPERATOR_ID;
          recordFor(user.id, "signedUp", context, detail, actorId);
          await announceAdmin(user, context);
        },
      },
      update: {
        before: async (_change, context) => {
          // Undefined outside of a call, despite its type.
          if (!context || !CHANGES_BY_ADMIN.has(context.path)) return;
          // In the call's transaction, so that the value read is the one that is replaced.
          const user = await context.context.internalAdapter.findUserById(subjectOf(context));
          if (user !== null) found.set(context, user);
        },
        after: async (user, context) => {
          if (user === null) return;
          const before = (context && found.get(context)) ?? null;
          const details: Partial<Record<SecurityEventKind, string>> = {
            ...changeDetails(before, user, fieldsSetByAdmin(context)),
            emailVerified: user.email,
            emailChanged: user.email,
          };
          const kinds = changesOf(context, fieldOf(user, "banned") === true);
          for (const kind of kinds) recordFor(user.id, kind, context, details[kind]);
          if (kinds.includes("roleChanged")) await announceAdmin(user, context);
        },
      },
      delete: {
        after: async (user, context) => recordFor(user.id, "accountDeleted", context),
      },
    },
    session: {
      create: {
        after: async (session, context) => {
          const admin = textOf(session, "impersonatedBy");
          if (admin !== undefined) {
            recordFor(session.userId, "impersonationStarted", context, null, admin);
          } else if (await isSignIn(session.userId, context)) {
            recordFor(session.userId, "signedIn", context, signInMethodOf(context));
          }
        },
      },
      delete: {
        after: async (session, context) => {
          const admin = textOf(session, "impersonatedBy");
          const kind = SESSION_END_BY_CALL[context?.path ?? ""];
          if (admin === undefined) recordFor(session.userId, kind, context);
          else recordFor(session.userId, "impersonationEnded", context, null, admin);
        },
      },
    },
    account: {
      create: {
        after: async (account, context) => {
          if (context?.path === SET_BY_ADMIN) setByAdmin(context, "none");
          if (account.providerId === "credential") return;
          recordFor(account.userId, "providerLinked", context, account.providerId);
        },
      },
      update: {
        after: async (_account, context) => {
          if (context?.path === SET_BY_ADMIN) setByAdmin(context, "another");
        },
      },
      delete: {
        after: async (account, context) => {
          if (context?.path !== "/unlink-account") return;
          recordFor(account.userId, "providerUnlinked", context, account.providerId);
        },
      },
    },
  };
}

/**
 * The kinds of changes that a call made to a user. An administrator may change several things at
 * once.
 */
function changesOf(context: HookContext, isBanned: boolean): SecurityEventKind[] {
  if (context?.path !== "/admin/update-user") {
    const kind = isOfNewAddress(context)
      ? "emailChanged"
      : USER_CHANGE_BY_CALL[context?.path ?? ""];
    return kind === undefined ? [] : [kind];
  }
  const data = dataOf(context);
  const kinds: SecurityEventKind[] = [];
  if (Object.hasOwn(data, "role")) kinds.push("roleChanged");
  if (BAN_FIELDS.some((name) => Object.hasOwn(data, name))) {
    // A change of only the ban's end may also lift the ban.
    kinds.push(isBanned ? "banned" : "unbanned");
  }
  if (fieldsSetByAdmin(context).length > 0) kinds.push("profileChangedByAdmin");
  return kinds;
}

/** Whether the call opens a mailed link by which the address changes. */
function isOfNewAddress(context: HookContext): boolean {
  if (context?.path !== "/verify-email") return false;
  // The endpoint has verified the token.
  return decodeJwt(textOf(context.query, "token") ?? "")["updateTo"] !== undefined;
}

/** Fields that an administrator set, except those with events of their own. */
function fieldsSetByAdmin(context: HookContext): string[] {
  const withEvents = new Set(["role", ...BAN_FIELDS]);
  return Object.keys(dataOf(context)).filter((name) => !withEvents.has(name));
}

/** The user whom an administrator's call is about; the endpoints also accept an array of one id. */
function subjectOf(context: HookContext): string {
  return String(fieldOf(context?.body, "userId"));
}

function dataOf(context: HookContext): Record<string, unknown> {
  const body: unknown = context?.body;
  const data: unknown =
    typeof body === "object" && body !== null && "data" in body ? body.data : undefined;
  return typeof data === "object" && data !== null ? (data as Record<string, unknown>) : {};
}

function signInMethodOf(context: HookContext): string | undefined {
  switch (context?.path) {
    case "/sign-in/email":
      return "with the password";
    case "/callback/:id":
      return `through ${textOf(context.params, "id") ?? "a provider"}`;
    case "/sign-in/social":
      return `through ${textOf(context.body, "provider") ?? "a provider"}`;
    case "/one-time-token/verify":
      return "with a one-time token";
    case "/two-factor/verify-totp":
      return "with a code from the authenticator app";
    case "/two-factor/verify-backup-code":
      return "with a backup code";
    case "/passkey/verify-authentication":
      return "with a passkey";
    default:
      return undefined;
  }
}

function actorOf(context: HookContext, userId: string): string | undefined {
  const id = context?.context.session?.user.id;
  return id === userId ? undefined : id;
}
