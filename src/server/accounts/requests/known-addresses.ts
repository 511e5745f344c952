/**
 * Networks from which a user signed in before. Attempts from one are counted apart from those of
 * strangers, so that wrong passwords from elsewhere do not lock the owner out of a new device at
 * home. An attacker on the same network gets one more limit, not a way around it.
 */
import { createHash } from "node:crypto";
import type { Database } from "../../database/open-database.ts";
import { networkOf } from "../../limits/client-key.ts";

const DAY_MS = 86_400_000;
const KEPT_MS = 180 * DAY_MS;

/** For one state of the account: an address not yet verified then may have been another person's. */
export interface AccountState {
  readonly id: string;
  readonly email: string;
  readonly emailVerified: boolean;
}

export type KnownAddresses = ReturnType<typeof createKnownAddresses>;

export function createKnownAddresses({ read, write }: Database) {
  return {
    /** Whether that user signed in from the address's network in the last 180 days. */
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
      await write
        .deleteFrom("known_addresses")
        .where("seen_at_ms", "<=", Date.now() - KEPT_MS)
        .execute();
      await write
        .insertInto("known_addresses")
        .values({ key: keyOf(user, address), ...seen })
        .onConflict((conflict) => conflict.column("key").doUpdateSet(seen))
        .execute();
    },
  };
}

/** A digest: the table must not become a list of users' locations. */
function keyOf(user: AccountState, address: string): string {
  return createHash("sha256")
    .update(`${stateOf(user)} ${networkOf(address)}`)
    .digest("base64url");
}

/** What a known device and a known address are bound to. */
export function stateOf({ id, email, emailVerified }: AccountState): string {
  return JSON.stringify([id, email.toLowerCase(), emailVerified ? "proven" : "unproven"]);
}
