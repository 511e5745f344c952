/** The reason and the note of transfers, and the source of the fees of orders and fills. */
import { addColumn, type AnyDatabase } from "./schema-steps.ts";

export async function up(database: AnyDatabase): Promise<void> {
  await addColumn(database, "activity", "reason", "");
  await addColumn(database, "activity", "note", "");
  // Before volume ladders and markets' own fees existed, every fee was the plan's.
  await addColumn(database, "orders", "fee_source", "plan");
  await addColumn(database, "fills", "fee_source", "plan");
}
