/**
 * Networks from which a user has signed in before. Attempts from a known network are counted apart
 * from those of unknown networks, so that wrong passwords from elsewhere do not lock the owner out of
 * a new device at home. An attacker on the same network gets one more limit, not a way around it.
 */
import { createHash } from "node:crypto";
import type { Database } from "../../database/open-database.ts";
import { networkOf } from "../../limits/client-key.ts";

const DAY_MS = 86_400_000;
const KEPT_MS = 180 * DAY_MS;
/** Many more than a sign-in adds, and few enough not to delay other writes. */
const FORGOTTEN_PER_WRITE = 100;

/**
 * Known addresses are bound to this state: a user with an unverified email address may have been
 * someone else.
 */
export interface AccountState {
  readonly id: string;
  readonly email: string;
  readonly emailVerified: boolean;
}

export type KnownAddresses = ReturnType<typeof createKnownAddresses>;

export function createKnownAddresses({ read, write }: Database) {
  return {
    /** Whether the user has signed in from the address's network in the last 180 days. */
    async isKnown(user: AccountState, address: string): Promise<boolean> {
      const found = await read
        .selectFrom("known_addresses")
        .select("key")
        .where("key", "=", keyOf(user, address))
        .where("seen_at_ms", ">", Date.now() - KEPT_MS)
        .executeTakeFirst();
      return found !== undefined;
    },
    async remember(user: AccountState, address: string): Promise<void> {
      const seen = { seen_at_ms: Date.now() };
      const oldest = write
        .selectFrom("known_addresses")
        .select("key")
        .where("seen_at_ms", "<=", Date.now() - KEPT_MS)
        .orderBy("seen_at_ms")
        .limit(FORGOTTEN_PER_WRITE);
      await write.deleteFrom("known_addresses").where("key", "in", oldest).execute();
      await write
        .insertInto("known_addresses")
        .values({ key: keyOf(user, address), ...seen })
        .onConflict((conflict) => conflict.column("key").doUpdateSet(seen))
        .execute();
    },
  };
}

/** A digest, because the table must not become a list of users' locations. */
function keyOf(user: AccountState, address: string): string {
  return createHash("sha256")
    .update(`${stateOf(user)} ${networkOf(address)}`)
    .digest("base64url");
}

/** The state that known devices and known addresses are bound to. */
export function stateOf({ id, email, emailVerified }: AccountState): string {
  return JSON.stringify([id, email.toLowerCase(), emailVerified ? "proven" : "unproven"]);
}
