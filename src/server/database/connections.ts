import type { Kysely } from "kysely";
import type { Tables } from "./tables.ts";

/** A database that is only looked at. */
export interface DatabaseReader {
  /** Never changes anything; on SQLite it is opened read-only. */
  readonly read: Kysely<Tables>;
  close(): Promise<void>;
}

/** What each of the two databases brings. */
export interface DatabaseConnections extends DatabaseReader {
  readonly dialect: "sqlite" | "postgres";
  /** The connection (SQLite) or connections (PostgreSQL) for everything that changes something. */
  readonly write: Kysely<Tables>;
}
