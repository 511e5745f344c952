/** The kind of the list to which an order belongs, in addition to the list's number. */
import { sql } from "kysely";
import { addColumn, type AnyDatabase } from "./schema-steps.ts";

export async function up(database: AnyDatabase): Promise<void> {
  await addColumn(database, "orders", "list_kind", "");
  await sql`
    update orders set list_kind = (
      select kind from order_lists where order_lists.account = orders.account and order_lists.list_id = orders.list_id
    )
    where list_id <> 0 and exists (
      select 1 from order_lists where order_lists.account = orders.account and order_lists.list_id = orders.list_id
    )
  `.execute(database);
}
