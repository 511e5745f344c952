/**
 * Records in the database and the data directory which parts of an exchange belong together, and
 * their positions.
 */
import { randomUUID } from "node:crypto";
import { isDeepStrictEqual } from "node:util";
import type { Database } from "../database/open-database.ts";
import {
  type DirectoryRecord,
  readDirectoryRecord,
  writeDirectoryRecord,
} from "./directory-record.ts";

/**
 * Binds the database to this journal permanently.
 * @returns the database's id
 */
export async function bindDatabase(database: Database, journal: number): Promise<string> {
  return database.write.transaction().execute(async (transaction) => {
    // Another node of the exchange may do the same at this moment.
    await transaction
      .insertInto("installation")
      .values({ id: 1, database_id: randomUUID(), journal })
      .onConflict((conflict) => conflict.column("id").doNothing())
      .execute();
    const found = await transaction
      .selectFrom("installation")
      .selectAll()
      .where("id", "=", 1)
      .executeTakeFirstOrThrow();
    if (found.journal !== journal) {
      await transaction.updateTable("installation").set({ journal }).where("id", "=", 1).execute();
    }
    return found.database_id;
  });
}

/** Adds the missing fields to the data directory's record. */
export function noteInDirectory(dataDir: string, record: DirectoryRecord): void {
  if (isDeepStrictEqual(readDirectoryRecord(dataDir), record)) return;
  writeDirectoryRecord(dataDir, record);
}

/**
 * Lowers the position of the history in the directory's record to the one that the history has: a
 * migration may have emptied it. Otherwise a start that is interrupted while the history is projected
 * again would be followed by one that takes the database for an older copy.
 */
export function noteShorterHistory(dataDir: string, databaseSequence: number): void {
  const record = readDirectoryRecord(dataDir);
  if (record === undefined || record.databaseSequence <= databaseSequence) return;
  writeDirectoryRecord(dataDir, { ...record, databaseSequence });
}
