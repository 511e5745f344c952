/** What users keep for themselves, beside their accounts: each row belongs to one user. */

/** See personal/watchlists.ts. */
interface WatchlistsTable {
  user_id: string;
  /** Symbols as a JSON array, in the user's order. */
  markets: string;
}

/** See alerts/price-alert.ts. */
export interface PriceAlertsTable {
  id: string;
  user_id: string;
  market_id: number;
  price_ticks: number;
  change_bps: number;
  window_minutes: number;
  direction: "rise" | "fall";
  /** 0 or 1. */
  repeats: number;
  status: "active" | "paused" | "fired";
  quiet_until_ms: number;
  created_at_ms: number;
  fired_at_ms: number;
}

/** What alerts told; of each user the newest. */
export interface AlertFiringsTable {
  id: string;
  user_id: string;
  alert_id: string;
  at_ms: number;
  market_id: number;
  price_ticks: number;
  from_ticks: number;
  target_ticks: number;
  window_minutes: number;
  direction: "rise" | "fall";
}

/** One row: the other tables of alerts are as they were after the command of this sequence. */
interface AlertProgressTable {
  id: number;
  sequence: number;
}

/** See notices/notice-states.ts. */
export interface NoticeStatesTable {
  user_id: string;
  /** By kind, as JSON. */
  switches: string;
  /** 1 if a kind is mailed, so that those users can be found. */
  sends_mail: number;
  read_until_ms: number;
  /** As a JSON array. */
  read_ids: string;
  mailed_until_ms: number;
}

export interface PersonalTables {
  notice_states: NoticeStatesTable;
  watchlists: WatchlistsTable;
  price_alerts: PriceAlertsTable;
  alert_firings: AlertFiringsTable;
  alert_progress: AlertProgressTable;
}
