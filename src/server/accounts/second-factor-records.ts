/** The second factors in the database, beside what the authentication library does with them. */
import type { Database } from "../database/open-database.ts";

export interface SecondFactorRecords {
  /** Encrypted; null for somebody who has none. */
  secretOf(userId: string): Promise<string | null>;
  /**
   * Uses a time step up, and all before it. False where it was used up already; of many at the same
   * moment one succeeds.
   */
  useStep(userId: string, step: number): Promise<boolean>;
  /** Forgets the second factor. */
  remove(userId: string): Promise<void>;
}

export function createSecondFactorRecords({ read, write }: Database): SecondFactorRecords {
  return {
    async secretOf(userId) {
      const row = await read
        .selectFrom("twoFactor")
        .select("secret")
        .where("userId", "=", userId)
        .executeTakeFirst();
      return row?.secret ?? null;
    },
    async useStep(userId, step) {
      const { numUpdatedRows } = await write
        .updateTable("twoFactor")
        .set({ lastStep: step })
        .where("userId", "=", userId)
        .where((where) => where.or([where("lastStep", "is", null), where("lastStep", "<", step)]))
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },
    async remove(userId) {
      await write.deleteFrom("twoFactor").where("userId", "=", userId).execute();
    },
  };
}
