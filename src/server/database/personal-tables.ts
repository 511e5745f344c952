/** Tables of users' personal data, apart from their accounts: each row belongs to one user. */
import type { FIRINGS, PRICE_ALERTS } from "../records/price-alerts.ts";
import type { RowOf } from "../records/record-kind.ts";

/** See personal/watchlists.ts. */
interface WatchlistsTable {
  user_id: string;
  /** Symbols as a JSON array, in the user's order. */
  markets: string;
}

/** One row: the sequence of the last command that the other tables of alerts reflect. */
interface AlertProgressTable {
  id: number;
  sequence: number;
}

/** See notices/notice-states.ts. */
export interface NoticeStatesTable {
  user_id: string;
  /** Switches by kind of notice, as JSON. */
  switches: string;
  /** 1 if any kind is mailed, so that such users can be selected. */
  sends_mail: number;
  read_until_ms: number;
  /** As a JSON array. */
  read_ids: string;
  mailed_until_ms: number;
}

/** See personal/withdrawal-addresses.ts. */
export interface WithdrawalAddressesTable {
  id: string;
  user_id: string;
  label: string;
  coin: string;
  network: string;
  address: string;
  /** "" if none. */
  memo: string;
  created_at_ms: number;
}

export interface PersonalTables {
  notice_states: NoticeStatesTable;
  watchlists: WatchlistsTable;
  withdrawal_addresses: WithdrawalAddressesTable;
  price_alerts: RowOf<typeof PRICE_ALERTS.fields>;
  /** The newest firings of each user. */
  alert_firings: RowOf<typeof FIRINGS.fields>;
  alert_progress: AlertProgressTable;
}
