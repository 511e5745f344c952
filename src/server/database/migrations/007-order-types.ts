/** What orders of every type have beside the plain ones, and why each order ended. */
import type { Kysely } from "kysely";

// oxlint-disable-next-line typescript/no-explicit-any -- a migration knows no current table types
export async function up(database: Kysely<any>): Promise<void> {
  const addText = (column: string, value: string) =>
    database.schema
      .alterTable("orders")
      .addColumn(column, "text", (definition) => definition.notNull().defaultTo(value))
      .execute();
  const addInteger = (column: string) =>
    database.schema
      .alterTable("orders")
      .addColumn(column, "bigint", (definition) => definition.notNull().defaultTo(0))
      .execute();
  await addText("conditions", "");
  await addText("waits_for", "nothing");
  // Of orders that ended before there were reasons none is known.
  await addText("end_reason", "");
  await addInteger("list_id");
  await addInteger("trigger_ticks");
}
