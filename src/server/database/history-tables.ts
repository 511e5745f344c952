/**
 * The tables of the history: projections of the journal's events that can be dropped and rebuilt at
 * any time. Amounts are integers in the asset's smallest unit, prices in ticks, quantities in lots,
 * times in milliseconds since 1970 UTC, flags 0 or 1. Accounts, assets, markets and orders carry the
 * engine's numbers; 0 where there is none.
 *
 * Orders, fills, ledger entries and activity are those of people; trades are everybody's.
 */
import type { OrderType, Side, TimeInForce } from "#engine/commands.ts";
import type { FeeSource, OrderEndReason } from "#engine/events.ts";
import type { BalanceKind, PostingReason } from "#engine/accounts/postings.ts";
import type { ActivityKind } from "#contract/types.ts";
import type { OrderRecordStatus, OrderWaitsFor } from "../records/records.ts";

export interface OrdersTable {
  order_id: number;
  account: number;
  market_id: number;
  side: Side;
  order_type: OrderType;
  time_in_force: TimeInForce;
  post_only: number;
  price_ticks: number;
  quantity_lots: number;
  quote_amount: number;
  client_order_id: string;
  maker_fee_bps: number;
  taker_fee_bps: number;
  fee_source: FeeSource;
  /** As JSON, "" for a plain order. */
  conditions: string;
  /** 0 where it was placed with no list. */
  list_id: number;
  waits_for: OrderWaitsFor;
  trigger_ticks: number;
  filled_lots: number;
  /** Quote units exchanged so far. */
  filled_quote: number;
  status: OrderRecordStatus;
  /** "" while it is open. */
  end_reason: OrderEndReason | "";
  placed_at: number;
  updated_at: number;
  placed_sequence: number;
  /** Of the last event that changed it. */
  updated_sequence: number;
}

/** One party's view of a trade. */
export interface FillsTable {
  account: number;
  sequence: number;
  trade_id: number;
  market_id: number;
  order_id: number;
  side: Side;
  role: "maker" | "taker";
  price_ticks: number;
  quantity_lots: number;
  quote_amount: number;
  fee: number;
  /** The asset received, in which the fee was taken. */
  fee_asset_id: number;
  fee_bps: number;
  fee_source: FeeSource;
  time: number;
}

export interface TradesTable {
  market_id: number;
  trade_id: number;
  sequence: number;
  price_ticks: number;
  quantity_lots: number;
  taker_side: Side;
  time: number;
}

/** What a posting did to one balance of one person. */
export interface LedgerEntriesTable {
  account: number;
  sequence: number;
  /** Counts the entries of this account in this sequence, from 0. */
  position: number;
  asset_id: number;
  /** Signed: positive where the balance rose. */
  amount: number;
  balance: BalanceKind;
  reason: PostingReason;
  /** 0 where no order caused it. */
  order_id: number;
  time: number;
}

export interface CandlesTable {
  market_id: number;
  /** Length: 60, 3600 or 86400. */
  interval_seconds: number;
  open_time: number;
  open_ticks: number;
  high_ticks: number;
  low_ticks: number;
  close_ticks: number;
  /** Stays at the largest exact integer should it ever get there. */
  volume_lots: number;
}

/** The order in which things happened to a person, over all kinds. */
export interface ActivityTable {
  account: number;
  sequence: number;
  /** Counts the rows of this account in this sequence, from 0. */
  position: number;
  kind: Exclude<ActivityKind, "security">;
  time: number;
  market_id: number;
  order_id: number;
  trade_id: number;
  asset_id: number;
  amount: number;
  plan_id: number;
  /** Of a transfer: "practiceFunds" or "adjustment"; "" of all else. */
  reason: string;
  /** Why a correction was made, in an administrator's words; else "". */
  note: string;
  /** Lower-case words that a search looks through. */
  search_text: string;
}

/** One row: how far the journal is projected, written with the rows that it speaks of. */
interface HistoryProgressTable {
  id: number;
  /** Everything up to here is in the tables. */
  sequence: number;
  /** Timestamp of that sequence, 0 where it is not known. */
  time: number;
  /** Timestamp of sequence 1: tells one journal from another. */
  origin_time: number;
}

export interface HistoryTables {
  orders: OrdersTable;
  fills: FillsTable;
  trades: TradesTable;
  ledger_entries: LedgerEntriesTable;
  candles: CandlesTable;
  activity: ActivityTable;
  history_progress: HistoryProgressTable;
}
