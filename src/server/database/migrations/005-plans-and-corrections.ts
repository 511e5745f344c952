/** Why a transfer was made, in whose words; and where the fees of orders and fills come from. */
import { addColumn, type AnyDatabase } from "./schema-steps.ts";

export async function up(database: AnyDatabase): Promise<void> {
  await addColumn(database, "activity", "reason", "");
  await addColumn(database, "activity", "note", "");
  // Before there were ladders and markets' own fees, every fee was the plan's.
  await addColumn(database, "orders", "fee_source", "plan");
  await addColumn(database, "fills", "fee_source", "plan");
}
