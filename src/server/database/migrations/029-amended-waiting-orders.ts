/** What an amendment changed of an order that waited, beside its price and quantity. */
import { addColumn, type AnyDatabase } from "./schema-steps.ts";

export async function up(database: AnyDatabase): Promise<void> {
  await addColumn(database, "order_changes", "waiting_terms", "");
}
