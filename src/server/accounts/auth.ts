/**
 * The authentication library, configured. Every setting that departs from the library's default
 * says why; nothing outside this folder knows the library.
 */
import { networkInterfaces } from "node:os";
import { betterAuth, type BetterAuthOptions, type BetterAuthPlugin } from "better-auth";
import { admin, jwt, oneTimeToken } from "better-auth/plugins";
import type { Config } from "../config.ts";
import type { Database } from "../database/open-database.ts";
import { CLIENT_ADDRESS_HEADER } from "../http/client-address.ts";
import type { Log } from "../log.ts";
import type { AccountLimit } from "./requests/account-limit.ts";
import { adminPasswords } from "./passwords/admin-passwords.ts";
import { withReadsApart } from "./auth-database.ts";
import { BACKEND_TOKEN } from "./sessions/backend-token.ts";
import { changeLinksOnce } from "./requests/change-links-once.ts";
import { compatibility } from "./requests/compatibility.ts";
import { decryptIdentityTokens, identityTokenHooks } from "./providers/identity-tokens.ts";
import type { Mailer } from "./mail/mailer.ts";
import { createMails } from "./mail/mails.ts";
import {
  PASSWORD_LENGTH_MAX,
  PASSWORD_LENGTH_MIN,
  type PasswordHashing,
} from "./passwords/password-hashing.ts";
import { passkeys } from "./passkeys/passkeys.ts";
import { createAddressLimit } from "./requests/address-limit.ts";
import { knownDevices } from "./requests/known-devices.ts";
import { createKnownPaths, type KnownPaths } from "./requests/known-paths.ts";
import { mailedTokens } from "./requests/mailed-tokens.ts";
import { passwordAttempts } from "./passwords/password-attempts.ts";
import { passwordGuard } from "./passwords/password-guard.ts";
import { accessControl, roles } from "./users/permissions.ts";
import { requestGuard } from "./requests/request-guard.ts";
import { forgetSecondFactor, secondFactor } from "./second-factor/second-factor.ts";
import { createSecondFactorRecords } from "./second-factor/second-factor-records.ts";
import type { SecurityEvents } from "./record/security-events.ts";
import { securityRecording } from "./record/security-recording.ts";
import { builtInProviders, signInProviders } from "./providers/sign-in-providers.ts";
import { createSessionLookups } from "./requests/session-lookups.ts";
import { nameStorageFailures } from "./requests/storage-failures.ts";
import { removeUnreadableKeys } from "./rotated-secret.ts";
import { firstAdmin } from "./users/first-admin.ts";
import { endUnprovenClaims } from "./users/unproven-claims.ts";
import { createWaitingSteps, type WaitingSteps } from "./second-factor/waiting-steps.ts";

export const BASE_PATH = "/api/auth";

const HOUR_SECONDS = 3600;
const DAY_SECONDS = 24 * HOUR_SECONDS;

/** A row of the session or user table as the library hands it to hooks. */
export interface SessionRecord {
  readonly id: string;
  readonly userId: string;
  readonly expiresAt: Date;
  /** The admin who looks through this user's eyes. */
  readonly impersonatedBy?: string | null;
}
export interface UserRecord {
  readonly id: string;
  readonly name: string;
  readonly email: string;
  readonly emailVerified: boolean;
  readonly image?: string | null;
  readonly createdAt: Date;
  readonly role?: string | null;
  readonly lastname?: string | null;
  readonly banned?: boolean | null;
}

/** What happened to people and their sessions, told after it was committed. */
interface AuthEvents {
  userCreated(user: UserRecord): Promise<void>;
  userUpdated(user: UserRecord): Promise<void>;
  /** Before it is committed: a failure prevents it. */
  userDeleting(user: UserRecord): Promise<void>;
  userDeleted(user: UserRecord): Promise<void>;
  sessionUpdated(session: SessionRecord): void;
  /** @param path of the call that deleted it */
  sessionDeleted(session: SessionRecord, path: string | undefined): Promise<void>;
}

export interface AuthOptions {
  readonly config: Config;
  readonly database: Database;
  readonly log: Log;
  readonly secret: string;
  readonly publicUrl: string;
  readonly hashing: PasswordHashing;
  readonly accountLimit: AccountLimit | null;
  readonly lastAdmin: BetterAuthPlugin;
  readonly mailer: Pick<Mailer, "send" | "close">;
  readonly securityEvents: Pick<SecurityEvents, "record">;
  readonly events: AuthEvents;
}

