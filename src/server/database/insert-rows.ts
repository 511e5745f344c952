/**
 * The one place that inserts many rows at once, since the fastest way differs: for SQLite one
 * prepared statement with many rows of parameters, for PostgreSQL one array per column.
 */
import { CompiledQuery, type Kysely } from "kysely";
import { isSqlite } from "./dialect.ts";
import type { Tables } from "./tables.ts";

type Row = Readonly<Record<string, number | string>>;

/**
 * Rows per statement, largest first; only a few sizes, so that the prepared statements are reused.
 */
const SQLITE_GROUP_SIZES = [128, 16, 1];
const POSTGRES_ROWS_MAX = 10_000;

/**
 * Inserts all rows in a connection or transaction; every row has the same columns, all integers or
 * text.
 *
 * @param onConflict the clause for rows that already exist, such as `on conflict (id) do nothing`;
 * a constant of the program, never input. Within one call no two rows may conflict with each other.
 */
export async function insertRows<Table extends keyof Tables>(
  database: Kysely<Tables>,
  table: Table,
  tableRows: readonly Tables[Table][],
  onConflict = "",
): Promise<void> {
  const rows = tableRows as readonly unknown[] as readonly Row[];
  if (rows.length === 0) return;
  const columns = Object.keys(rows[0]);
  const into = `insert into ${quoted(table)} (${columns.map(quoted).join(", ")})`;
  if (isSqlite(database)) await insertIntoSqlite(database, into, columns, rows, onConflict);
  else await insertIntoPostgres(database, into, columns, rows, onConflict);
}

async function insertIntoSqlite(
  database: Kysely<Tables>,
  into: string,
  columns: readonly string[],
  rows: readonly Row[],
  onConflict: string,
): Promise<void> {
  const tuple = `(${columns.map(() => "?").join(", ")})`;
  let next = 0;
  for (const size of SQLITE_GROUP_SIZES) {
    const tuples = Array(size).fill(tuple).join(", ");
    const statement = `${into} values ${tuples} ${onConflict}`;
    for (; rows.length - next >= size; next += size) {
      const values: unknown[] = [];
      for (let index = next; index < next + size; index += 1) {
        for (const column of columns) values.push(rows[index][column]);
      }
      await database.executeQuery(CompiledQuery.raw(statement, values));
    }
  }
}

async function insertIntoPostgres(
  database: Kysely<Tables>,
  into: string,
  columns: readonly string[],
  rows: readonly Row[],
  onConflict: string,
): Promise<void> {
  for (let next = 0; next < rows.length; next += POSTGRES_ROWS_MAX) {
    const group = rows.slice(next, next + POSTGRES_ROWS_MAX);
    const arrays = columns.map((column) => columnArray(group.map((row) => row[column])));
    const parameters = arrays.map(({ type }, index) => `$${index + 1}::${type}`);
    const statement = `${into} select * from unnest(${parameters.join(", ")}) ${onConflict}`;
    const values = arrays.map((array) => array.value);
    await database.executeQuery(CompiledQuery.raw(statement, values));
  }
}

/**
 * The values of a column as one PostgreSQL array. Tables hold integers and text only, so the values
 * show the column's type.
 */
function columnArray(values: readonly (number | string)[]): {
  type: "text[]" | "bigint[]";
  value: unknown;
} {
  if (values.some((value) => typeof value === "string")) return { type: "text[]", value: values };
  // Formatted here, because pg quotes every element, which takes longer than everything else.
  return { type: "bigint[]", value: `{${values.join(",")}}` };
}

function quoted(name: string): string {
  return `"${name}"`;
}
