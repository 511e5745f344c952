/**
 * Steps that several migrations share. A migration knows no current table types, so none is named
 * here.
 */
import { type ColumnDataType, type CreateTableBuilder, type Kysely, sql } from "kysely";
import { isSqlite } from "../dialect.ts";

// oxlint-disable-next-line typescript/no-explicit-any -- a migration knows no current table types
export type AnyDatabase = Kysely<any>;

type StoredType = "text" | "integer" | "bigint" | "flag" | "time";
/** Column types by name; a question mark allows null. */
type Columns = Readonly<Record<string, StoredType | `${StoredType}?`>>;

/**
 * The first column is the primary key. Flags and times have the types that the authentication
 * library expects of each database; a row with a `userId` is deleted with its user.
 */
export async function createTable(
  database: AnyDatabase,
  table: string,
  columns: Columns,
): Promise<void> {
  const [flag, time]: ColumnDataType[] = isSqlite(database)
    ? ["integer", "date"]
    : ["boolean", "timestamptz"];
  const types: Record<StoredType, ColumnDataType> = {
    text: "text",
    integer: "integer",
    bigint: "bigint",
    flag,
    time,
  };
  const [key] = Object.keys(columns);
  let builder = database.schema.createTable(table);
  for (const [name, stored] of Object.entries(columns)) {
    const type = types[stored.replace("?", "") as StoredType];
    builder = builder.addColumn(name, type, (column) => {
      if (stored.endsWith("?")) return column;
      if (name === key) return column.notNull().primaryKey();
      const required = column.notNull();
      return name === "userId" ? required.references("user.id").onDelete("cascade") : required;
    });
  }
  await builder.execute();
}

/** Creates a table of the history, in which no value is ever null. */
export async function createHistoryTable(
  database: AnyDatabase,
  table: string,
  integers: readonly string[],
  texts: readonly string[],
  key: readonly string[],
): Promise<void> {
  let builder: CreateTableBuilder<string, string> = database.schema.createTable(table);
  for (const name of integers) builder = builder.addColumn(name, "bigint", (c) => c.notNull());
  for (const name of texts) builder = builder.addColumn(name, "text", (c) => c.notNull());
  builder = builder.addPrimaryKeyConstraint(`${table}_key`, [...key]);
  // Rows are stored in the order of their key, which halves the space and lets a page be read in
  // one pass.
  if (isSqlite(database)) builder = builder.modifyEnd(sql`without rowid`);
  await builder.execute();
}

export async function createIndex(
  database: AnyDatabase,
  name: string,
  table: string,
  columns: readonly string[],
  isUnique = false,
): Promise<void> {
  const builder = database.schema
    .createIndex(name)
    .on(table)
    .columns([...columns]);
  await (isUnique ? builder.unique() : builder).execute();
}

/** Adds a column, for which existing rows get a value, too. */
export async function addColumn(
  database: AnyDatabase,
  table: string,
  name: string,
  value: string | number,
): Promise<void> {
  const type = typeof value === "string" ? "text" : "bigint";
  await database.schema
    .alterTable(table)
    .addColumn(name, type, (column) => column.notNull().defaultTo(value))
    .execute();
}
