/**
 * What the calls of the second factor pass besides what the authentication library checks: a code
 * works once, nobody guesses on, a session that was left open changes nothing, and all of it is on
 * record.
 */
import { APIError, createAuthMiddleware, getSessionFromCtx, isAPIError } from "better-auth/api";
import { symmetricDecrypt } from "better-auth/crypto";
import type { BetterAuthPlugin } from "better-auth";
import { tooManyAttempts, type AccountLimit } from "../requests/account-limit.ts";
import { fieldOf, hasField, textOf } from "../requests/fields.ts";
import { requireFresh, type Freshness } from "../sessions/fresh-session.ts";
import { hasSecondFactor } from "./held-sessions.ts";
import type { SecondFactorRecords } from "./second-factor-records.ts";
import { placeOf, type NewSecurityEvent, type SecurityEvents } from "../record/security-events.ts";
import { stepOfCode } from "./time-codes.ts";
import type { WaitingSteps } from "./waiting-steps.ts";

const VERIFY_CODE = "/two-factor/verify-totp";
const VERIFY_BACKUP_CODE = "/two-factor/verify-backup-code";
const ENABLE = "/two-factor/enable";
const DISABLE = "/two-factor/disable";
const SHOW_SECRET = "/two-factor/get-totp-uri";
const RENEW_BACKUP_CODES = "/two-factor/generate-backup-codes";

type Context = Parameters<typeof getSessionFromCtx>[0];
type AnsweredContext = Context & { readonly context: { readonly returned?: unknown } };
type Person = { readonly id: string; readonly email: string; readonly name: string };

/** Whose code is being checked. */
interface Check {
  readonly user: Person;
  /** By somebody who is signed in and gives the first code; else to finish a sign-in. */
  readonly enabling: boolean;
}

export type SecondFactorNotice = "enabled" | "disabled" | "backupCodeUsed" | "codesGuessed";

export interface SecondFactorGuardOptions {
  readonly records: SecondFactorRecords;
  readonly waiting: Pick<WaitingSteps, "end">;
  /** null where limits are switched off. */
  readonly accountLimit: AccountLimit | null;
  readonly freshness: Freshness;
  readonly record: SecurityEvents["record"];
  /** Tells the user by mail. */
  readonly notify: (notice: SecondFactorNotice, user: Person) => void;
}

