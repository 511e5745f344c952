/**
 * Runs a suite once on SQLite and once on PostgreSQL. Where no PostgreSQL is reachable its suite is
 * reported as skipped; with REQUIRE_POSTGRES=1 that is a failure instead.
 */
import { mkdtemp, rm } from "node:fs/promises";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { Client } from "pg";
import { afterAll, afterEach, describe, expect, test } from "vitest";
import { openDatabase, type Database } from "#server/database/open-database.ts";
import { createSilentLog } from "#server/log.ts";
import { copyPrepared } from "../support/prepared-directory.ts";
import { isFull } from "../support/run-counts.ts";
import { PostgresSchemas } from "./postgres-schemas.ts";

/** The database that the schemas of the tests are in. */
export const postgresUrl =
  process.env.DATABASE_URL_TEST ?? "postgres://postgres@127.0.0.1:5432/test";

/**
 * Opens a migrated database of the test's own, empty but for what the migrations put there. It is
 * closed and removed after the test. Called again with a database, it opens the same one again.
 */
export type OpenTestDatabase = (sameAs?: Pick<Database, "location">) => Promise<Database>;

export function describeEachDatabase(
  name: string,
  suite: (open: OpenTestDatabase, dialect: Database["dialect"]) => void,
): void {
  describe(`${name} on SQLite`, () => {
    suite(openerOf(undefined), "sqlite");
  });
  describeOnPostgres(name, (open) => suite(open, "postgres"));
}

/** For what needs PostgreSQL. */
export function describeOnPostgres(name: string, suite: (open: OpenTestDatabase) => void): void {
  if (unreachable === undefined) {
    describe(`${name} on PostgreSQL`, () => {
      suite(openerOf(postgresUrl));
    });
  } else if (process.env.REQUIRE_POSTGRES === "1") {
    test(`${name} on PostgreSQL`, () => {
      expect.fail(`PostgreSQL is required and cannot be reached: ${unreachable}`);
    });
  } else {
    describe.skip(`${name} on PostgreSQL (skipped: no PostgreSQL is reachable)`, () => {
      suite(openerOf(postgresUrl));
    });
  }
}

/** For rules that no database decides: on SQLite, and in full on PostgreSQL as well. */
export function describeShareOfDatabases(
  name: string,
  suite: (open: OpenTestDatabase, dialect: Database["dialect"]) => void,
): void {
  if (isFull) describeEachDatabase(name, suite);
  else describe(`${name} on SQLite`, () => suite(openerOf(undefined), "sqlite"));
}

/** For what is the same whatever the database is. */
export function describeOnSqlite(name: string, suite: (open: OpenTestDatabase) => void): void {
  describe(`${name} on SQLite`, () => suite(openerOf(undefined)));
}

const unreachable = await whyUnreachable();

async function whyUnreachable(): Promise<string | undefined> {
  const client = new Client({ connectionString: postgresUrl, connectionTimeoutMillis: 3_000 });
  try {
    await client.connect();
    await client.query("select 1");
    return undefined;
  } catch (error) {
    return error instanceof Error ? error.message || error.name : String(error);
  } finally {
    await client.end().catch(() => undefined);
  }
}

function openerOf(databaseUrl: string | undefined): OpenTestDatabase {
  const opened: Database[] = [];
  const schemas = databaseUrl === undefined ? undefined : new PostgresSchemas(databaseUrl);
  afterEach(async () => {
    const places = new Map(opened.map(({ location }) => [placeOf(location), location]));
    // A test may have closed its database itself; closing again does nothing.
    await Promise.all(opened.map((database) => database.close()));
    opened.length = 0;
    for (const { dataDir, schema } of places.values()) {
      if (schema !== undefined) await schemas?.giveBack(schema);
      // A process that writes a snapshot may outlive its exchange for a moment.
      await rm(dataDir, { recursive: true, force: true, maxRetries: 20 });
    }
  });
  afterAll(() => schemas?.close());
  return async (sameAs) => {
    const location = sameAs?.location ?? {
      databaseUrl,
      dataDir: await mkdtemp(join(tmpdir(), "openbell-database-")),
      schema: await schemas?.take(),
    };
    const { dataDir } = location;
    if (sameAs === undefined && schemas === undefined) {
      await copyPrepared("database", dataDir, makeMigratedFile);
    }
    const database = await openDatabase({ ...location, log: createSilentLog() });
    opened.push(database);
    return database;
  };
}

async function makeMigratedFile(dataDir: string): Promise<void> {
  const database = await openDatabase({ dataDir, log: createSilentLog() });
  await database.migrate();
  await database.close();
}

function placeOf({ dataDir, schema }: Database["location"]): string {
  return `${dataDir} ${schema}`;
}
