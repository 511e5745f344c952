/** Database access to second-factor rows, beyond the authentication library's. */
import type { Database } from "../../database/open-database.ts";

export type SecondFactorRecords = ReturnType<typeof createSecondFactorRecords>;

export function createSecondFactorRecords({ read, write }: Database) {
  return {
    /** The encrypted secret and backup codes; null if the user has no second factor. */
    async find(userId: string): Promise<{ secret: string; backupCodes: string } | null> {
      const row = await read
        .selectFrom("twoFactor")
        .select(["secret", "backupCodes"])
        .where("userId", "=", userId)
        .executeTakeFirst();
      return row ?? null;
    },
    /**
     * Consumes a time step and all before it. Returns false if the step has been used already; of
     * concurrent attempts one succeeds.
     */
    async useStep(userId: string, step: number): Promise<boolean> {
      const { numUpdatedRows } = await write
        .updateTable("twoFactor")
        .set({ lastStep: step })
        .where("userId", "=", userId)
        .where((where) => where.or([where("lastStep", "is", null), where("lastStep", "<", step)]))
        .executeTakeFirst();
      return numUpdatedRows === 1n;
    },
    async remove(userId: string): Promise<void> {
      await write.deleteFrom("twoFactor").where("userId", "=", userId).execute();
    },
  };
}
