import type { Database } from "#server/database/open-database.ts";

const TABLES = [
  "orders",
  "order_changes",
  "order_lists",
  "prevented_matches",
  "fills",
  "trades",
  "ledger_entries",
  "admin_changes",
  "candles",
  "activity",
  "history_progress",
] as const;

/** Every row of every table of the history, sorted, to compare two databases. */
export async function dumpHistory(database: Database): Promise<Record<string, string[]>> {
  const contents: Record<string, string[]> = {};
  for (const table of TABLES) {
    const rows = await database.read.selectFrom(table).selectAll().execute();
    contents[table] = rows
      .map((row) => JSON.stringify(row))
      .sort((one, other) => (one < other ? -1 : 1));
  }
  return contents;
}
