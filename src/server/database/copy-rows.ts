/**
 * Copies a table's rows from one database to another, and computes digests of tables by which the two
 * can be compared. SQLite and PostgreSQL store flags and times in different types; everything else is
 * the same.
 */
import { createHash } from "node:crypto";
import { type Kysely, sql } from "kysely";
import { isSqlite } from "./dialect.ts";
import type { Tables } from "./tables.ts";

/** With the widest table, stays within SQLite's limit of parameters. */
const ROWS_PER_STATEMENT = 500;
const PARAMETERS_MAX = 30_000;

type Value = string | number | boolean | Date | null;
type Row = Readonly<Record<string, Value>>;
type Kind = "flag" | "time" | "plain";

export interface TableShape {
  readonly name: string;
  /** The columns of the primary key, in its order. */
  readonly key: readonly string[];
  /** By name, sorted alphabetically. */
  readonly columns: ReadonlyMap<string, Kind>;
}

export interface TableDigest {
  readonly rows: number;
  /** The sum of a hash of each row: independent of their order, which depends on collations. */
  readonly hash: string;
}

/** The tables of a migrated PostgreSQL database, whose types distinguish flags and times from other columns. */
export async function tableShapes(postgres: Kysely<Tables>): Promise<TableShape[]> {
  const keys = await sql<{ table: string; column: string }>`
    select relations.relname as table, columns.attname as column
    from pg_catalog.pg_index as indexes
    join pg_catalog.pg_class as relations on relations.oid = indexes.indrelid
    cross join unnest(indexes.indkey::int[]) with ordinality as parts (number, position)
    join pg_catalog.pg_attribute as columns
      on columns.attrelid = relations.oid and columns.attnum = parts.number
    where indexes.indisprimary and relations.relnamespace = current_schema()::regnamespace
    order by relations.relname, parts.position`.execute(postgres);
  const keyOf = Map.groupBy(keys.rows, ({ table }) => table);
  const tables = await postgres.introspection.getTables();
  return tables.map(({ name, columns }) => {
    const key = (keyOf.get(name) ?? []).map(({ column }) => column);
    if (key.length === 0) throw new Error(`The table ${name} has no primary key.`);
    const kinds = columns.map(({ name: column, dataType }) => [column, kindOf(dataType)] as const);
    return { name, key, columns: new Map(kinds.toSorted(([a], [b]) => (a < b ? -1 : 1))) };
  });
}

function kindOf(dataType: string): Kind {
  if (dataType === "bool") return "flag";
  return dataType === "timestamptz" ? "time" : "plain";
}

/** Replaces the target's rows with the source's. */
export async function copyRows(
  shape: TableShape,
  source: Kysely<Tables>,
  target: Kysely<Tables>,
): Promise<void> {
  const table = sql.table(shape.name);
  await sql`delete from ${table}`.execute(target);
  const columns = sql.join([...shape.columns.keys()].map((name) => sql.ref(name)));
  const toTarget = isSqlite(target) ? asStoredBySqlite : asStoredByPostgres;
  for await (const rows of pagesOf(shape, source)) {
    const tuples = rows.map(
      (row) =>
        sql`(${sql.join([...shape.columns].map(([name, kind]) => toTarget(kind, row[name])))})`,
    );
    await sql`insert into ${table} (${columns}) values ${sql.join(tuples)}`.execute(target);
  }
}

export async function digestOf(
  { name, key, columns }: TableShape,
  database: Kysely<Tables>,
): Promise<TableDigest> {
  let count = 0;
  let sum = 0n;
  for await (const rows of pagesOf({ name, key, columns }, database)) {
    for (const row of rows) {
      const values = [...columns].map(([column, kind]) => asStoredBySqlite(kind, row[column]));
      const hash = createHash("sha256").update(JSON.stringify(values)).digest("hex");
      sum = BigInt.asUintN(256, sum + BigInt(`0x${hash}`));
    }
    count += rows.length;
  }
  return { rows: count, hash: sum.toString(16).padStart(64, "0") };
}

/** All rows by primary key, a page at a time. */
async function* pagesOf(
  { name, key, columns }: TableShape,
  database: Kysely<Tables>,
): AsyncGenerator<readonly Row[]> {
  const limit = Math.min(ROWS_PER_STATEMENT, Math.floor(PARAMETERS_MAX / columns.size));
  const keyColumns = sql.join(key.map((column) => sql.ref(column)));
  for (let last: Row | undefined; ;) {
    const after = last;
    const beyond =
      after === undefined
        ? sql``
        : sql`where (${keyColumns}) > (${sql.join(key.map((column) => after[column]))})`;
    const page = await sql<Row>`
      select * from ${sql.table(name)} ${beyond} order by ${keyColumns} limit ${sql.lit(limit)}
    `.execute(database);
    if (page.rows.length > 0) yield page.rows;
    if (page.rows.length < limit) return;
    last = page.rows.at(-1);
  }
}

function asStoredBySqlite(kind: Kind, value: Value): string | number | null {
  if (value === null) return null;
  if (kind === "flag") return Number(value);
  if (kind === "time") return new Date(value as string | Date).toISOString();
  return value as string | number;
}

function asStoredByPostgres(kind: Kind, value: Value): Value {
  if (value === null) return null;
  if (kind === "flag") return Boolean(value);
  return kind === "time" ? new Date(value as string | Date) : value;
}
