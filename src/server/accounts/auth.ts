/** The assembled authentication library; nothing outside this folder knows the library. */
import { OPERATOR_ID } from "#contract/users.ts";
import { betterAuth, type BetterAuthOptions } from "better-auth";
import { jwt } from "better-auth/plugins";
import { createAccessChanges } from "./audit/access-changes.ts";
import { authOptions } from "./auth-options.ts";
import { pluginsOf } from "./auth-plugins.ts";
import type { AuthOptions, AuthParts, UserRecord } from "./auth-terms.ts";
import { accountRulesOf } from "../settings/account-rules.ts";
import { createMails } from "./mail/mails.ts";
import { isPasskeyPath } from "./passkeys/passkeys.ts";
import { withBoundedFetch, withoutFetch } from "./providers/bounded-fetch.ts";
import { decryptIdentityTokens } from "./providers/identity-tokens.ts";
import { mayMail } from "./requests/attempt-guard.ts";
import { createKnownPaths } from "./requests/known-paths.ts";
import { createSessionLookups } from "./requests/session-lookups.ts";
import { reportStorageFailures } from "./requests/storage-failures.ts";
import { createOwnChanges } from "./own-changes.ts";
import { removeUnreadableKeys } from "./rotated-secret.ts";
import { createSecondFactorRecords } from "./second-factor/second-factor-records.ts";
import { forgetSecondFactor } from "./second-factor/second-factor.ts";
import { createWaitingSteps } from "./second-factor/waiting-steps.ts";
import { BACKEND_TOKEN } from "./sessions/backend-token.ts";
import { freshnessOf } from "./sessions/fresh-session.ts";
import { endImpersonationsOnTime } from "./sessions/impersonation.ts";
import { endUnverifiedSignUps } from "./users/unverified-sign-ups.ts";
import { createVerifiedElsewhere } from "./users/verified-elsewhere.ts";
import { messageOf } from "../log.ts";

export type Auth = ReturnType<typeof createAuth>;

type AuthContext = Awaited<ReturnType<typeof betterAuth>["$context"]>;

export function createAuth(given: AuthOptions) {
  const { config, database, mailer, publicUrl } = given;
  const mails = createMails(config);
  const rules = accountRulesOf(config.ACCOUNT_RULES);
  const freshness = freshnessOf(config, rules);
  const parts: AuthParts = {
    ...given,
    mails,
    rules,
    freshness,
    secondFactors: createSecondFactorRecords(database),
    waiting: createWaitingSteps(database, freshness, given.accountLimit),
    verifiedElsewhere: createVerifiedElsewhere(database, rules),
    accessChanges: createAccessChanges({ ...given, adminIds: config.ADMIN_USER_IDS }),
    notify(notice, user) {
      // An intruder must not hide one change from the owner among many others.
      mayMail(given.accountLimit, "noticeMail", user, notice).then(
        (isSent) => isSent && mailer.send(mails.security(notice, user, publicUrl)),
        (error: unknown) => given.log.error({ err: error }, "a notice was not sent"),
      );
    },
  };
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
      expirationTime: `${config.BACKEND_TOKEN_SECONDS}s`,
      // By default it would include the whole user row.
      definePayload: ({ session }) => ({ [BACKEND_TOKEN.sessionClaim]: session.id }),
    },
  });
  const options = {
    ...authOptions(parts, (path) => patternOf(path)),
    plugins: [...pluginsOf(parts), backendToken],
  };
  const auth = betterAuth(options);
  const patternOf = createKnownPaths(Object.values(auth.api));
  const lookups = createSessionLookups();
  const context = (async () => {
    await removeUnreadableKeys(given).catch((error: unknown) => {
      given.log.error({ error: messageOf(error) }, "signing keys could not be checked");
    });
    const made = (await auth.$context) as unknown as AuthContext;
    reportStorageFailures(made.internalAdapter, given.log);
    lookups.watch(made.internalAdapter);
    endImpersonationsOnTime(made.internalAdapter);
    decryptIdentityTokens(made.internalAdapter, given.secret);
    return made;
  })();
  return {
    async handler(request: Request): Promise<Response> {
      await context;
      const path = new URL(request.url).pathname.slice(config.AUTH_BASE_PATH.length);
      // A new passkey may come with certificates, and these with addresses that the library would ask.
      const within = isPasskeyPath(path) ? withoutFetch : withBoundedFetch;
      return within(() =>
        parts.accessChanges.duringRequest(() => lookups.duringRequest(() => auth.handler(request))),
      );
    },
    /** Whether the library has a handler for this path below the base path. */
    knows: (path: string): boolean => patternOf(path) !== null,
    /**
     * The live session of a request's cookies. Like any call of the library, a visit extends the
     * session once that is due.
     * @param setCookies receives the cookies that the response must set, including those that clear
     * an ended session
     */
    async visit(headers: Headers, setCookies?: (cookies: readonly string[]) => void) {
      await context;
      const answer = await auth.api.getSession({ headers, returnHeaders: true });
      const found = answer.response;
      const cookies = answer.headers.getSetCookie();
      if (cookies.length > 0) setCookies?.(cookies);
      if (found === null) return null;
      return { userId: found.user.id, sessionId: found.session.id };
    },
    async backendTokenFor({ userId, sessionId }: { userId: string; sessionId: string }) {
      await context;
      const payload = {
        sub: userId,
        iat: Math.floor(Date.now() / 1000),
        [BACKEND_TOKEN.sessionClaim]: sessionId,
      };
      const { token } = await auth.api.signJWT({ body: { payload } });
      return token;
    },
    /**
     * Removes a user's second factor. For the command line, if no administrator is left to do it.
     */
    async forgetSecondFactor(userId: string): Promise<void> {
      const { internalAdapter } = await context;
      await forgetSecondFactor(parts, internalAdapter, userId);
      given.securityEvents.record({
        userId,
        actorId: OPERATOR_ID,
        kind: "secondFactorRemoved",
        detail: "on the command line",
      });
    },
    /**
     * Ends every means of signing in that the first person who signed up with the address may have set up.
     * For the command line, which hands the account over to the owner of the address.
     */
    async endUnverifiedClaim(user: UserRecord): Promise<void> {
      if (user.emailVerified && !(await parts.verifiedElsewhere.has(user.id))) return;
      await endUnverifiedSignUps(given.database, user, given.securityEvents.record);
      await given.events.signInMethodsRemoved(user);
      await parts.verifiedElsewhere.forget(user.id);
    },
    ownChanges: createOwnChanges(parts),
    context,
    options: options as BetterAuthOptions,
  };
}
