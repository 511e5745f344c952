/**
 * Limits the sessions of a user. The library lists and ends a hundred at most: a user with more who
 * ends all others would leave some signed in without seeing them.
 */
import type { Database } from "../../database/open-database.ts";

const SESSIONS_MAX = 100;

/**
 * Must be called after a sign-in.
 * @returns the tokens of the sessions to end: the least recently used
 */
export async function sessionsBeyondLimit({ read }: Database, userId: string): Promise<string[]> {
  const rows = await read
    .selectFrom("session")
    .select("token")
    .where("userId", "=", userId)
    .where("impersonatedBy", "is", null)
    .orderBy("updatedAt", "desc")
    .limit(SESSIONS_MAX)
    .offset(SESSIONS_MAX)
    .execute();
  return rows.map(({ token }) => token);
}
