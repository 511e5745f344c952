/** How far the journal is projected into the tables. */
import type { Kysely } from "kysely";
import type { Tables } from "../database/tables.ts";

export interface Progress {
  readonly sequence: number;
  /** Timestamp of `sequence`, 0 if unknown. */
  readonly time: number;
  /** Timestamp of sequence 1. */
  readonly originTime: number;
}

export async function readProgress(database: Kysely<Tables>): Promise<Progress> {
  const row = await database
    .selectFrom("history_progress")
    .selectAll()
    .where("id", "=", 1)
    .executeTakeFirstOrThrow();
  return { sequence: row.sequence, time: row.time, originTime: row.origin_time };
}
