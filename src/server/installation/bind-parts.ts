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
    const found = await transaction
      .selectFrom("installation")
      .selectAll()
      .where("id", "=", 1)
      .executeTakeFirst();
    const id = found?.database_id ?? randomUUID();
    if (found === undefined) {
      const row = { id: 1, database_id: id, journal };
      await transaction.insertInto("installation").values(row).execute();
    } else if (found.journal !== journal) {
      await transaction.updateTable("installation").set({ journal }).where("id", "=", 1).execute();
    }
    return id;
  });
}

/** Adds the missing fields to the data directory's record. */
export function noteInDirectory(dataDir: string, record: DirectoryRecord): void {
  if (isDeepStrictEqual(readDirectoryRecord(dataDir), record)) return;
  writeDirectoryRecord(dataDir, record);
}
