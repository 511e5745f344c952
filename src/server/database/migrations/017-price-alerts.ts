/**
 * Price alerts, what they told, and up to which command of the journal they have been evaluated; see
 * alerts/price-alerts.ts.
 */
import type { Kysely } from "kysely";

// oxlint-disable-next-line typescript/no-explicit-any -- a migration knows no current table types
export async function up(database: Kysely<any>): Promise<void> {
  await database.schema
    .createTable("price_alerts")
    .addColumn("id", "text", (column) => column.notNull().primaryKey())
    .addColumn("user_id", "text", (column) => column.notNull())
    .addColumn("market_id", "integer", (column) => column.notNull())
    .addColumn("price_ticks", "bigint", (column) => column.notNull())
    .addColumn("change_bps", "integer", (column) => column.notNull())
    .addColumn("window_minutes", "integer", (column) => column.notNull())
    .addColumn("direction", "text", (column) => column.notNull())
    .addColumn("repeats", "integer", (column) => column.notNull())
    .addColumn("status", "text", (column) => column.notNull())
    .addColumn("quiet_until_ms", "bigint", (column) => column.notNull())
    .addColumn("created_at_ms", "bigint", (column) => column.notNull())
    .addColumn("fired_at_ms", "bigint", (column) => column.notNull())
    .execute();
  await database.schema
    .createIndex("price_alerts_of_user")
    .on("price_alerts")
    .column("user_id")
    .execute();
  await database.schema
    .createTable("alert_firings")
    .addColumn("id", "text", (column) => column.notNull().primaryKey())
    .addColumn("user_id", "text", (column) => column.notNull())
    .addColumn("alert_id", "text", (column) => column.notNull())
    .addColumn("at_ms", "bigint", (column) => column.notNull())
    .addColumn("market_id", "integer", (column) => column.notNull())
    .addColumn("price_ticks", "bigint", (column) => column.notNull())
    .addColumn("from_ticks", "bigint", (column) => column.notNull())
    .addColumn("target_ticks", "bigint", (column) => column.notNull())
    .addColumn("window_minutes", "integer", (column) => column.notNull())
    .addColumn("direction", "text", (column) => column.notNull())
    .execute();
  await database.schema
    .createIndex("alert_firings_of_user")
    .on("alert_firings")
    .columns(["user_id", "at_ms"])
    .execute();
  await database.schema
    .createTable("alert_progress")
    .addColumn("id", "integer", (column) => column.notNull().primaryKey())
    .addColumn("sequence", "bigint", (column) => column.notNull())
    .execute();
}
