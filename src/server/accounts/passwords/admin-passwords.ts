/**
 * When an administrator sets a password, the user's sessions end, as with a reset: anyone who knew
 * the old password must not stay signed in. The administrator's own session remains.
 */
import { isAPIError } from "better-auth/api";
import type { BetterAuthPlugin } from "better-auth";
import { onCalls } from "../library-calls.ts";

export const SET_BY_ADMIN = "/admin/set-user-password";

export function adminPasswords(): BetterAuthPlugin {
  return {
    id: "admin-passwords",
    hooks: {
      after: [
        onCalls([SET_BY_ADMIN], async ({ body, context }) => {
          if (isAPIError(context.returned)) return;
          const { internalAdapter, session: own } = context;
          // The endpoint also accepts an array of one id.
          const userId = String((body as { userId?: unknown }).userId);
          for (const { token } of await internalAdapter.listSessions(userId)) {
            if (token !== own?.session.token) await internalAdapter.deleteSession(token);
          }
        }),
      ],
    },
  };
}
