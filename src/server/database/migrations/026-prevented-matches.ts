/**
 * Creates the table of prevented self-trades. Earlier ones are only in the journal, so the history is
 * emptied: the start that follows then projects it from the whole journal.
 */
import { emptyTables } from "../empty-tables.ts";
import { type AnyDatabase, createHistoryTable, createIndex } from "./schema-steps.ts";

const PROJECTED = [
  "orders",
  "order_changes",
  "order_lists",
  "fills",
  "trades",
  "ledger_entries",
  "admin_changes",
  "candles",
  "activity",
];

export async function up(database: AnyDatabase): Promise<void> {
  const integers = [
    "account",
    "market_id",
    "match_id",
    "taker_order_id",
    "maker_order_id",
    "price_ticks",
    "taker_lots",
    "maker_lots",
    "time",
  ];
  const table = "prevented_matches";
  await createHistoryTable(database, table, integers, ["mode"], ["account", "match_id"]);
  for (const party of ["taker", "maker"]) {
    const columns = ["account", `${party}_order_id`, "match_id"];
    await createIndex(database, `prevented_matches_by_${party}`, table, columns);
  }
  await emptyTables(database, PROJECTED);
  await database
    .updateTable("history_progress")
    .set({ sequence: 0, time: 0, origin_time: 0 })
    .execute();
}
