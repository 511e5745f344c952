import type { Kysely } from "kysely";
import type { Tables } from "./tables.ts";

export interface DatabaseReader {
  /** Never writes; on SQLite it is opened read-only. */
  readonly read: Kysely<Tables>;
  close(): Promise<void>;
}

/** What each of the two databases provides. */
export interface DatabaseConnections extends DatabaseReader {
  readonly dialect: "sqlite" | "postgres";
  /** The connection (SQLite) or connections (PostgreSQL) for all writes. */
  readonly write: Kysely<Tables>;
}
