import type { Kysely } from "kysely";
import type { FullDisk } from "./full-disk.ts";
import type { Tables } from "./tables.ts";

export interface DatabaseReader {
  /** The connection for queries that never write; opened read-only on SQLite. */
  readonly read: Kysely<Tables>;
  close(): Promise<void>;
}

/** The connections that each of the two databases provides. */
export interface DatabaseConnections extends DatabaseReader {
  readonly dialect: "sqlite" | "postgres";
  /** The connection (SQLite) or connections (PostgreSQL) for all writes. */
  readonly write: Kysely<Tables>;
  /**
   * The connection for counters of attempts, which unauthenticated clients cause. On SQLite a power
   * failure may undo the last of them: flushing each to the disk would delay the other writes.
   */
  readonly counters: Kysely<Tables>;
  /** About statements of `write` and `counters`. */
  readonly fullDisk: Pick<FullDisk, "refusals">;
}
