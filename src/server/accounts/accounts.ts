/**
 * Users and sign-in: permission to sign in, live sessions, and the users of backend tokens. The rest
 * of the server accesses users only through this file.
 */
import type { IncomingHttpHeaders } from "node:http";
import type { PageSession } from "#contract/page-context.ts";
import type { Config } from "../settings/config.ts";
import type { Database } from "../database/open-database.ts";
import { RepeatedLog } from "../limits/repeated-log.ts";
import type { Log } from "../log.ts";
import type { Identity } from "../reactive/executor.ts";
import { createAccountLimit } from "./requests/account-limit.ts";
import { SET_BY_ADMIN } from "./passwords/admin-passwords.ts";
import { type AuditQuery, readAudit } from "./audit/audit.ts";
import { readAdminChanges } from "./audit/admin-changes.ts";
import { createAuth } from "./auth.ts";
import type { SessionRecord, UserRecord } from "./auth-terms.ts";
import { BackendTokenError, createBackendTokenVerifier } from "./sessions/backend-token.ts";
import { createAdmin, type NewAdmin } from "./users/create-admin.ts";
import { createDeletedUsers } from "./users/deleted-users.ts";
import { createFormerUsers } from "./users/former-users.ts";
import { impersonationOf } from "./sessions/impersonation.ts";
import { createExpiredSessionSweep } from "./sessions/expired-sessions.ts";
import { createAdministrators } from "./users/administrators.ts";
import { createLastAdmin } from "./users/last-admin.ts";
import { createLeavingAdministrators } from "./users/leaving-administrators.ts";
import { createLiveSessions } from "./sessions/live-sessions.ts";
import { createOperatorChanges } from "./users/operator-changes.ts";
import { createMailer, type MailerOptions } from "./mail/mailer.ts";
import { createMails } from "./mail/mails.ts";
import { createOutbox } from "./mail/outbox.ts";
import { toHeaders } from "./requests/node-requests.ts";
import { createPasswordHashing } from "./passwords/password-hashing.ts";
import { type Permissions, permits } from "./users/permissions.ts";
import { startPruningSecurityEvents } from "./audit/pruning.ts";
import { createSecurityEvents, type SecurityEventsQuery } from "./audit/security-events.ts";
import { createUserReads } from "./users/user-reads.ts";
import { AccountsUnavailableError, isDatabaseReachable } from "./requests/database-outages.ts";
import { startSweepingVerifications } from "./requests/expired-verifications.ts";
import { createRequestHandler } from "./requests/request-handler.ts";
import { flagOf, storedTime } from "../database/accounts-tables.ts";
import { isAdmin, type UserRow } from "./users/user-profile.ts";

export interface AccountsOptions extends Pick<MailerOptions, "aroundMail"> {
  readonly config: Config;
  /** Already migrated. */
  readonly database: Database;
  readonly log: Log;
  /** Signs cookies and encrypts keys at rest; see auth-secret.ts. */
  readonly secret: string;
  /** Origin under which browsers reach the exchange, such as "https://exchange.example". */
  readonly publicUrl: string;
  /**
   * Called after every sign-up, and again whenever a user signs in whose ledger account may be
   * missing, so it must be idempotent. A failure is logged and never undoes the sign-up.
   */
  onUserCreated(user: { readonly id: string }): void | Promise<void>;
  /**
   * Called after a user is deleted, and retried until it succeeds, if need be by a later process,
   * so it must be idempotent. It cleans up the user's remains in the exchange, such as open orders.
   */
  readonly onUserDeleted?: (user: { readonly id: string }) => void | Promise<void>;
  /**
   * Called when a user is banned, and possibly again; a failure is only logged. A caller that must
   * not miss one queries `bannedOf`.
   */
  readonly onUserBanned?: (user: { readonly id: string }) => void | Promise<void>;
  /**
   * Called when the owner of an email address has taken over a user that someone else may have
   * signed up: passkeys, second factor, API keys and addresses to withdraw to are removed. A failure is
   * only logged.
   */
  readonly onSignInMethodsRemoved?: (user: { readonly id: string }) => void | Promise<void>;
  /**
   * Called when the last session of a user has ended by signing out, revocation or expiry, and
   * possibly again.
   */
  readonly onUserSignedOut?: (user: { readonly id: string }) => void | Promise<void>;
  /** Called once per session when it has ended: signed out, revoked, banned, deleted or expired. */
  onSessionEnded?(sessionId: string): void;
  /** Whether a user, deleted or not, has ever received the daily grant. */
  readonly hadGrant?: (userId: string) => boolean;
  /** Whether money that was paid in would be left behind, in which case the user is not deleted. */
  readonly holdsFunds?: (userId: string) => boolean;
  /** A security event of this user was recorded. */
  readonly onSecurityEvent?: (userId: string) => void;
  /** Called when the result of `profileOf` has changed for this user. */
  onUserChanged?(userId: string): void;
  /**
   * Notifies other nodes, which may have it in memory, that the user or a session has changed in the
   * database.
   */
  tellNodes?(userId: string): void;
}