export interface Auth {
  handler(request: Request): Promise<Response>;
  /** Whether anything answers this path, which is below the base path. */
  knows(path: string): boolean;
  /**
   * The live session of a request's cookies. A visit extends it as any call of the accounts does, once
   * it is due.
   * @param setCookies is given the cookies that the answer must carry then, and those that an ended
   *   session clears
   */
  visit(
    headers: Headers,
    setCookies?: (cookies: readonly string[]) => void,
  ): Promise<{ userId: string; sessionId: string } | null>;
  backendTokenFor(session: { userId: string; sessionId: string }): Promise<string>;
  /** For the command line, when nobody is left who could do it. */
  forgetSecondFactor(userId: string): Promise<void>;
  readonly context: Promise<AuthContext>;
  readonly options: BetterAuthOptions;
}
type AuthContext = Awaited<ReturnType<typeof betterAuth>["$context"]>;

export function createAuth(given: AuthOptions): Auth {
  const { publicUrl } = given;
  const backendToken = jwt({
    disableSettingJwtHeader: true,
    jwks: {
      keyPairConfig: { alg: BACKEND_TOKEN.algorithm },
      rotationInterval: BACKEND_TOKEN.keyRotationSeconds,
      gracePeriod: BACKEND_TOKEN.keyGraceSeconds,
    },
    jwt: {
      issuer: publicUrl,
      audience: BACKEND_TOKEN.audience,
      expirationTime: `${BACKEND_TOKEN.expiresInSeconds}s`,
      // By default the whole user row would be in it.
      definePayload: ({ session }) => ({ [BACKEND_TOKEN.sessionClaim]: session.id }),
    },
  });
  const waiting = createWaitingSteps(given.database, given.accountLimit);
  const options = {
    ...authOptions(given, waiting, (path) => patternOf(path)),
    plugins: [...pluginsOf(given, waiting), backendToken],
  };
  const auth = betterAuth(options);
  const patternOf = createKnownPaths(Object.values(auth.api));
  const lookups = createSessionLookups();
  const context = (async () => {
    await removeUnreadableKeys(given).catch((error: unknown) => {
      given.log.error({ error: messageOf(error) }, "signing keys could not be checked");
    });
    const made = (await auth.$context) as unknown as AuthContext;
    nameStorageFailures(made.internalAdapter, given.log);
    lookups.watch(made.internalAdapter);
    decryptIdentityTokens(made.internalAdapter, given.secret);
    return made;
  })();
  return {
    async handler(request) {
      await context;
      return lookups.duringRequest(() => auth.handler(request));
    },
    knows: (path) => patternOf(path) !== null,
    async visit(headers, setCookies) {
      await context;
      const answer = await auth.api.getSession({ headers, returnHeaders: true });
      const found = answer.response;
      const cookies = answer.headers.getSetCookie();
      if (cookies.length > 0) setCookies?.(cookies);
      if (found === null) return null;
      return { userId: found.user.id, sessionId: found.session.id };
    },
    async backendTokenFor({ userId, sessionId }) {
      await context;
      const payload = {
        sub: userId,
        iat: Math.floor(Date.now() / 1000),
        [BACKEND_TOKEN.sessionClaim]: sessionId,
      };
      const { token } = await auth.api.signJWT({ body: { payload } });
      return token;
    },
    async forgetSecondFactor(userId) {
      const { internalAdapter } = await context;
      const records = createSecondFactorRecords(given.database);
      await forgetSecondFactor({ records, waiting }, internalAdapter, userId);
      const detail = "on the command line";
      given.securityEvents.record({ userId, kind: "secondFactorRemoved", detail });
    },
    context,
    options,
  };
}

