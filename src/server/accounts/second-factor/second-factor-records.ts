/** The second factors in the database, beside what the authentication library does with them. */
import type { Database } from "../../database/open-database.ts";

export interface SecondFactorRecords {
  /** Both encrypted; null for somebody who has none. */
  find(userId: string): Promise<{ secret: string; backupCodes: string } | null>;
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
    async find(userId) {
      const row = await read
        .selectFrom("twoFactor")
        .select(["secret", "backupCodes"])
        .where("userId", "=", userId)
        .executeTakeFirst();
      return row ?? null;
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
