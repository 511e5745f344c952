/** What changed each order during its life; of orders before it, a rebuilt history knows. */
import { sql, type CreateTableBuilder, type Kysely } from "kysely";
import { isSqlite } from "../dialect.ts";

// oxlint-disable-next-line typescript/no-explicit-any -- a migration knows no current table types
export async function up(database: Kysely<any>): Promise<void> {
  const integers = [
    "account",
    "order_id",
    "sequence",
    "position",
    "price_ticks",
    "quantity_lots",
    "previous_price_ticks",
    "previous_quantity_lots",
    "market_ticks",
    "kept_place",
    "time",
  ];
  let table: CreateTableBuilder<string, string> = database.schema.createTable("order_changes");
  for (const name of integers) table = table.addColumn(name, "bigint", (c) => c.notNull());
  for (const name of ["kind", "cause"]) table = table.addColumn(name, "text", (c) => c.notNull());
  table = table.addPrimaryKeyConstraint("order_changes_key", [
    "account",
    "order_id",
    "sequence",
    "position",
  ]);
  if (isSqlite(database)) table = table.modifyEnd(sql`without rowid`);
  await table.execute();
}
