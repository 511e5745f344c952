/** Fields of the further order types, and why each order ended. */
import { addColumn, type AnyDatabase } from "./schema-steps.ts";

export async function up(database: AnyDatabase): Promise<void> {
  await addColumn(database, "orders", "conditions", "");
  await addColumn(database, "orders", "waits_for", "nothing");
  // Orders that ended before reasons were recorded have none.
  await addColumn(database, "orders", "end_reason", "");
  await addColumn(database, "orders", "list_id", 0);
  await addColumn(database, "orders", "trigger_ticks", 0);
}
