/**
 * Recognizes, for a day after a deletion, that a new user has a deleted user's address, so that
 * daily grants cannot be claimed again by deleting the user and signing up again. No address is stored:
 * only its HMAC under the server's secret, which is deleted after a day.
 *
 * Anyone can sign up with any address without verifying it. Therefore a deleted user counts only
 * for users who signed up after the deletion, and only a few per address are remembered: the
 * newest, and those who had a grant before those who had none, so that no number of deletions makes
 * a grant forgotten.
 */
import { createHmac } from "node:crypto";
import type { Database } from "../../database/open-database.ts";

const KEPT_MS = 86_400_000;
const KEPT_OF_ADDRESS = 16;

interface FormerUser {
  readonly id: string;
  readonly deletedAtMs: number;
}

export type FormerUsers = ReturnType<typeof createFormerUsers>;

/** @param hadGrant whether a user, deleted or not, has ever received the daily grant */
export function createFormerUsers(
  database: Database,
  secret: string,
  hadGrant: (userId: string) => boolean = () => false,
) {
  const users = new Map<string, FormerUser[]>();
  let loading: Promise<void> | undefined;

  /** The HMAC that is stored for an address. */
  function digestOf(email: string): string {
    return createHmac("sha256", secret)
      .update(`former user ${comparable(email)}`)
      .digest("base64url");
  }

  /** Remembers a user about to be deleted; deleted-users.ts stores the same in the database. */
  function add(digest: string, user: FormerUser): void {
    const others = (users.get(digest) ?? []).filter(({ id }) => id !== user.id);
    const known = [...others, user];
    if (known.length > KEPT_OF_ADDRESS) {
      known.splice(
        Math.max(
          0,
          known.findIndex(({ id }) => !hadGrant(id)),
        ),
        1,
      );
    }
    users.set(digest, known);
  }

  /** @param userId absent for all users */
  async function read(userId?: string): Promise<void> {
    const rows = await database.read
      .selectFrom("deleted_users")
      .select(["id", "deleted_at_ms", "address_digest"])
      .where("address_digest", "is not", null)
      .$if(userId !== undefined, (select) => select.where("id", "=", userId ?? ""))
      .orderBy("deleted_at_ms")
      .execute();
    for (const { id, deleted_at_ms: deletedAtMs, address_digest: digest } of rows) {
      if (digest !== null) add(digest, { id, deletedAtMs });
    }
  }

  return {
    digestOf,
    add,
    /**
     * Ids of users with the same address who were deleted within the last day, before this user
     * signed up. Valid only once `load` has resolved.
     */
    before({
      email,
      createdAtMs,
    }: {
      readonly email: string;
      readonly createdAtMs: number;
    }): string[] {
      // Usually there are none, and the HMAC need not be computed.
      if (users.size === 0) return [];
      return (users.get(digestOf(email)) ?? [])
        .filter(({ deletedAtMs }) => deletedAtMs <= createdAtMs)
        .map(({ id }) => id);
    },
    /** Loads the records of earlier processes, once. @throws Error of the database; may be retried */
    async load(): Promise<void> {
      loading ??= read();
      try {
        await loading;
      } catch (error) {
        loading = undefined;
        throw error;
      }
    },
    /** Another node may have deleted the user. @throws Error of the database */
    changedElsewhere: (userId: string) => read(userId),
    /** Forgets users deleted more than a day ago. @throws Error of the database */
    async forget(nowMs: number): Promise<void> {
      const untilMs = nowMs - KEPT_MS;
      const isOver = ({ deletedAtMs }: FormerUser): boolean => deletedAtMs <= untilMs;
      if (![...users.values()].flat().some(isOver)) return;
      await database.write
        .updateTable("deleted_users")
        .set({ address_digest: null })
        .where("address_digest", "is not", null)
        .where("deleted_at_ms", "<=", untilMs)
        .execute();
      for (const [digest, sameAddress] of users) {
        const kept = sameAddress.filter((user) => !isOver(user));
        if (kept.length === 0) users.delete(digest);
        else users.set(digest, kept);
      }
    },
  };
}

/**
 * Normalizes addresses that usually reach one mailbox: lower case, without dots and without a "+"
 * suffix before the "@". If a provider does distinguish them, one of two people waits at most a
 * day.
 */
function comparable(email: string): string {
  const address = email.trim().toLowerCase();
  const at = address.lastIndexOf("@");
  const mailbox = address.slice(0, at).split("+", 1)[0].replaceAll(".", "");
  return mailbox + address.slice(at);
}
