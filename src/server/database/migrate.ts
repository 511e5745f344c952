/** Runs the numbered migrations of ./migrations, each in a separate transaction. */
import { sql, type Kysely } from "kysely";
import { Migrator } from "kysely/migration";
import { type Log, messageOf } from "../log.ts";
import { MigrationError } from "./database-error.ts";
import { isSqlite } from "./dialect.ts";
import { migrations } from "./migrations/list.ts";
import type { Tables } from "./tables.ts";

/** @throws MigrationError naming the migration that failed. */
export async function migrateToLatest(write: Kysely<Tables>, log: Log): Promise<void> {
  const migrator = new Migrator({
    db: write,
    provider: { getMigrations: async () => migrations },
    // Kysely looks for its own tables in all schemas; ours are in a single schema.
    migrationTableSchema: isSqlite(write) ? undefined : await currentSchema(write),
  });
  const { error, results = [] } = await migrator.migrateToLatest();
  const done = results.filter(({ status }) => status === "Success");
  if (done.length > 0) {
    // A new database has all of them.
    const migrations = done.map(({ migrationName }) => migrationName);
    log.info({ count: migrations.length, newest: migrations.at(-1) }, "database migrated");
    log.debug({ migrations }, "migrations");
  }
  for (const { migrationName, status } of results) {
    if (status === "Error") {
      throw new MigrationError(`The migration ${migrationName} failed: ${messageOf(error)}`, {
        cause: error,
      });
    }
  }
  if (error !== undefined) {
    throw new MigrationError(`The database cannot be migrated: ${messageOf(error)}`, {
      cause: error,
    });
  }
}

async function currentSchema(write: Kysely<Tables>): Promise<string> {
  const { rows } = await sql<{ name: string }>`select current_schema() as name`.execute(write);
  return rows[0].name;
}
