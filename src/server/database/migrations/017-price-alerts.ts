/**
 * Price alerts, when they fired, and the last command of the journal for which they have been
 * evaluated; see alerts/price-alerts.ts.
 */
import { type AnyDatabase, createIndex, createTable } from "./schema-steps.ts";

export async function up(database: AnyDatabase): Promise<void> {
  await createTable(database, "price_alerts", {
    id: "text",
    user_id: "text",
    market_id: "integer",
    price_ticks: "bigint",
    change_bps: "integer",
    window_minutes: "integer",
    direction: "text",
    repeats: "integer",
    status: "text",
    quiet_until_ms: "bigint",
    created_at_ms: "bigint",
    fired_at_ms: "bigint",
  });
  await createIndex(database, "price_alerts_of_user", "price_alerts", ["user_id"]);
  await createTable(database, "alert_firings", {
    id: "text",
    user_id: "text",
    alert_id: "text",
    at_ms: "bigint",
    market_id: "integer",
    price_ticks: "bigint",
    from_ticks: "bigint",
    target_ticks: "bigint",
    window_minutes: "integer",
    direction: "text",
  });
  await createIndex(database, "alert_firings_of_user", "alert_firings", ["user_id", "at_ms"]);
  await createTable(database, "alert_progress", { id: "integer", sequence: "bigint" });
}
