/**
 * Reports that an address is taken, unless the settings hide it. For a sign-up that requires
 * verification and for a change of address, the library answers as if the address were free.
 */
import type { BetterAuthPlugin } from "better-auth";
import type { AccountRules } from "../../settings/account-rules.ts";
import { onCalls, refusal, sessionOf } from "../library-calls.ts";
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
        onCalls(hidesTakenAtSignUp ? [] : ["/sign-up/email"], async ({ body, context }) => {
          const { emailAndPassword } = context.options;
          if (emailAndPassword?.enabled !== true || emailAndPassword.disableSignUp) return;
          const email = textOf(body, "email")?.toLowerCase() ?? "";
          if ((await context.internalAdapter.findUserByEmail(email)) === null) return;
          const message = "User already exists. Use another email.";
          throw refusal("UNPROCESSABLE_ENTITY", "USER_ALREADY_EXISTS", message);
        }),
        onCalls(hidesTakenAtChange ? [] : ["/change-email"], async (given) => {
          const { body, context } = given;
          const session = await sessionOf(given);
          if (session === null || context.options.user?.changeEmail?.enabled !== true) return;
          const newEmail = textOf(body, "newEmail")?.toLowerCase() ?? "";
          if (newEmail === session.user.email) return;
          if ((await context.internalAdapter.findUserByEmail(newEmail)) === null) return;
          const message = "Couldn't update your email";
          throw refusal("BAD_REQUEST", "COULDNT_UPDATE_YOUR_EMAIL", message);
        }),
      ],
    },
  };
}