const HOUR_MS = 3_600_000;

export type Accounts = ReturnType<typeof createAccounts>;

export function createAccounts(options: AccountsOptions) {
  const { config, database, log, secret, publicUrl } = options;
  const repeatedLog = new RepeatedLog(log, Date.now);
  const outbox = createOutbox(database);
  const mailer = createMailer({ config, database, outbox, log, aroundMail: options.aroundMail });
  const mails = createMails(config);
  const hashing = createPasswordHashing();
  const { ADMIN_USER_IDS: adminIds } = config;
  const sessions = createLiveSessions({
    database,
    log,
    adminIds,
    onSessionEnded: (sessionId) => options.onSessionEnded?.(sessionId),
    onUserChanged: (userId) => options.onUserChanged?.(userId),
  });
  const securityEvents = createSecurityEvents(database, log, options.onSecurityEvent);
  const waitMs = config.ADMIN_APPROVAL_WAIT_HOURS * HOUR_MS;
  const users = createUserReads(database, adminIds);
  const administrators = createAdministrators({ database, adminIds, securityEvents, waitMs });
  const leavingAdministrators = createLeavingAdministrators({ database, administrators, log });
  const lastAdmin = createLastAdmin({ administrators, leavingAdministrators, adminIds });
  const pruning = startPruningSecurityEvents(securityEvents, config.SECURITY_EVENTS_DAYS, log);
  const { onUserDeleted } = options;
  const formerUsers = createFormerUsers(database, secret, options.hadGrant);
  const deletedUsers = createDeletedUsers({ database, log, formerUsers, onUserDeleted });
  void deletedUsers.finishCleanups();
  const expiredSessions = createExpiredSessionSweep({
    database,
    log,
    async onExpired({ id, userId, impersonatedBy }) {
      sessions.sessionEnded(id);
      if (impersonatedBy === null) await notifyIfSignedOut(userId);
    },
  });
  void expiredSessions.sweep();
  const expiredVerifications = startSweepingVerifications(database, log);
  const knownToHaveAccounts = new Set<string>();

  async function ensureAccountOf(userId: string): Promise<void> {
    if (knownToHaveAccounts.has(userId)) return;
    try {
      await options.onUserCreated({ id: userId });
      knownToHaveAccounts.add(userId);
    } catch (error) {
      // Retried with the user's next backend token; the sign-up has succeeded anyway.
      repeatedLog.warn({ userId, error: String(error) }, "a user has no account in the ledger yet");
    }
  }

  const auth = createAuth({
    config,
    database,
    log,
    secret,
    publicUrl,
    hashing,
    lastAdmin: lastAdmin.plugin,
    holdsFunds: options.holdsFunds,
    administrators,
    mailer,
    securityEvents,
    accountLimit: config.AUTH_RATE_LIMIT ? createAccountLimit(database) : null,
    events: {
      userCreated: (user) => ensureAccountOf(user.id),
      async userUpdated(user) {
        sessions.userChanged(toUserRow(user));
        options.tellNodes?.(user.id);
        const isBanned = user.banned === true;
        if (isBanned) sessions.userLocked(user.id);
        const mayImpersonate = isAdmin(user.role) || adminIds.includes(user.id);
        if (isBanned || !mayImpersonate) await endImpersonationsBy(user.id);
        if (isBanned)
          await notifyOrLog("a ban", user.id, () => options.onUserBanned?.({ id: user.id }));
      },
      userDeleting: (user) => deletedUsers.note(user),
      async userDeleted(user) {
        knownToHaveAccounts.delete(user.id);
        // First, or a request could trade between the cancellation of orders and the reclaiming of
        // funds.
        sessions.userDeleted(user.id);
        options.tellNodes?.(user.id);
        await endImpersonationsBy(user.id);
        await deletedUsers.settle(user.id);
      },
      signInMethodsRemoved: ({ id }) =>
        notifyOrLog("a takeover", id, () => options.onSignInMethodsRemoved?.({ id })),
      sessionUpdated: (session) =>
        sessions.sessionExtended(session.id, new Date(session.expiresAt).getTime()),
      async sessionDeleted(session, path) {
        sessions.sessionEnded(session.id);
        options.tellNodes?.(session.userId);
        if (typeof session.impersonatedBy === "string") return;
        await endImpersonationsBy(session.userId);
        if (isSignOut(session, path)) {
          await notifyOrLog("a sign-out", session.userId, () => notifyIfSignedOut(session.userId));
        }
      },
    },
  });

  async function notifyOrLog(
    what: string,
    userId: string,
    notify: () => void | Promise<void> | undefined,
  ): Promise<void> {
    try {
      await notify();
    } catch (error) {
      log.error({ userId, error: String(error) }, `${what} is not settled`);
    }
  }

  /** @throws errors of the listener */
  async function notifyIfSignedOut(userId: string): Promise<void> {
    if (options.onUserSignedOut === undefined) return;
    const left = await database.read
      .selectFrom("session")
      .select("id")
      .where("userId", "=", userId)
      .where("impersonatedBy", "is", null)
      .where("expiresAt", ">", storedTime(database, Date.now()))
      .limit(1)
      .executeTakeFirst();
    if (left === undefined) await options.onUserSignedOut({ id: userId });
  }

  /** Impersonation ends when the admin is signed out, banned, deleted or no longer an admin. */
  async function endImpersonationsBy(adminId: string): Promise<void> {
    const found = await database.read
      .selectFrom("session")
      .select("token")
      .where("impersonatedBy", "=", adminId)
      .execute();
    if (found.length === 0) return;
    const { internalAdapter } = await auth.context;
    for (const { token } of found) await internalAdapter.deleteSession(token);
  }

  const handleRequest = createRequestHandler({
    config,
    database,
    log,
    publicUrl,
    auth,
    hashing,
    lastAdmin,
    outbox,
  });
  const operatorChanges = createOperatorChanges({
    auth,
    hashing,
    administrators,
    leavingAdministrators,
    securityEvents,
  });
  const verifyToken = createBackendTokenVerifier({ database, issuer: publicUrl });

  return {
    /** Answers paths below AUTH_BASE_PATH and, in development, `/outbox`; false for every other. */
    handleRequest,

    /**
     * The caller that a backend token names, verified in this process without a request.
     * @throws BackendTokenError with a message fit for the client, also if the session has ended.
     */
    async verifyBackendToken(token: string): Promise<Identity> {
      await formerUsers.load();
      const identity = await verifyToken(token);
      const session = await sessions.admit(identity.sessionId, identity.subject);
      if (session === null) {
        throw new BackendTokenError("unauthorized", "The session of this backend token has ended.");
      }
      await ensureAccountOf(identity.subject);
      return { ...identity, readOnly: session.impersonated };
    },
    /** False once a session has ended, even if backend tokens issued for it have not expired yet. */
    isSessionLive: (sessionId: string): boolean => sessions.isLive(sessionId),
    /** From memory; known for every user whose backend token was verified in the last hour. */
    profileOf: sessions.profileOf,
    /** Applies another node's changes to a user. @throws Error if the database fails */
    async changedElsewhere(userId: string): Promise<void> {
      await Promise.all([sessions.changedElsewhere(userId), formerUsers.changedElsewhere(userId)]);
    },
    /** Ids of users with the same email address who were deleted within the last day. */
    formerUsersOf: (user: { readonly email: string; readonly createdAtMs: number }): string[] =>
      formerUsers.before(user),
    ...users,
    /**
     * The live session of a request's cookies with a new backend token, for a page that is about to
     * be rendered. The visit extends the session once that is due.
     * @param setCookies receives the cookies that the response must set, if any
     */
    async pageSession(
      headers: IncomingHttpHeaders,
      setCookies?: (cookies: readonly string[]) => void,
    ): Promise<PageSession | null> {
      try {
        const session = await auth.visit(toHeaders(headers), setCookies);
        if (session === null) return null;
        return {
          userId: session.userId,
          token: await auth.backendTokenFor(session),
          impersonation: await impersonationOf(database, session.sessionId),
        };
      } catch (error) {
        if (await isDatabaseReachable(database)) throw error;
        throw new AccountsUnavailableError("Accounts cannot be read.", { cause: error });
      }
    },
    /**
     * Whether the caller has all of these permissions now, by role or as a listed administrator.
     * While impersonating, nothing is permitted.
     */
    async permits(
      { subject, sessionId, readOnly }: Identity,
      permissions: Permissions,
    ): Promise<boolean> {
      if (readOnly === true || !sessions.isLive(sessionId)) return false;
      const user = await database.read
        .selectFrom("user")
        .select(["role", "banned"])
        .where("id", "=", subject)
        .executeTakeFirst();
      if (user === undefined || flagOf(user.banned)) return false;
      return adminIds.includes(subject) || permits(user.role, permissions);
    },
    ...auth.ownChanges,
    /** The changes that an operator can make on the command line. */
    operatorChanges,
    /** The security events of users, newest first. @throws CursorError */
    securityEvents: (query: SecurityEventsQuery) => securityEvents.page(query),
    /** The security events that administrators may see. @throws CursorError */
    audit: (query: AuditQuery) => readAudit(database, securityEvents, query),
    /** Changes that other administrators have made to the user's role and sign-in since then. */
    changesByOtherAdmins: (userId: string, sinceMs: number) =>
      readAdminChanges(database, securityEvents, userId, sinceMs),
    /** Mails the user the events of their account, one line each, if their address is verified. */
    async mailNotices(userId: string, lines: readonly string[]): Promise<void> {
      const user = await users.userById(userId);
      if (user?.emailVerified === true) mailer.send(mails.notices(user, lines, publicUrl));
    },
    /** Mails waiting to be sent, newest first; for administrators only. */
    mailQueue: mailer.queue,
    /** Retries mails whose last attempt failed; for administrators only. @returns how many */
    retryMails: mailer.retryNow,
    /** Age of the oldest queued mail in milliseconds; 0 if none is queued. */
    longestMailWaitMs: mailer.longestWaitMs,
    /**
     * Creates an administrator, or promotes the user with that address and sets the password.
     * @param sessionsNoticed see create-admin.ts; by default this process is the only server
     */
    createAdmin: (admin: NewAdmin, sessionsNoticed: () => Promise<void> = sessions.check) =>
      createAdmin(
        { auth, config, hashing, operatorChanges, securityEvents, sessionsNoticed },
        admin,
      ),
    /** Stops timers and waits for mail that is being sent. */
    async close(): Promise<void> {
      sessions.close();
      deletedUsers.close();
      expiredSessions.close();
      expiredVerifications.close();
      pruning.close();
      await mailer.close();
      await securityEvents.settled();
    },
  };
}

/**
 * Calls by which users end sessions. Other calls end a session to begin another, or because the
 * user is banned or deleted, which is reported separately.
 */
const SIGN_OUTS = new Set([
  "/sign-out",
  "/revoke-session",
  "/revoke-sessions",
  "/revoke-other-sessions",
  "/reset-password",
  "/admin/revoke-user-session",
  "/admin/revoke-user-sessions",
  SET_BY_ADMIN,
]);

function isSignOut(session: SessionRecord, path: string | undefined): boolean {
  return SIGN_OUTS.has(path ?? "") || new Date(session.expiresAt).getTime() <= Date.now();
}

function toUserRow(user: UserRecord): UserRow {
  return {
    ...user,
    role: user.role ?? null,
    lastname: user.lastname ?? null,
    image: user.image ?? null,
  };
}
