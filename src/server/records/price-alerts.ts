/**
 * A price alert of a user, and the record of each time it fires. Prices are in ticks of the alert's
 * market.
 */
import {
  changing,
  type ChangingRecordOf,
  fixed,
  RecordKind,
  type RecordOf,
} from "./record-kind.ts";

export const PRICE_ALERTS = new RecordKind({
  id: fixed("id").text<string>(),
  userId: fixed("user_id").text<string>(),
  marketId: fixed("market_id").integer(),
  /** The price that must be crossed; 0 for an alert on a change. */
  priceTicks: fixed("price_ticks").integer(),
  /**
   * How much the price must change within the window, in basis points; 0 for an alert on a price.
   */
  changeBps: fixed("change_bps").integer(),
  windowMinutes: fixed("window_minutes").integer(),
  /** Whether the alert fires every time, with a pause after each; otherwise it fires once. */
  repeats: fixed("repeats").flag(),
  createdAtMs: fixed("created_at_ms").integer(),
  status: changing("status").text<"active" | "paused" | "fired">(),
  /** Whether an alert on a price waits for a rise or a fall to that price. */
  direction: changing("direction").text<"rise" | "fall">(),
  /**
   * End of the pause after firing, when the alert is evaluated again, from the side on which the
   * price then is. 0 if none.
   */
  quietUntilMs: changing("quiet_until_ms").integer(),
  /** When the alert last fired; 0 if never. */
  firedAtMs: changing("fired_at_ms").integer(),
});
export type PriceAlert = ChangingRecordOf<typeof PRICE_ALERTS.fields>;

export const FIRINGS = new RecordKind({
  id: fixed("id").text<string>(),
  userId: fixed("user_id").text<string>(),
  alertId: fixed("alert_id").text<string>(),
  atMs: fixed("at_ms").integer(),
  marketId: fixed("market_id").integer(),
  /** The price of the trade on which the alert fired. */
  priceTicks: fixed("price_ticks").integer(),
  /** For a change: the price from which it is counted; else 0. */
  fromTicks: fixed("from_ticks").integer(),
  /** The price that was crossed; 0 for a change. */
  targetTicks: fixed("target_ticks").integer(),
  windowMinutes: fixed("window_minutes").integer(),
  direction: fixed("direction").text<"rise" | "fall">(),
});
export type Firing = RecordOf<typeof FIRINGS.fields>;
