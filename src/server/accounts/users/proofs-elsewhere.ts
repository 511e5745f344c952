/**
 * Addresses that were verified by a browser that is not signed in to the account. The mailbox is
 * then proven, but not that its owner is the one who signed up: anyone may sign up with another
 * person's address, and its owner may open the mailed link without having asked for it.
 */
import { randomUUID } from "node:crypto";
import type { BetterAuthPlugin } from "better-auth";
import { storedTime } from "../../database/accounts-tables.ts";
import type { Database } from "../../database/open-database.ts";
import { sessionOf } from "../library-calls.ts";

/** A year: later the second step of a user who verified the address elsewhere survives a reset. */
const KEPT_MS = 365 * 24 * 3_600_000;

export interface ProofsElsewhere {
  readonly plugin: BetterAuthPlugin;
  /** Whether the user's address was proven elsewhere. */
  has(userId: string): Promise<boolean>;
  /** Once no claim of another person is left. */
  forget(userId: string): Promise<void>;
}

export function createProofsElsewhere(database: Database): ProofsElsewhere {
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
        // Not the user's id: rows with that are ended by a new password.
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
      id: "proofs-elsewhere",
      init: () => ({
        options: {
          databaseHooks: {
            user: {
              update: {
                after: async (user, context) => {
                  if (context?.path !== "/verify-email" || !user.emailVerified) return;
                  await forget(user.id);
                  const session = await sessionOf(context);
                  if (session?.user.id !== user.id) await keep(user.id);
                },
              },
            },
          },
        },
      }),
    },
  };
}

function identifierOf(userId: string): string {
  return `proven-elsewhere-${userId}`;
}
