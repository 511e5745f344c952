/**
 * Says that an address is taken, where the rules do not hide it: the library answers a sign-up that waits
 * for a verified address, and a change of the address, as if it were free.
 */
import { APIError, createAuthMiddleware, getSessionFromCtx } from "better-auth/api";
import type { BetterAuthPlugin } from "better-auth";
import type { AccountRules } from "../../settings/account-rules.ts";
import { textOf } from "./fields.ts";

type Rules = Pick<AccountRules, "hidesTakenAtSignUp" | "hidesTakenAtChange">;

export function takenAddresses({
  hidesTakenAtSignUp,
  hidesTakenAtChange,
}: Rules): BetterAuthPlugin {
  return {
    id: "taken-addresses",
    hooks: {
      before: [
        {
          matcher: ({ path }) => path === "/sign-up/email" && !hidesTakenAtSignUp,
          handler: createAuthMiddleware(async ({ body, context }) => {
            const { emailAndPassword } = context.options;
            if (emailAndPassword?.enabled !== true || emailAndPassword.disableSignUp) return;
            const email = textOf(body, "email")?.toLowerCase() ?? "";
            if ((await context.internalAdapter.findUserByEmail(email)) === null) return;
            throw new APIError("UNPROCESSABLE_ENTITY", {
              code: "USER_ALREADY_EXISTS",
              message: "User already exists. Use another email.",
            });
          }),
        },
        {
          matcher: ({ path }) => path === "/change-email" && !hidesTakenAtChange,
          handler: createAuthMiddleware(async (given) => {
            const { body, context } = given;
            const session = await getSessionFromCtx(given, { disableRefresh: true });
            if (session === null || context.options.user?.changeEmail?.enabled !== true) return;
            const newEmail = textOf(body, "newEmail")?.toLowerCase() ?? "";
            if (newEmail === session.user.email) return;
            if ((await context.internalAdapter.findUserByEmail(newEmail)) === null) return;
            throw new APIError("BAD_REQUEST", {
              code: "COULDNT_UPDATE_YOUR_EMAIL",
              message: "Couldn't update your email",
            });
          }),
        },
      ],
    },
  };
}
