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

const USER_CALLS: ReadonlySet<string> = new Set([
  "/change-password",
  "/revoke-session",
  "/revoke-sessions",
  "/revoke-other-sessions",
]);
const ADMIN_CALLS = ["/admin/set-user-password", "/admin/revoke-user-sessions"];

export interface WaitingSteps {
  readonly plugin: BetterAuthPlugin;
  /**
   * Also clears the count of wrong codes: whoever entered them cannot continue with the old
   * password.
   */
  end(userId: string): Promise<void>;
  /**
   * Keeps the count of wrong codes: whoever controls the mailbox could otherwise get new guesses
   * with every reset.
   */
  endAtReset(userId: string): Promise<void>;
}

/** @param accountLimit null if limits are switched off */
export function createWaitingSteps(
  { write }: Database,
  accountLimit: AccountLimit | null,
): WaitingSteps {
  const addressChanges = new WeakSet<object>();

  async function endAtReset(userId: string): Promise<void> {
    await write.deleteFrom("verification").where("value", "=", userId).execute();
  }

  async function end(userId: string): Promise<void> {
    await endAtReset(userId);
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
        onCalls([...USER_CALLS, ...ADMIN_CALLS], async ({ path, body, context }) => {
          if (isAPIError(context.returned)) return;
          const own = context.session?.user.id;
          const userId = USER_CALLS.has(path) ? own : textOf(body, "userId");
          if (userId !== undefined) await end(userId);
        }),
      ],
    },
  };
  return { plugin, end, endAtReset };
}
