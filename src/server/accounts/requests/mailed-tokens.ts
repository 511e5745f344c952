/** Checks a mailed token before the library consumes it. */
import type { BetterAuthPlugin } from "better-auth";
import { decodeJwt } from "jose";
import { z } from "zod";
import { onCalls, refusal, sessionOf } from "../library-calls.ts";
import { textOf } from "./fields.ts";

const emailClaim = z.object({ email: z.email() });

export function mailedTokens(): BetterAuthPlugin {
  return {
    id: "mailed-tokens",
    hooks: {
      before: [
        // The library consumes the token before it checks the owner: otherwise the first person to
        // open the link would use it up.
        onCalls(["/delete-user/callback", "/delete-user"], async (context) => {
          const token = textOf(context.query, "token") ?? textOf(context.body, "token");
          if (token === undefined) return;
          const session = await sessionOf(context);
          if (session === null) return; // The endpoint reports this error.
          const { internalAdapter } = context.context;
          const waiting = await internalAdapter.findVerificationValue(`delete-account-${token}`);
          if (waiting === null || waiting.value === session.user.id) return;
          throw refusal("NOT_FOUND", "INVALID_TOKEN", "Invalid token");
        }),
        // A token without an address would cause an internal error; the endpoint refuses an invalid
        // token.
        onCalls(["/verify-email"], async ({ query }) => {
          if (namesAddress(textOf(query, "token"))) return undefined;
          return { context: { query: { ...query, token: "invalid" } } };
        }),
      ],
    },
  };
}

/** Also true for text that is not a token: the endpoint reports its error. */
function namesAddress(token: string | undefined): boolean {
  if (token === undefined) return true;
  try {
    return emailClaim.safeParse(decodeJwt(token)).success;
  } catch {
    return true;
  }
}
