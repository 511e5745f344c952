/**
 * Whoever sits at a session that was left open does not guess its password: all calls that take it
 * share one limit for the account.
 */
import { createAuthMiddleware, getSessionFromCtx, isAPIError } from "better-auth/api";
import type { BetterAuthPlugin } from "better-auth";
import { tooManyAttempts, type AccountLimit } from "../requests/account-limit.ts";
import { hasField } from "../requests/fields.ts";

const ASKED_BY: ReadonlySet<string> = new Set([
  "/verify-password",
  "/change-password",
  "/delete-user",
  "/two-factor/enable",
  "/two-factor/disable",
  "/two-factor/get-totp-uri",
  "/two-factor/generate-backup-codes",
]);

/** @param accountLimit null where limits are switched off */
export function passwordAttempts(accountLimit: AccountLimit | null): BetterAuthPlugin {
  const matcher = ({ path = "", body }: { path?: string | undefined; body?: unknown }) =>
    accountLimit !== null &&
    ASKED_BY.has(path) &&
    (hasField(body, "password") || hasField(body, "currentPassword"));
  return {
    id: "password-attempts",
    hooks: {
      before: [
        {
          matcher,
          handler: createAuthMiddleware(async (context) => {
            const session = await getSessionFromCtx(context, { disableRefresh: true });
            if (session === null) return; // The endpoint says so.
            const waitSeconds = (await accountLimit?.attempt("password", session.user.id)) ?? null;
            if (waitSeconds !== null) throw tooManyAttempts(waitSeconds);
          }),
        },
      ],
      after: [
        {
          matcher,
          handler: createAuthMiddleware(async ({ context }) => {
            if (isAPIError(context.returned) || context.session === null) return;
            await accountLimit?.clear("password", context.session.user.id);
          }),
        },
      ],
    },
  };
}
