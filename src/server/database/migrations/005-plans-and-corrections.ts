/** Why a transfer was made, in whose words; and where the fees of orders and fills come from. */
import type { Kysely } from "kysely";

// oxlint-disable-next-line typescript/no-explicit-any -- a migration knows no current table types
export async function up(database: Kysely<any>): Promise<void> {
  const add = (table: string, column: string, value: string) =>
    database.schema
      .alterTable(table)
      .addColumn(column, "text", (definition) => definition.notNull().defaultTo(value))
      .execute();
  await add("activity", "reason", "");
  await add("activity", "note", "");
  // Before there were ladders and markets' own fees, every fee was the plan's.
  await add("orders", "fee_source", "plan");
  await add("fills", "fee_source", "plan");
}
