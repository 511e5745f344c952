/** An index for finding an order by its client order id. */
import { type AnyDatabase, createIndex } from "./schema-steps.ts";

export async function up(database: AnyDatabase): Promise<void> {
  const columns = ["account", "client_order_id", "order_id"];
  await createIndex(database, "orders_by_account_client_order_id", "orders", columns);
}
