/**
 * Since when an order works, and the end of orders whose working order expired under its own name. When orders
 * from before were triggered is not known.
 */
import { sql } from "kysely";
import { addColumn, type AnyDatabase } from "./schema-steps.ts";

export async function up(database: AnyDatabase): Promise<void> {
  await addColumn(database, "orders", "working_since", 0);
  await sql`
    update orders set working_since = placed_at
    where waits_for = 'nothing' and trigger_ticks = 0 and list_kind in ('', 'oco')
  `.execute(database);
  // The working order has the lowest number of its list.
  await sql`
    update orders set end_reason = 'workingOrderExpired'
    where end_reason = 'listExpired' and list_kind in ('oto', 'otoco') and exists (
      select 1 from order_lists
      join orders as working on working.order_id = order_lists.first_order_id
      where order_lists.account = orders.account and order_lists.list_id = orders.list_id
        and working.status = 'expired'
    )
  `.execute(database);
}
