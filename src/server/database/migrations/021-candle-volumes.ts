/**
 * Quote volumes, trade counts and taker volumes of candles. These cannot be derived from stored rows,
 * so the history is emptied: the start that follows replays the whole journal anyway and rebuilds the
 * history.
 */
import { addColumn, type AnyDatabase } from "./schema-steps.ts";

const COLUMNS = [
  "quote_high",
  "quote_low",
  "trade_count",
  "taker_buy_lots",
  "taker_buy_quote_high",
  "taker_buy_quote_low",
];
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
  for (const column of COLUMNS) await addColumn(database, "candles", column, 0);
  for (const table of PROJECTED) await database.deleteFrom(table).execute();
  await database
    .updateTable("history_progress")
    .set({ sequence: 0, time: 0, origin_time: 0 })
    .execute();
}
