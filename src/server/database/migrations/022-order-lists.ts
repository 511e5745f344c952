/**
 * Lists of orders as they were placed. Earlier lists cannot be derived from stored rows, so the
 * history is emptied: the start that follows replays the whole journal anyway and rebuilds the history.
 */
import { type AnyDatabase, createHistoryTable, createIndex } from "./schema-steps.ts";

const PROJECTED = [
  "orders",
  "order_changes",
  "fills",
  "trades",
  "ledger_entries",
  "candles",
  "activity",
];

export async function up(database: AnyDatabase): Promise<void> {
  const integers = [
    "account",
    "list_id",
    "market_id",
    "first_order_id",
    "order_count",
    "placed_at",
  ];
  const texts = ["kind", "client_list_id"];
  await createHistoryTable(database, "order_lists", integers, texts, ["account", "list_id"]);
  const named = ["account", "client_list_id", "list_id"];
  await createIndex(database, "order_lists_by_account_client_list_id", "order_lists", named);
  for (const table of PROJECTED) await database.deleteFrom(table).execute();
  await database
    .updateTable("history_progress")
    .set({ sequence: 0, time: 0, origin_time: 0 })
    .execute();
}
