/**
 * Pending steps of a user outside their sessions: sign-ins that lack a code, trusted devices,
 * mailed links. A new password or address ends all that began with the old one, and signing a
 * device out ends its trust.
 */
import { isAPIError } from "better-auth/api";
import type { BetterAuthPlugin } from "better-auth";
import type { Database } from "../../database/open-database.ts";
import { onCalls } from "../library-calls.ts";
import type { AccountLimit } from "../requests/account-limit.ts";
import { textOf } from "../requests/fields.ts";
import { type Freshness, isFresh } from "../sessions/fresh-session.ts";

const CHANGE_PASSWORD = "/change-password";
const REVOKE_CALLS = ["/revoke-session", "/revoke-sessions", "/revoke-other-sessions"];
const ADMIN_CALLS = ["/admin/set-user-password", "/admin/revoke-user-sessions"];

export interface WaitingSteps {
  readonly plugin: BetterAuthPlugin;
  /**
   * Keeps the count of wrong codes: an attacker with the mailbox or a session could otherwise get new
   * guesses with every reset, every change of an unverified address, every device that is signed out.
   */
  end(userId: string): Promise<void>;
  /**
   * Also resets that count. Only for cases in which this gives an attacker nothing: the old
   * password no longer works, or they could disable the second factor anyway.
   */
  endWithGuesses(userId: string): Promise<void>;
}

/** @param accountLimit null if limits are disabled */
export function createWaitingSteps(
  { write }: Database,
  freshness: Freshness,
  accountLimit: AccountLimit | null,
): WaitingSteps {
  const addressChanges = new WeakSet<object>();

  async function end(userId: string): Promise<void> {
    await write.deleteFrom("verification").where("value", "=", userId).execute();
  }

  async function endWithGuesses(userId: string): Promise<void> {
    await end(userId);
    await write
      .updateTable("twoFactor")
      .set({ failedVerificationCount: 0, lockedUntil: null })
      .where("userId", "=", userId)
      .execute();
    await accountLimit?.clear("secondFactor", userId);
    await accountLimit?.clear("secondFactorOfDay", userId);
  }

  const plugin: BetterAuthPlugin = {
    id: "waiting-steps",
    init: () => ({
      options: {
        databaseHooks: {
          user: {
            update: {
              before: async (change, context) => {
                if (context !== null && change.email !== undefined) addressChanges.add(context);
              },
              after: async (user: { id: string } | null, context) => {
                if (user !== null && context !== null && addressChanges.has(context)) {
                  await end(user.id);
                }
              },
            },
          },
        },
      },
    }),
    hooks: {
      after: [
        onCalls(REVOKE_CALLS, async ({ context }) => {
          if (isAPIError(context.returned) || context.session === null) return;
          await end(context.session.user.id);
        }),
        onCalls([CHANGE_PASSWORD], async ({ context }) => {
          if (isAPIError(context.returned) || context.session === null) return;
          const { session, user } = context.session;
          // A fresh session with the password could disable the second factor anyway, so resetting
          // the count of wrong codes gives an attacker nothing.
          await (isFresh(freshness, session) ? endWithGuesses(user.id) : end(user.id));
        }),
        onCalls(ADMIN_CALLS, async ({ body, context }) => {
          if (isAPIError(context.returned)) return;
          const userId = textOf(body, "userId");
          if (userId !== undefined) await endWithGuesses(userId);
        }),
      ],
    },
  };
  return { plugin, end, endWithGuesses };
}
