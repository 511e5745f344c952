/**
 * Limits password attempts within a session, so that an unattended session cannot be used to guess
 * its password. All calls that check the password share one limit per user.
 */
import { isAPIError } from "better-auth/api";
import type { BetterAuthPlugin } from "better-auth";
import { onCalls, sessionOf } from "../library-calls.ts";
import { tooManyAttempts, type AccountLimit } from "../requests/account-limit.ts";
import { hasField } from "../requests/fields.ts";

const PASSWORD_CALLS = [
  "/verify-password",
  "/change-password",
  "/delete-user",
  "/two-factor/enable",
  "/two-factor/disable",
  "/two-factor/get-totp-uri",
  "/two-factor/generate-backup-codes",
];

export function passwordAttempts(accountLimit: AccountLimit): BetterAuthPlugin {
  const namesPassword = (body: unknown) =>
    hasField(body, "password") || hasField(body, "currentPassword");
  return {
    id: "password-attempts",
    hooks: {
      before: [
        onCalls(PASSWORD_CALLS, async (context) => {
          if (!namesPassword(context.body)) return;
          const session = await sessionOf(context);
          if (session === null) return; // The endpoint reports this error.
          const waitSeconds = await accountLimit.attempt("password", session.user.id);
          if (waitSeconds !== null) throw tooManyAttempts(waitSeconds);
        }),
      ],
      after: [
        onCalls(PASSWORD_CALLS, async ({ body, context }) => {
          if (!namesPassword(body)) return;
          if (isAPIError(context.returned) || context.session === null) return;
          await accountLimit.clear("password", context.session.user.id);
        }),
      ],
    },
  };
}
