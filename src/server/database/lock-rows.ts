/**
 * Locks by which the transactions of several nodes decide one after another, such as whether a user
 * may have one more of something. On SQLite nothing is to be done: a transaction has the only lock
 * from its beginning.
 */
import type { Kysely } from "kysely";
import { isSqlite } from "./dialect.ts";
import type { Tables } from "./tables.ts";

/** Until the transaction ends, others that lock one of these users wait. */
export async function lockUsers(
  transaction: Kysely<Tables>,
  userIds: readonly string[],
): Promise<void> {
  if (isSqlite(transaction) || userIds.length === 0) return;
  await transaction
    .selectFrom("user")
    .select("id")
    .where("id", "in", userIds)
    // In one order, so that two transactions do not wait for each other.
    .orderBy("id")
    // Unlike `for update`, this lets rows be inserted that refer to the user.
    .forNoKeyUpdate()
    .execute();
}
