/**
 * Migrated schemas of one PostgreSQL database, for one test at a time. To make a schema takes longer than
 * most tests, so one that is given back is emptied and taken again, unless its test has changed more than rows.
 */
import { randomBytes } from "node:crypto";
import { Client } from "pg";
import { openDatabase } from "#server/database/open-database.ts";
import { createSilentLog } from "#server/log.ts";

/** Up to so many rows are deleted in 2 ms; to truncate fifteen tables takes 40. */
const FEW_ROWS = 500;

interface Migrated {
  readonly tables: readonly Table[];
  readonly objects: string;
}

interface Table {
  readonly name: string;
  /** What the migrations put there, as JSON. */
  readonly rows: string;
}

export class PostgresSchemas {
  readonly #databaseUrl: string;
  readonly #migrated = new Map<string, Migrated>();
  #free: string[] = [];

  constructor(databaseUrl: string) {
    this.#databaseUrl = databaseUrl;
  }

  async take(): Promise<string> {
    const free = this.#free.pop();
    if (free !== undefined) return free;
    const schema = `openbell_${randomBytes(6).toString("hex")}`;
    const { log, databaseUrl } = { log: createSilentLog(), databaseUrl: this.#databaseUrl };
    const database = await openDatabase({ databaseUrl, dataDir: "", schema, log });
    await database.migrate();
    await database.close();
    await this.#connected(schema, async (client) => {
      const objects = await objectsOf(client);
      this.#migrated.set(schema, { objects, tables: await tablesOf(client) });
    });
    return schema;
  }

  async giveBack(schema: string): Promise<void> {
    await this.#connected(schema, async (client) => {
      const migrated = this.#migrated.get(schema);
      if (migrated === undefined || (await objectsOf(client)) !== migrated.objects) {
        this.#migrated.delete(schema);
        await drop(client, schema);
        return;
      }
      await empty(client, migrated.tables);
      this.#free.push(schema);
    });
  }

  async close(): Promise<void> {
    const free = this.#free.splice(0);
    if (free.length === 0) return;
    await this.#connected(free[0], async (client) => {
      for (const schema of free) await drop(client, schema);
    });
  }

  async #connected(schema: string, work: (client: Client) => Promise<void>): Promise<void> {
    const options = `-c search_path=${schema}`;
    const client = new Client({ connectionString: this.#databaseUrl, options });
    await client.connect();
    try {
      await work(client);
    } finally {
      await client.end();
    }
  }
}

/** Everything in the schema that is no row, with what a test may change of it. */
async function objectsOf(client: Client): Promise<string> {
  const { rows } = await client.query<{ objects: string }>(`
    with relations as (
      select * from pg_catalog.pg_class where relnamespace = current_schema()::regnamespace
    ), objects as (
      select format('%s %s', oid, relname) as object from relations
      union all select format('%s %s %s %s', attrelid, attname, atttypid, attnotnull)
        from pg_catalog.pg_attribute
        where attrelid in (select oid from relations) and attnum > 0 and not attisdropped
      union all select format('%s %s %s', oid, tgname, tgenabled)
        from pg_catalog.pg_trigger where tgrelid in (select oid from relations)
      union all select format('%s %s', oid, conname)
        from pg_catalog.pg_constraint where connamespace = current_schema()::regnamespace
      union all select format('%s %s', oid, proname)
        from pg_catalog.pg_proc where pronamespace = current_schema()::regnamespace
    )
    select string_agg(object, ', ' order by object) as objects from objects`);
  return rows[0].objects;
}

async function tablesOf(client: Client): Promise<Table[]> {
  const { rows } = await client.query<{ name: string }>(
    "select quote_ident(tablename) as name from pg_catalog.pg_tables where schemaname = current_schema()",
  );
  const tables: Table[] = [];
  for (const { name } of rows) {
    const kept = await client.query<{ rows: string }>(
      `select coalesce(json_agg(kept), '[]')::text as rows from ${name} as kept`,
    );
    tables.push({ name, rows: kept.rows[0].rows });
  }
  return tables;
}

async function empty(client: Client, tables: readonly Table[]): Promise<void> {
  const counts = tables.map(
    ({ name }) => `(select count(*)::int from (select from ${name} limit ${FEW_ROWS + 1}) as rows)`,
  );
  const text = `select ${counts.join(", ")}`;
  const { rows } = await client.query<number[]>({ text, rowMode: "array" });
  const used = tables.filter((_, index) => rows[0][index] > 0);
  if (used.length === 0) return;
  const names = used.map(({ name }) => name);
  await client.query(
    rows[0].every((count) => count <= FEW_ROWS)
      ? names.map((name) => `delete from ${name}`).join(";")
      : `truncate ${names.join(", ")} cascade`,
  );
  for (const { name, rows: json } of tables) {
    if (json === "[]") continue;
    await client.query(
      `insert into ${name} overriding system value
       select * from json_populate_recordset(null::${name}, $1)`,
      [json],
    );
  }
}

async function drop(client: Client, schema: string): Promise<void> {
  await client.query(`drop schema if exists ${schema} cascade`);
}