export function secondFactorGuard(options: SecondFactorGuardOptions): BetterAuthPlugin {
  const { records, waiting, accountLimit, record, notify } = options;
  const checks = new WeakMap<Request, Check>();

  async function limit({ user, enabling }: Check): Promise<void> {
    if (accountLimit === null) return;
    for (const kind of ["secondFactor", "secondFactorOfDay"] as const) {
      const waitSeconds = await accountLimit.attempt(kind, user.id);
      if (waitSeconds === null) continue;
      if (!enabling && (await accountLimit.attempt("guessesTold", user.id)) === null) {
        notify("codesGuessed", user);
      }
      throw tooManyAttempts(waitSeconds);
    }
  }

  async function beforeChange(context: Context): Promise<void> {
    const session = await getSessionFromCtx(context, { disableRefresh: true });
    if (session === null) return; // The endpoint says so.
    const { user } = session;
    const credential = await context.context.internalAdapter.findCredentialAccount(user.id);
    const isPasswordEnough = context.path === ENABLE || context.path === SHOW_SECRET;
    if (credential === null || !isPasswordEnough) {
      requireFresh(options.freshness, session.session);
    }
    if (context.path === SHOW_SECRET && hasSecondFactor(user)) {
      // Whoever has read it has the second factor for good.
      throw new APIError("BAD_REQUEST", {
        code: "TOTP_ALREADY_ENABLED",
        message: "TOTP is already enabled",
      });
    }
    if (context.path === DISABLE && !hasSecondFactor(user)) {
      throw new APIError("BAD_REQUEST", {
        code: "TWO_FACTOR_NOT_ENABLED",
        message: "Two factor isn't enabled",
      });
    }
  }

  async function afterChange(context: AnsweredContext): Promise<void> {
    const user = context.context.session?.user;
    if (user === undefined || isAPIError(context.context.returned)) return;
    if (context.path === RENEW_BACKUP_CODES) tell(context, user.id, "backupCodesRenewed");
    if (context.path !== DISABLE) return;
    await waiting.end(user.id);
    tell(context, user.id, "secondFactorDisabled");
    notify("disabled", user);
  }

  async function beforeCheck(context: Context): Promise<void> {
    if (fieldOf(context.body, "disableSession") === true) {
      // It would use a backup code up, for nothing and off the record.
      throw new APIError("BAD_REQUEST", {
        code: "VALIDATION_ERROR",
        message: "[body.disableSession] must not be set",
      });
    }
    const check = await checkOf(context);
    if (check === null) return;
    const { user, enabling } = check;
    if (enabling && (context.path === VERIFY_BACKUP_CODE || hasSecondFactor(user))) {
      throw new APIError("BAD_REQUEST", {
        code: "SECOND_FACTOR_NOT_ASKED",
        message: "You are signed in already: no code is needed.",
      });
    }
    if (context.request !== undefined) checks.set(context.request, check);
    await limit(check);
    if (context.path === VERIFY_CODE) await useUp(context, user.id);
    else await requireReadable(context, user.id);
  }

  async function requireReadable(context: Context, userId: string): Promise<void> {
    const found = await records.find(userId);
    if (found !== null) await decrypted(context, found.backupCodes);
  }

  /** Lets a right code through once; a wrong one is left to the endpoint. */
  async function useUp(context: Context, userId: string): Promise<void> {
    const found = await records.find(userId);
    const code = textOf(context.body, "code");
    if (found === null || code === undefined) return;
    const secret = await decrypted(context, found.secret);
    const step = stepOfCode(secret, code, Date.now());
    if (step === null || (await records.useStep(userId, step))) return;
    tell(context, userId, "secondFactorFailed", "one that was used before");
    throw new APIError("UNAUTHORIZED", { code: "INVALID_CODE", message: "Invalid code" });
  }

  async function afterCheck(context: AnsweredContext): Promise<void> {
    const check = context.request === undefined ? undefined : checks.get(context.request);
    if (check === undefined) return;
    const { user, enabling } = check;
    const { returned, newSession } = context.context;
    if (isAPIError(returned)) {
      const isWrong = ["INVALID_CODE", "INVALID_BACKUP_CODE"].includes(returned.body?.code ?? "");
      if (isWrong && !enabling) tell(context, user.id, "secondFactorFailed");
      return;
    }
    if (newSession === null) return;
    if (enabling) {
      // Those were opened without a code.
      const { internalAdapter } = context.context;
      for (const { token } of await internalAdapter.listSessions(user.id)) {
        if (token !== newSession.session.token) await internalAdapter.deleteSession(token);
      }
      await waiting.end(user.id);
      tell(context, user.id, "secondFactorEnabled");
      notify("enabled", user);
      return;
    }
    await accountLimit?.clear("secondFactor", user.id);
    await accountLimit?.clear("secondFactorOfDay", user.id);
    await keepForgotten(context);
    if (context.path === VERIFY_BACKUP_CODE) {
      tell(context, user.id, "backupCodeUsed", await backupCodesLeft(context, user.id));
      notify("backupCodeUsed", user);
    }
  }

  async function backupCodesLeft(context: Context, userId: string): Promise<string | undefined> {
    const found = await records.find(userId);
    if (found === null) return undefined;
    const codes: unknown = JSON.parse(await decrypted(context, found.backupCodes));
    return Array.isArray(codes) ? `${codes.length} left` : undefined;
  }

  function tell(
    context: Context,
    userId: string,
    kind: NewSecurityEvent["kind"],
    detail?: string,
  ): void {
    record({ ...placeOf(context), userId, kind, detail });
  }

  return {
    id: "second-factor-guard",
    hooks: {
      before: [
        {
          matcher: ({ path = "" }) => ["/admin/update-user", "/admin/create-user"].includes(path),
          handler: createAuthMiddleware(async ({ body }) => {
            if (!hasField(fieldOf(body, "data"), "twoFactorEnabled")) return;
            // Removing it is a call of its own, which leaves nothing behind and is on record.
            throw new APIError("BAD_REQUEST", {
              code: "FIELD_NOT_ALLOWED",
              message: "twoFactorEnabled is not allowed to be set",
            });
          }),
        },
        { matcher: isChange, handler: createAuthMiddleware(beforeChange) },
        { matcher: isCheck, handler: createAuthMiddleware(beforeCheck) },
      ],
      after: [
        { matcher: isChange, handler: createAuthMiddleware(afterChange) },
        { matcher: isCheck, handler: createAuthMiddleware(afterCheck) },
      ],
    },
  };
}

/**
 * Never switched off because it cannot be read: then the password alone would sign in.
 * @throws APIError SECOND_FACTOR_UNREADABLE after AUTH_SECRET was changed
 */
async function decrypted(context: Context, data: string): Promise<string> {
  try {
    return await symmetricDecrypt({ key: context.context.secretConfig, data });
  } catch {
    throw new APIError("FORBIDDEN", {
      code: "SECOND_FACTOR_UNREADABLE",
      message:
        "Your second step can no longer be checked. Sign in with a passkey, or ask an administrator " +
        "to remove it.",
    });
  }
}

interface Asked {
  readonly path?: string | undefined;
}

function isChange({ path = "" }: Asked): boolean {
  return [ENABLE, DISABLE, SHOW_SECRET, RENEW_BACKUP_CODES].includes(path);
}

function isCheck({ path = "" }: Asked): boolean {
  return [VERIFY_CODE, VERIFY_BACKUP_CODE].includes(path);
}

/** null where neither a session nor a half-done sign-in says who it is: the endpoint refuses. */
async function checkOf(context: Context): Promise<Check | null> {
  const session = await getSessionFromCtx(context, { disableRefresh: true });
  if (session !== null) return { user: session.user, enabling: true };
  const { internalAdapter, secret, createAuthCookie } = context.context;
  const challenge = await context.getSignedCookie(createAuthCookie("two_factor").name, secret);
  if (typeof challenge !== "string") return null;
  const found = await internalAdapter.findVerificationValue(challenge);
  const user = found === null ? null : await internalAdapter.findUserById(found.value);
  return user === null ? null : { user, enabling: false };
}

/**
 * Trusting a device is not the same as being remembered: the library drops the mark of a session
 * that ends with the browser, which would then be extended like any other.
 */
async function keepForgotten(context: Context): Promise<void> {
  const { secret, authCookies } = context.context;
  const { name, attributes } = authCookies.dontRememberToken;
  const mark = await context.getSignedCookie(name, secret);
  if (typeof mark === "string") await context.setSignedCookie(name, mark, secret, attributes);
}