function authOptions(given: AuthOptions, waiting: WaitingSteps, patternOf: KnownPaths) {
  const { config, database, log, secret, publicUrl, hashing, mailer, securityEvents } = given;
  const mails = createMails(config.PRODUCT_NAME);
  return {
    appName: config.PRODUCT_NAME,
    baseURL: publicUrl,
    basePath: BASE_PATH,
    secret,
    trustedOrigins: trustedOrigins(config, publicUrl),
    database: {
      db: withReadsApart(database),
      type: database.dialect,
      // A user and its password are written as one.
      transaction: true,
    },
    user: {
      additionalFields: {
        lastname: { type: "string", required: false, defaultValue: "", input: true },
      },
      changeEmail: {
        enabled: true,
        updateEmailWithoutVerification: true,
        sendChangeEmailConfirmation: async ({ user, newEmail, url }) =>
          mailer.send(mails.changeEmail(user, newEmail, url)),
      },
      deleteUser: {
        enabled: true,
        sendDeleteAccountVerification: async ({ user, url }) =>
          mailer.send(mails.deleteAccount(user, url)),
      },
    },
    emailAndPassword: {
      enabled: true,
      minPasswordLength: PASSWORD_LENGTH_MIN,
      maxPasswordLength: PASSWORD_LENGTH_MAX,
      password: {
        hash: (password) => hashing.hash(password),
        verify: (input) => hashing.verify(input),
      },
      requireEmailVerification: config.REQUIRE_EMAIL_VERIFICATION,
      // Whoever knew the old password must not stay signed in.
      revokeSessionsOnPasswordReset: true,
      sendResetPassword: async ({ user, url }) => {
        securityEvents.record({ userId: user.id, kind: "passwordResetAsked" });
        mailer.send(mails.resetPassword(user, url));
      },
      onPasswordReset: async ({ user }) => {
        const { record } = securityEvents;
        record({ userId: user.id, kind: "passwordReset" });
        await waiting.end(user.id);
        await endUnprovenClaims({ database, user, record });
      },
      // Else the invented answer to a second sign-up could be told from a real one.
      customSyntheticUser: ({ coreFields, additionalFields, id }) => ({
        ...coreFields,
        ...additionalFields,
        role: "user",
        banned: false,
        banReason: null,
        banExpires: null,
        id,
      }),
    },
    emailVerification: {
      sendOnSignUp: true,
      sendOnSignIn: config.REQUIRE_EMAIL_VERIFICATION,
      // The link signs nobody in: somebody else may have signed up with that address.
      autoSignInAfterVerification: false,
      sendVerificationEmail: async ({ user, url }) => mailer.send(mails.verifyEmail(user, url)),
    },
    session: {
      expiresIn: config.SESSION_EXPIRY_DAYS * DAY_SECONDS,
      updateAge: config.SESSION_UPDATE_AGE_HOURS * HOUR_SECONDS,
      freshAge: config.SESSION_FRESH_AGE_HOURS * HOUR_SECONDS,
      // No cookie cache: a revoked session must be refused at once.
      cookieCache: { enabled: false },
    },
    account: { encryptOAuthTokens: true },
    socialProviders: builtInProviders(providersOf(config)),
    verification: { storeIdentifier: "hashed" },
    rateLimit: {
      // By default in production only.
      enabled: config.AUTH_RATE_LIMIT,
      customStorage: createAddressLimit(database, patternOf),
      window: 10,
      max: 100,
      customRules: RATE_LIMITS,
    },
    advanced: {
      // The migrations are ours, and a test compares them with what the library needs. Its own check
      // reads the whole catalogue of the database during somebody's first request.
      database: { validateSchema: false },
      // By default X-Forwarded-For is believed, which every client can forge.
      ipAddress: { ipAddressHeaders: [CLIENT_ADDRESS_HEADER] },
      useSecureCookies: publicUrl.startsWith("https:"),
      // By default both checks are off under test.
      disableCSRFCheck: false,
      disableOriginCheck: false,
      cookies: { state: { attributes: { maxAge: 600 } } },
      // Answers do not wait for mails: they would show by their time whether an account exists.
      backgroundTasks: {
        handler: (task) => {
          task.catch((error: unknown) =>
            log.error({ error: messageOf(error) }, "accounts task failed"),
          );
        },
      },
    },
    databaseHooks: databaseHooks(given),
    // Unexpected errors come to the caller of the handler, who logs them; by default they are printed
    // to the console as they are.
    onAPIError: { throw: true },
    logger: {
      level: "warn",
      // Its warnings and refusals name addresses of people; failures are what an operator needs.
      log: (level, message) => {
        if (level === "error") log.debug({ reason: message }, "accounts refused");
      },
    },
    telemetry: { enabled: false },
  } satisfies BetterAuthOptions;
}

function providersOf({ SIGN_IN_PROVIDERS, REQUIRE_EMAIL_VERIFICATION }: Config) {
  return { settings: SIGN_IN_PROVIDERS, requireEmailVerification: REQUIRE_EMAIL_VERIFICATION };
}

