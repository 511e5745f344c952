/**
 * Users whose address was verified by a browser that was not signed in as the user. This verifies
 * the mailbox, but not that its owner is the user who signed up: anyone may sign up with another
 * person's address, and its owner may open the mailed link without having asked for it. A browser
 * that opened the link and then signs in with the password verifies both.
 */
import { randomUUID } from "node:crypto";
import type { BetterAuthPlugin } from "better-auth";
import { storedTime } from "../../database/accounts-tables.ts";
import type { Database } from "../../database/open-database.ts";
import type { AccountRules } from "../../settings/account-rules.ts";
import { onCalls, refusal, sessionOf, type Call } from "../library-calls.ts";

/**
 * How long the mark lasts, a year. After that, a password reset keeps the user's linked accounts,
 * passkeys, API keys and second factor, and a provider can be linked without a reset.
 */
const KEPT_MS = 365 * 24 * 3_600_000;

/** How long the browser that opened the link has to sign in. */
const COOKIE_SECONDS = 30 * 24 * 3_600;

export interface VerifiedElsewhere {
  readonly plugin: BetterAuthPlugin;
  /** Whether the user's address was verified in another browser. */
  has(userId: string): Promise<boolean>;
  /** Called once all ways to sign in that another person may have set up are removed. */
  forget(userId: string): Promise<void>;
}

export function createVerifiedElsewhere(
  database: Database,
  rules: Pick<AccountRules, "joinsVerifiedAddresses">,
): VerifiedElsewhere {
  async function has(userId: string): Promise<boolean> {
    const found = await database.read
      .selectFrom("verification")
      .select("id")
      .where("identifier", "=", identifierOf(userId))
      .where("expiresAt", ">", storedTime(database, Date.now()))
      .executeTakeFirst();
    return found !== undefined;
  }

  async function forget(userId: string): Promise<void> {
    await database.write
      .deleteFrom("verification")
      .where("identifier", "=", identifierOf(userId))
      .execute();
  }

  async function keep(userId: string): Promise<void> {
    const nowMs = Date.now();
    const now = storedTime(database, nowMs);
    await database.write
      .insertInto("verification")
      .values({
        id: randomUUID(),
        identifier: identifierOf(userId),
        // Not the user's id, because a new password deletes verifications with that value.
        value: "elsewhere",
        expiresAt: storedTime(database, nowMs + KEPT_MS),
        createdAt: now,
        updatedAt: now,
      })
      .execute();
  }

  return {
    has,
    forget,
    plugin: {
      id: "verified-elsewhere",
      init: () => ({
        options: {
          databaseHooks: {
            account: {
              create: {
                // Another person may have signed up with this address. As with an unverified
                // address, no provider is linked before the owner resets the password.
                before: async ({ providerId, userId }, context) => {
                  if (!rules.joinsVerifiedAddresses || providerId === "credential") return;
                  if (context === null || !(await has(userId))) return;
                  const session = await sessionOf(context);
                  if (session?.user.id === userId) return;
                  throw refusal("FORBIDDEN", "account_not_linked", "The account is not linked.");
                },
              },
            },
            user: {
              update: {
                after: async (user, context) => {
                  if (context?.path !== "/verify-email" || !user.emailVerified) return;
                  await forget(user.id);
                  const session = await sessionOf(context);
                  if (session?.user.id === user.id) return;
                  await keep(user.id);
                  const { name, attributes } = cookieOf(context);
                  const { secret } = context.context;
                  await context.setSignedCookie(name, user.id, secret, attributes);
                },
              },
            },
          },
        },
      }),
      hooks: {
        after: [
          // Before the second step holds the session back: the password has been verified.
          onCalls(["/sign-in/email"], async (context) => {
            const { newSession, secret } = context.context;
            if (newSession === null || newSession === undefined) return;
            const { name } = cookieOf(context);
            const verifiedUserId = await context.getSignedCookie(name, secret);
            if (verifiedUserId === newSession.user.id) await forget(newSession.user.id);
          }),
        ],
      },
    },
  };
}

// Browsers and databases of earlier versions have these names.
function cookieOf({ context }: Call) {
  return context.createAuthCookie("proven_here", { maxAge: COOKIE_SECONDS });
}

function identifierOf(userId: string): string {
  return `proven-elsewhere-${userId}`;
}
