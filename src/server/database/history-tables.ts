/**
 * The tables of the history: projections of the journal's events that can be dropped and rebuilt at
 * any time. Amounts are integers in the asset's smallest unit, prices in ticks, quantities in lots,
 * times in milliseconds since 1970 UTC, flags 0 or 1. Accounts, assets, markets and orders are
 * given by the engine's numbers; 0 if none.
 *
 * Orders, fills, ledger entries and activity are those of users; trades are those of all accounts.
 */
import type { ActivityKind } from "#contract/users.ts";
import type { ADMIN_CHANGES } from "../records/admin-changes.ts";
import type { CANDLES } from "../records/candles.ts";
import type { LEDGER_ENTRIES } from "../records/ledger-entries.ts";
import type { ORDER_CHANGES } from "../records/order-changes.ts";
import type { ORDER_LISTS } from "../records/order-lists.ts";
import type { ORDERS } from "../records/orders.ts";
import type { PREVENTED_MATCHES } from "../records/prevented-matches.ts";
import type { RowOf } from "../records/record-kind.ts";
import type { FILLS, TRADES } from "../records/trades.ts";

export interface CandlesTable extends RowOf<typeof CANDLES.fields> {
  market_id: number;
  /** The length of the candle: 60, 3600 or 86400. */
  interval_seconds: number;
}

/** One row per event of a user's account, of every kind, in order. */
export interface ActivityTable {
  account: number;
  sequence: number;
  /** Numbers the rows of this account in this sequence, from 0. */
  position: number;
  kind: Exclude<ActivityKind, "security">;
  time: number;
  market_id: number;
  order_id: number;
  trade_id: number;
  asset_id: number;
  amount: number;
  plan_id: number;
  /** Why money was transferred: "practiceFunds" or "adjustment"; "" for other kinds. */
  reason: string;
  /** Why an adjustment was made, in an administrator's words; else "". */
  note: string;
  /** Lower-case words that a search matches. */
  search_text: string;
}

/** One row: how far the journal is projected, written together with the projected rows. */
interface HistoryProgressTable {
  id: number;
  /** The last sequence whose rows are all in the tables. */
  sequence: number;
  /** The timestamp of that sequence, 0 if unknown. */
  time: number;
  /** The timestamp of sequence 1, which distinguishes journals. */
  origin_time: number;
  /** The node that writes the tables, if several share them; "" if there was none yet. */
  writer: string;
}

export interface HistoryTables {
  orders: RowOf<typeof ORDERS.fields>;
  order_changes: RowOf<typeof ORDER_CHANGES.fields>;
  order_lists: RowOf<typeof ORDER_LISTS.fields>;
  prevented_matches: RowOf<typeof PREVENTED_MATCHES.fields>;
  fills: RowOf<typeof FILLS.fields>;
  trades: RowOf<typeof TRADES.fields>;
  ledger_entries: RowOf<typeof LEDGER_ENTRIES.fields>;
  admin_changes: RowOf<typeof ADMIN_CHANGES.fields>;
  candles: CandlesTable;
  activity: ActivityTable;
  history_progress: HistoryProgressTable;
}