function pluginsOf(given: AuthOptions, waiting: WaitingSteps) {
  const { config, hashing, accountLimit, lastAdmin, mailer, securityEvents, publicUrl } = given;
  const mails = createMails(config.PRODUCT_NAME);
  const second = secondFactor({
    records: createSecondFactorRecords(given.database),
    waiting,
    accountLimit,
    adminIds: config.ADMIN_USER_IDS,
    record: securityEvents.record,
    notify: (notice, user) => mailer.send(mails.security(notice, user, publicUrl)),
  });
  return [
    admin({
      ac: accessControl,
      roles,
      defaultRole: "user",
      adminRoles: ["admin"],
      adminUserIds: config.ADMIN_USER_IDS,
    }),
    oneTimeToken({ storeToken: "hashed" }),
    signInProviders(providersOf(config)),
    requestGuard({ accountLimit }),
    mailedTokens(),
    passwordGuard({ productName: config.PRODUCT_NAME, adminIds: config.ADMIN_USER_IDS, hashing }),
    passwordAttempts(accountLimit),
    lastAdmin,
    adminPasswords(),
    waiting.plugin,
    ...second.plugins,
    ...passkeys({
      database: given.database,
      publicUrl,
      productName: config.PRODUCT_NAME,
      origins: trustedOrigins(config, publicUrl),
      requireEmailVerification: config.REQUIRE_EMAIL_VERIFICATION,
      record: securityEvents.record,
      notify: (user) => mailer.send(mails.security("passkeyAdded", user, publicUrl)),
    }),
    changeLinksOnce(),
    // After the second step has held a session back.
    ...(accountLimit === null ? [] : [knownDevices()]),
    securityRecording(securityEvents, second.isSignIn),
    compatibility(),
  ];
}

/** Per address and path; reading one's own session is not limited. */
const RATE_LIMITS = {
  "/sign-in/*": { window: 60, max: 20 },
  "/sign-up/*": { window: 60, max: 20 },
  "/request-password-reset": { window: 60, max: 5 },
  "/forget-password": { window: 60, max: 5 },
  "/send-verification-email": { window: 60, max: 5 },
  "/reset-password": { window: 60, max: 10 },
  "/change-password": { window: 60, max: 10 },
  "/change-email": { window: 60, max: 10 },
  "/delete-user": { window: 60, max: 10 },
  "/one-time-token/verify": { window: 60, max: 20 },
  "/two-factor/*": { window: 60, max: 20 },
  "/passkey/*": { window: 60, max: 30 },
  // What the sign-in page asks before anybody tries anything.
  "/sign-in-providers": false as const,
  "/get-session": false as const,
  "/token": false as const,
  "/jwks": false as const,
  "/ok": false as const,
};

function databaseHooks(given: AuthOptions): BetterAuthOptions["databaseHooks"] {
  const { config, log, secret, events } = given;
  const first = firstAdmin(config);
  return {
    account: identityTokenHooks(secret),
    user: {
      create: {
        before: async (user, context) =>
          (await first.atSignUp(user, context)) ? { data: { ...user, role: "admin" } } : undefined,
        after: async (user: UserRecord) => {
          if (user.role === "admin") log.warn({ userId: user.id }, "an admin was created");
          await events.userCreated(user);
        },
      },
      update: {
        before: async (change, context) => {
          if (!(await first.atVerification(change, context))) return undefined;
          log.warn({ email: config.ADMIN_EMAIL }, "an admin was created");
          return { data: { ...change, role: "admin" } };
        },
        after: async (user: UserRecord | null) => {
          if (user !== null) await events.userUpdated(user);
        },
      },
      delete: {
        before: async (user: UserRecord) => events.userDeleting(user),
        after: async (user: UserRecord) => events.userDeleted(user),
      },
    },
    session: {
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

/**
 * Origins whose pages may send requests with cookies. In development the same server is opened
 * under several names of one machine; names are never taken from the request, which forges them.
 */
function trustedOrigins(config: Config, publicUrl: string): string[] {
  const { origin, port, protocol } = new URL(publicUrl);
  const origins = new Set([origin]);
  if (config.ENVIRONMENT === "development" && protocol === "http:") {
    const names = ["localhost", "127.0.0.1", "[::1]"];
    if (config.HOST === "0.0.0.0" || config.HOST === "::") {
      for (const { address, family } of Object.values(networkInterfaces()).flatMap(
        (all) => all ?? [],
      )) {
        if (family === "IPv4") names.push(address);
      }
    }
    for (const name of names) origins.add(`http://${name}${port === "" ? "" : `:${port}`}`);
  }
  return [...origins];
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
