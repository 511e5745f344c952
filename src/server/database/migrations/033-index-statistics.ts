/**
 * Gives SQLite statistics of the rows of accounts, so that it reads those of a market, a status, a
 * kind or a name by their index. Without statistics it takes an account for ten rows and reads all of
 * them by their primary key; with statistics of its own, of many accounts with few rows, it would do
 * the same. These are of accounts with very many, where it matters.
 */
import { sql } from "kysely";
import { isSqlite } from "../dialect.ts";
import type { AnyDatabase } from "./schema-steps.ts";

const ROWS = 10_000_000;
const OF_ACCOUNT = 100_000;
/** The number of an account's rows in one market, of one status or of one kind. */
const OF_CHOICE = 10_000;

/**
 * The rows of a table, and those that share the first column of an index, the first two and so on. The
 * primary key has the name of its table.
 */
const STATISTICS: readonly (readonly [table: string, index: string, rows: readonly number[]])[] = [
  ["orders", "orders", [OF_ACCOUNT, 1]],
  ["orders", "orders_by_account_market_id_order_id", [OF_ACCOUNT, OF_CHOICE, 1]],
  ["orders", "orders_by_account_status_order_id", [OF_ACCOUNT, OF_CHOICE, 1]],
  ["orders", "orders_by_account_client_order_id", [OF_ACCOUNT, 1, 1]],
  ["fills", "fills", [OF_ACCOUNT, 2, 1]],
  ["fills", "fills_by_account_market_id_sequence_trade_id", [OF_ACCOUNT, OF_CHOICE, 2, 1]],
  ["fills", "fills_by_account_order_id_sequence_trade_id", [OF_ACCOUNT, 10, 2, 1]],
  ["activity", "activity", [OF_ACCOUNT, 2, 1]],
  ["activity", "activity_by_account_kind_sequence_position", [OF_ACCOUNT, OF_CHOICE, 2, 1]],
  ["activity", "activity_by_sequence", [2, 1]],
  ["order_lists", "order_lists", [OF_ACCOUNT, 1]],
  ["order_lists", "order_lists_by_account_client_list_id", [OF_ACCOUNT, 1, 1]],
  ["prevented_matches", "prevented_matches", [OF_ACCOUNT, 1]],
  ["prevented_matches", "prevented_matches_by_taker", [OF_ACCOUNT, 10, 1]],
  ["prevented_matches", "prevented_matches_by_maker", [OF_ACCOUNT, 10, 1]],
];

export async function up(database: AnyDatabase): Promise<void> {
  if (!isSqlite(database)) return;
  // Creates the table of statistics, from a table of one row.
  await sql`analyze history_progress`.execute(database);
  await sql`delete from sqlite_stat1`.execute(database);
  for (const [table, index, rows] of STATISTICS) {
    const text = [ROWS, ...rows].join(" ");
    await sql`insert into sqlite_stat1 (tbl, idx, stat) values (${table}, ${index}, ${text})`.execute(
      database,
    );
  }
}
