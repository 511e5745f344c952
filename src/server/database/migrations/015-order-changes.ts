/**
 * The changes of each order during its life. Changes before this migration appear once the history is
 * rebuilt.
 */
import { type AnyDatabase, createHistoryTable } from "./schema-steps.ts";

export async function up(database: AnyDatabase): Promise<void> {
  const integers =
    "account order_id sequence position price_ticks quantity_lots previous_price_ticks " +
    "previous_quantity_lots market_ticks kept_place time";
  const key = ["account", "order_id", "sequence", "position"];
  await createHistoryTable(database, "order_changes", integers.split(" "), ["kind", "cause"], key);
}
