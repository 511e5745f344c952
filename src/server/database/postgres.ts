/**
 * PostgreSQL, or a database that speaks its protocol, through pg. It returns 64-bit integers as
 * text; every integer we store fits a float64, so they are read as numbers and checked.
 */
import { Kysely } from "kysely";
import { Pool, types } from "pg";
import { type Log, messageOf } from "../log.ts";
import { DatabaseError } from "./database-error.ts";
import { FullDisk } from "./full-disk.ts";
import type { StatementListener } from "./statement-listener.ts";
import type { DatabaseConnections, DatabaseReader } from "./connections.ts";
import { OwnSchemaDialect } from "./own-schema-dialect.ts";
import type { Tables } from "./tables.ts";
import { withoutPassword } from "./without-password.ts";

const WRITE_CONNECTIONS_MAX = 4;
const READ_CONNECTIONS_MAX = 8;
const CONNECT_TIMEOUT_MS = 10_000;

export async function openPostgres(
  databaseUrl: string,
  schema: string | undefined,
  log: Log,
  onStatement?: StatementListener,
): Promise<DatabaseConnections> {
  const poolOf = (connectionsMax: number) => {
    const pool = poolTo(databaseUrl, schema, connectionsMax);
    // Without a listener, losing an idle connection would end the process; the pool opens a new
    // connection.
    pool.on("error", (error) => log.warn({ error: error.message }, "database connection lost"));
    return pool;
  };
  const writePool = poolOf(WRITE_CONNECTIONS_MAX);
  try {
    if (schema !== undefined) {
      await writePool.query(`create schema if not exists ${schemaName(schema)}`);
    } else {
      await writePool.query("select 1");
    }
  } catch (error) {
    await writePool.end();
    throw connectionError(databaseUrl, error);
  }
  const readPool = poolOf(READ_CONNECTIONS_MAX);
  const fullDisk = new FullDisk(onStatement);
  const dialect = new OwnSchemaDialect({ pool: writePool });
  const write = new Kysely<Tables>({ dialect, log: fullDisk.log });
  const readDialect = new OwnSchemaDialect({ pool: readPool });
  const read = new Kysely<Tables>({ dialect: readDialect, log: onStatement });
  return {
    dialect: "postgres",
    write,
    counters: write,
    fullDisk,
    read,
    async close() {
      await Promise.all([write.destroy(), read.destroy()]);
      // Kysely does not destroy a driver that it never used.
      for (const pool of [writePool, readPool]) if (!pool.ending) await pool.end();
    },
  };
}

/** Opens the database read-only and unchanged. */
export async function openPostgresToRead(
  databaseUrl: string,
  schema: string | undefined,
): Promise<DatabaseReader> {
  const pool = poolTo(databaseUrl, schema, 1);
  pool.on("error", () => undefined);
  try {
    await pool.query("select 1");
  } catch (error) {
    await pool.end();
    throw connectionError(databaseUrl, error);
  }
  const read = new Kysely<Tables>({ dialect: new OwnSchemaDialect({ pool }) });
  return { read, close: () => read.destroy() };
}

function poolTo(databaseUrl: string, schema: string | undefined, connectionsMax: number): Pool {
  const pool = new Pool({
    connectionString: databaseUrl,
    max: connectionsMax,
    connectionTimeoutMillis: CONNECT_TIMEOUT_MS,
    application_name: "openbell",
    types: { getTypeParser },
    ...(schema === undefined ? {} : { options: `-c search_path=${schemaName(schema)}` }),
  });
  // The pool handles errors of idle connections only. A connection lost between two statements of a
  // transaction would end the thread or the process; with this listener its next statement fails,
  // which is handled.
  pool.on("connect", (client) => client.on("error", () => undefined));
  return pool;
}

function connectionError(databaseUrl: string, error: unknown): DatabaseError {
  return new DatabaseError(
    `The database at ${withoutPassword(databaseUrl)} cannot be used: ${messageOf(error)}. See that it runs, or correct its address in DATABASE_URL or --to.`,
    { cause: error },
  );
}

const INT8_TYPE_ID = 20;

function getTypeParser(typeId: number, format?: string) {
  if (typeId === INT8_TYPE_ID && format !== "binary") return parseSafeInteger;
  return types.getTypeParser(typeId, format as "text");
}

function parseSafeInteger(text: string): number {
  const value = Number(text);
  if (!Number.isSafeInteger(value)) {
    throw new DatabaseError(`The database returned ${text}, which is no exact number.`);
  }
  return value;
}

/** Schema names are inserted into statements unquoted, so only plain ones are allowed. */
function schemaName(schema: string): string {
  if (!/^[a-z_][a-z0-9_]{0,62}$/.test(schema)) {
    throw new DatabaseError(`The schema name ${JSON.stringify(schema)} is not allowed.`);
  }
  return schema;
}
