/** The library's options, with a reason for each that departs from the default. */
import type { BetterAuthOptions } from "better-auth";
import { withSeparateReads } from "./auth-database.ts";
import { databaseHooks } from "./auth-hooks.ts";
import type { AuthParts, UserRecord } from "./auth-terms.ts";
import { CLIENT_ADDRESS_HEADER } from "../http/client-address.ts";
import type { Recipient } from "./mail/mails.ts";
import { builtInProviders } from "./providers/sign-in-providers.ts";
import { mayMail } from "./requests/attempt-guard.ts";
import { createAddressLimit } from "./requests/address-limit.ts";
import { ADDRESS_RATES } from "./requests/address-rates.ts";
import type { KnownPaths } from "./requests/known-paths.ts";
import { trustedOrigins } from "./trusted-origins.ts";
import { endUnverifiedSignUps } from "./users/unverified-sign-ups.ts";
import { messageOf } from "../log.ts";

const MINUTE_SECONDS = 60;
const HOUR_SECONDS = 3600;
const DAY_SECONDS = 24 * HOUR_SECONDS;

export function authOptions(parts: AuthParts, patternOf: KnownPaths) {
  const { config, database, log, secret, publicUrl, hashing, mailer, securityEvents } = parts;
  const { accountLimit, mails, verifiedElsewhere, rules, waiting } = parts;
  return {
    appName: config.PRODUCT_NAME,
    baseURL: publicUrl,
    basePath: config.AUTH_BASE_PATH,
    secret,
    trustedOrigins: trustedOrigins(config, publicUrl),
    database: {
      db: withSeparateReads(database),
      type: database.dialect,
      // A user and their password are written in one transaction.
      transaction: true,
    },
    user: {
      additionalFields: {
        lastname: { type: "string", required: false, defaultValue: "", input: true },
      },
      changeEmail: {
        enabled: config.CHANGE_EMAIL,
        updateEmailWithoutVerification: true,
        sendChangeEmailConfirmation: async ({ user, newEmail, url }) => {
          if (!(await mayMail(accountLimit, "changeMail", user))) return;
          mailer.send(mails.changeEmail(user, newEmail, url));
        },
      },
      deleteUser: {
        enabled: config.DELETE_USER,
        deleteTokenExpiresIn: config.DELETION_LINK_MINUTES * MINUTE_SECONDS,
        sendDeleteAccountVerification: async ({ user, url }) => {
          if (!(await mayMail(accountLimit, "deletionMail", user))) return;
          mailer.send(mails.deleteAccount(user, url));
        },
      },
    },
    emailAndPassword: {
      enabled: config.EMAIL_AND_PASSWORD,
      disableSignUp: !config.SIGN_UP,
      minPasswordLength: config.PASSWORD_LENGTH_MIN,
      maxPasswordLength: config.PASSWORD_LENGTH_MAX,
      password: {
        hash: (password) => hashing.hash(password),
        verify: (input) => hashing.verify(input),
      },
      requireEmailVerification: config.REQUIRE_EMAIL_VERIFICATION,
      // Off by default, but sessions that began with the old password must not stay signed in.
      revokeSessionsOnPasswordReset: config.PASSWORD_RESET_ENDS_SESSIONS,
      resetPasswordTokenExpiresIn: config.PASSWORD_RESET_LINK_MINUTES * MINUTE_SECONDS,
      // Without this function, requests for a password reset are refused.
      ...(config.PASSWORD_RESET &&
        config.EMAIL_AND_PASSWORD && {
          sendResetPassword: async ({ user, url }: { user: UserRecord; url: string }) => {
            if (!(await mayMail(accountLimit, "resetMail", user))) return;
            securityEvents.record({ userId: user.id, kind: "passwordResetAsked" });
            mailer.send(mails.resetPassword(user, url));
          },
        }),
      onPasswordReset: async ({ user }) => {
        const { record } = securityEvents;
        record({ userId: user.id, kind: "passwordReset" });
        await waiting.end(user.id);
        const isUnverified = !user.emailVerified || (await verifiedElsewhere.has(user.id));
        if (rules.resetEndsUnverifiedClaims && isUnverified) {
          await endUnverifiedSignUps(database, user, record);
          await parts.events.signInMethodsRemoved(user);
        }
        await verifiedElsewhere.forget(user.id);
      },
      // Otherwise the fake answer to a second sign-up could be distinguished from a real one.
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
      expiresIn: config.VERIFICATION_LINK_MINUTES * MINUTE_SECONDS,
      sendOnSignUp: config.EMAIL_VERIFICATION,
      sendOnSignIn: config.REQUIRE_EMAIL_VERIFICATION,
      // The link does not sign in: someone else may have signed up with the recipient's address.
      autoSignInAfterVerification: false,
      ...(config.EMAIL_VERIFICATION && {
        sendVerificationEmail: async (
          { user, url }: { user: Recipient; url: string },
          request?: Request,
        ) => {
          const kind = isSignUp(request) ? "signUpMail" : "verificationMail";
          if (!(await mayMail(accountLimit, kind, user))) return;
          mailer.send(mails.verifyEmail(user, url));
        },
      }),
    },
    session: {
      expiresIn: config.SESSION_EXPIRY_DAYS * DAY_SECONDS,
      updateAge: config.SESSION_UPDATE_AGE_HOURS * HOUR_SECONDS,
      // The library counts from the sign-in. To count from the last extension instead, its check
      // is off and fresh-session.ts checks.
      freshAge: rules.freshFromSignIn ? config.SESSION_FRESH_AGE_HOURS * HOUR_SECONDS : 0,
      disableSessionRefresh: !config.SESSION_EXTENSION,
      // No cookie cache: a revoked session must be refused at once.
      cookieCache: { enabled: false },
    },
    account: {
      encryptOAuthTokens: true,
      accountLinking: {
        enabled: config.ACCOUNT_LINKING,
        trustedProviders: config.TRUSTED_PROVIDERS,
        allowDifferentEmails: config.LINK_DIFFERENT_EMAILS,
        allowUnlinkingAll: config.UNLINK_LAST_ACCOUNT,
        requireLocalEmailVerified: rules.joinsVerifiedAddresses,
      },
    },
    socialProviders: builtInProviders(config),
    // Expired rows are deleted in batches (expired-verifications.ts).
    verification: { storeIdentifier: "hashed", disableCleanup: true },
    rateLimit: {
      // On only in production by default.
      enabled: config.AUTH_RATE_LIMIT,
      customStorage: createAddressLimit(database, patternOf),
      window: 10,
      max: 100,
      customRules: ADDRESS_RATES,
    },
    advanced: {
      // A test compares our migrations with the library's requirements. The library's own check would
      // read the whole database schema during the first request.
      database: { validateSchema: false },
      // The default trusts X-Forwarded-For, which every client can forge.
      ipAddress: { ipAddressHeaders: [CLIENT_ADDRESS_HEADER] },
      useSecureCookies: publicUrl.startsWith("https:"),
      // By default, both checks are off in tests.
      disableCSRFCheck: !config.CSRF_CHECK,
      disableOriginCheck: false,
      cookies: { state: { attributes: { maxAge: 600 } } },
      // Answers do not wait for mails: their timing would reveal whether a user exists.
      backgroundTasks: {
        handler: (task) => {
          task.catch((error: unknown) =>
            log.error({ error: messageOf(error) }, "accounts task failed"),
          );
        },
      },
    },
    databaseHooks: databaseHooks(parts),
    // Unexpected errors are thrown to the handler's caller, which logs them; by default they are
    // printed to the console.
    onAPIError: { throw: true },
    logger: {
      level: "warn",
      // Its warnings and refusals contain email addresses; operators need only its failures.
      log: (level, message) => {
        if (level === "error") log.debug({ reason: message }, "accounts refused");
      },
    },
    telemetry: { enabled: false },
  } satisfies BetterAuthOptions;
}

function isSignUp(request: Request | undefined): boolean {
  return request !== undefined && new URL(request.url).pathname.endsWith("/sign-up/email");
}
