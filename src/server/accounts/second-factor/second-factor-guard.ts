/**
 * Checks on second-factor calls beyond the authentication library's: a code works once, guesses are
 * limited, an unattended session cannot change the second factor, and everything is recorded.
 */
import { isAPIError } from "better-auth/api";
import { symmetricDecrypt } from "better-auth/crypto";
import type { BetterAuthPlugin } from "better-auth";
import type { AuthParts } from "../auth-terms.ts";
import { onCalls, refusal, sessionOf, type AnsweredCall, type Call } from "../library-calls.ts";
import { tooManyAttempts } from "../requests/account-limit.ts";
import type { Recipient } from "../mail/mails.ts";
import { fieldOf, hasField, textOf } from "../requests/fields.ts";
import { requireFresh } from "../sessions/fresh-session.ts";
import { countCodeAttempt, forgetCodeAttempts, consumeCode } from "./code-attempts.ts";
import { hasSecondFactor } from "./held-sessions.ts";
import { clientOf, type NewSecurityEvent } from "../audit/security-events.ts";

const VERIFY_CODE = "/two-factor/verify-totp";
const VERIFY_BACKUP_CODE = "/two-factor/verify-backup-code";
const ENABLE = "/two-factor/enable";
const DISABLE = "/two-factor/disable";
const SHOW_SECRET = "/two-factor/get-totp-uri";
const RENEW_BACKUP_CODES = "/two-factor/generate-backup-codes";
const CHANGE_CALLS = [ENABLE, DISABLE, SHOW_SECRET, RENEW_BACKUP_CODES];
const CHECK_CALLS = [VERIFY_CODE, VERIFY_BACKUP_CODE];

type Person = Recipient & { readonly id: string };

/** The user whose code is being checked. */
interface Check {
  readonly user: Person;
  /**
   * Whether a signed-in user is confirming a new second factor; otherwise a sign-in is being
   * completed.
   */
  readonly enabling: boolean;
}

export function secondFactorGuard(parts: AuthParts): BetterAuthPlugin {
  const { accountLimit, notify, secondFactors: records, waiting } = parts;
  const { record } = parts.securityEvents;
  const checks = new WeakMap<Request, Check>();

  async function limit({ user, enabling }: Check): Promise<void> {
    const waitSeconds = await countCodeAttempt(accountLimit, user.id);
    if (waitSeconds === null) return;
    if (!enabling && (await accountLimit?.attempt("guessesTold", user.id)) === null) {
      notify("codesGuessed", user);
    }
    throw tooManyAttempts(waitSeconds);
  }

  async function beforeChange(context: Call): Promise<void> {
    const session = await sessionOf(context);
    if (session === null) return; // The endpoint reports this error.
    const { user } = session;
    const credential = await context.context.internalAdapter.findCredentialAccount(user.id);
    const isPasswordEnough = context.path === ENABLE || context.path === SHOW_SECRET;
    if (credential === null || !isPasswordEnough) {
      requireFresh(parts.freshness, session.session);
    }
    if (context.path === SHOW_SECRET && hasSecondFactor(user)) {
      // A client that reads the secret has the second factor permanently.
      throw refusal("BAD_REQUEST", "TOTP_ALREADY_ENABLED", "TOTP is already enabled");
    }
    if (context.path === DISABLE && !hasSecondFactor(user)) {
      throw refusal("BAD_REQUEST", "TWO_FACTOR_NOT_ENABLED", "Two factor isn't enabled");
    }
  }

  async function afterChange(context: AnsweredCall): Promise<void> {
    const user = context.context.session?.user;
    if (user === undefined || isAPIError(context.context.returned)) return;
    if (context.path === RENEW_BACKUP_CODES) recordFor(context, user.id, "backupCodesRenewed");
    if (context.path !== DISABLE) return;
    await waiting.endWithGuesses(user.id);
    recordFor(context, user.id, "secondFactorDisabled");
    notify("disabled", user);
  }

  async function beforeCheck(context: Call): Promise<void> {
    if (fieldOf(context.body, "disableSession") === true) {
      // The call would use up a backup code without any effect and unrecorded.
      throw refusal("BAD_REQUEST", "VALIDATION_ERROR", "[body.disableSession] must not be set");
    }
    const check = await checkOf(context);
    if (check === null) return;
    const { user, enabling } = check;
    if (enabling && (context.path === VERIFY_BACKUP_CODE || hasSecondFactor(user))) {
      const message = "You are signed in already: no code is needed.";
      throw refusal("BAD_REQUEST", "SECOND_FACTOR_NOT_ASKED", message);
    }
    if (context.request !== undefined) checks.set(context.request, check);
    await limit(check);
    if (context.path === VERIFY_CODE) await useUp(context, user.id);
    else await requireReadable(context, user.id);
  }

  async function requireReadable(context: Call, userId: string): Promise<void> {
    const found = await records.find(userId);
    if (found !== null) await decrypted(context, found.backupCodes);
  }

  /** Consumes a correct code; the endpoint refuses a wrong one. */
  async function useUp(context: Call, userId: string): Promise<void> {
    const found = await records.find(userId);
    const code = textOf(context.body, "code");
    if (found === null || code === undefined) return;
    const secret = await decrypted(context, found.secret);
    if ((await consumeCode(records, { id: userId, secret }, code)) !== "usedBefore") return;
    recordFor(context, userId, "secondFactorFailed", "one that was used before");
    throw refusal("UNAUTHORIZED", "INVALID_CODE", "Invalid code");
  }

  async function afterCheck(context: AnsweredCall): Promise<void> {
    const check = context.request === undefined ? undefined : checks.get(context.request);
    if (check === undefined) return;
    const { user, enabling } = check;
    const { returned, newSession } = context.context;
    if (isAPIError(returned)) {
      const isWrong = ["INVALID_CODE", "INVALID_BACKUP_CODE"].includes(returned.body?.code ?? "");
      if (isWrong && !enabling) recordFor(context, user.id, "secondFactorFailed");
      return;
    }
    if (newSession === null) return;
    if (enabling) {
      // Ends sessions that began without a code.
      const { internalAdapter } = context.context;
      for (const { token } of await internalAdapter.listSessions(user.id)) {
        if (token !== newSession.session.token) await internalAdapter.deleteSession(token);
      }
      await waiting.endWithGuesses(user.id);
      recordFor(context, user.id, "secondFactorEnabled");
      notify("enabled", user);
      return;
    }
    await forgetCodeAttempts(accountLimit, user.id);
    await keepDontRememberCookie(context);
    if (context.path === VERIFY_BACKUP_CODE) {
      recordFor(context, user.id, "backupCodeUsed", await backupCodesLeft(context, user.id));
      notify("backupCodeUsed", user);
    }
  }

  async function backupCodesLeft(context: Call, userId: string): Promise<string | undefined> {
    const found = await records.find(userId);
    if (found === null) return undefined;
    const codes: unknown = JSON.parse(await decrypted(context, found.backupCodes));
    return Array.isArray(codes) ? `${codes.length} left` : undefined;
  }

  function recordFor(
    context: Call,
    userId: string,
    kind: NewSecurityEvent["kind"],
    detail?: string,
  ): void {
    record({ ...clientOf(context), userId, kind, detail });
  }

  return {
    id: "second-factor-guard",
    hooks: {
      before: [
        onCalls(["/admin/update-user", "/admin/create-user"], async ({ body }) => {
          // Only a separate call removes a second factor: it cleans up and is recorded.
          requireWithout(body, "twoFactorEnabled");
        }),
        onCalls(["/admin/update-user"], async ({ body }) => {
          // An administrator who sets another's address can have their password mailed to it. The
          // library lets ADMIN_USER_IDS do so, regardless of their role's permissions.
          requireWithout(body, "email");
          requireWithout(body, "emailVerified");
        }),
        onCalls(CHANGE_CALLS, beforeChange),
        onCalls(CHECK_CALLS, beforeCheck),
      ],
      after: [onCalls(CHANGE_CALLS, afterChange), onCalls(CHECK_CALLS, afterCheck)],
    },
  };
}

