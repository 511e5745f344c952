/** The terms of a waiting order that an amendment changed, other than its price and quantity. */
import { addColumn, type AnyDatabase } from "./schema-steps.ts";

export async function up(database: AnyDatabase): Promise<void> {
  await addColumn(database, "order_changes", "waiting_terms", "");
}
