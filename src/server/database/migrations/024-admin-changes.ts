/**
 * Creates the table of administrators' changes. Earlier changes are only in the journal, so the history
 * is emptied: the start that follows then projects it from the whole journal.
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
  "candles",
  "activity",
];

export async function up(database: AnyDatabase): Promise<void> {
  const integers = ["sequence", "time", "subject_id"];
  const texts = ["kind", "admin_id", "state_before", "state_after", "reason"];
  await createHistoryTable(database, "admin_changes", integers, texts, ["sequence"]);
  const byKind = ["kind", "sequence"];
  await createIndex(database, "admin_changes_by_kind", "admin_changes", byKind);
  await emptyTables(database, PROJECTED);
  await database
    .updateTable("history_progress")
    .set({ sequence: 0, time: 0, origin_time: 0 })
    .execute();
}