/** @throws APIError FIELD_NOT_ALLOWED if an administrator's call sets the user's field */
function requireWithout(body: unknown, field: string): void {
  if (!hasField(fieldOf(body, "data"), field)) return;
  throw refusal("BAD_REQUEST", "FIELD_NOT_ALLOWED", `${field} is not allowed to be set`);
}

/**
 * A second factor that cannot be decrypted stays on: otherwise the password alone would sign in.
 * @throws APIError SECOND_FACTOR_UNREADABLE after AUTH_SECRET was changed
 */
async function decrypted(context: Call, data: string): Promise<string> {
  try {
    return await symmetricDecrypt({ key: context.context.secretConfig, data });
  } catch {
    throw refusal(
      "FORBIDDEN",
      "SECOND_FACTOR_UNREADABLE",
      "Your second step can no longer be checked. Sign in with a passkey, or ask an administrator " +
        "to remove it.",
    );
  }
}

/**
 * null if neither a session nor a pending sign-in identifies the user, which the endpoint refuses.
 */
async function checkOf(context: Call): Promise<Check | null> {
  const session = await sessionOf(context);
  if (session !== null) return { user: session.user, enabling: true };
  const { internalAdapter, secret, createAuthCookie } = context.context;
  const challenge = await context.getSignedCookie(createAuthCookie("two_factor").name, secret);
  if (typeof challenge !== "string") return null;
  const found = await internalAdapter.findVerificationValue(challenge);
  const user = found === null ? null : await internalAdapter.findUserById(found.value);
  return user === null ? null : { user, enabling: false };
}

/**
 * Keeps the cookie of a session that ends with the browser ("remember me" off). When a device
 * becomes trusted, the library clears that cookie, and the session would be extended like any
 * other.
 */
async function keepDontRememberCookie(context: Call): Promise<void> {
  const { secret, authCookies } = context.context;
  const { name, attributes } = authCookies.dontRememberToken;
  const mark = await context.getSignedCookie(name, secret);
  if (typeof mark === "string") await context.setSignedCookie(name, mark, secret, attributes);
}
