/** Price alerts in the database: what has changed is stored with the command up to which it holds. */
import type { Kysely } from "kysely";
import type { Database } from "../database/open-database.ts";
import type { AlertFiringsTable, PriceAlertsTable } from "../database/personal-tables.ts";
import { retrySerialization } from "../database/retry-serialization.ts";
import type { Tables } from "../database/tables.ts";
import type { Firing, PriceAlert } from "./price-alert.ts";

/** Of each user; the older ones are deleted. */
export const FIRINGS_KEPT = 100;

export interface AlertChanges {
  /** New ones too. */
  readonly alerts: readonly PriceAlert[];
  /** Ids of deleted ones. */
  readonly gone: readonly string[];
  readonly firings: readonly Firing[];
  /** All alerts are as they are after this command. */
  readonly sequence: number;
}

export type AlertStore = ReturnType<typeof createAlertStore>;

export function createAlertStore({ read, write }: Database) {
  return {
    async load(): Promise<{ readonly alerts: PriceAlert[]; readonly sequence: number }> {
      const rows = await read.selectFrom("price_alerts").selectAll().execute();
      const progress = await read
        .selectFrom("alert_progress")
        .select("sequence")
        .executeTakeFirst();
      return { alerts: rows.map(alertOf), sequence: progress?.sequence ?? 0 };
    },

    /** The newest first. */
    async firingsOf(userId: string): Promise<Firing[]> {
      const rows = await read
        .selectFrom("alert_firings")
        .selectAll()
        .where("user_id", "=", userId)
        .orderBy("at_ms", "desc")
        .orderBy("id")
        .limit(FIRINGS_KEPT)
        .execute();
      return rows.map(firingOf);
    },

    /** All of it or nothing. */
    async store({ alerts, gone, firings, sequence }: AlertChanges): Promise<void> {
      await retrySerialization(() =>
        write.transaction().execute(async (transaction) => {
          for (const alert of alerts) await put(transaction, rowOf(alert));
          if (gone.length > 0) {
            await transaction.deleteFrom("price_alerts").where("id", "in", gone).execute();
          }
          for (const firing of firings) {
            await transaction
              .insertInto("alert_firings")
              .values(firingRowOf(firing))
              .onConflict((conflict) => conflict.column("id").doNothing())
              .execute();
          }
          for (const userId of new Set(firings.map((firing) => firing.userId))) {
            await prune(transaction, userId);
          }
          await transaction
            .insertInto("alert_progress")
            .values({ id: 1, sequence })
            .onConflict((conflict) => conflict.column("id").doUpdateSet({ sequence }))
            .execute();
        }),
      );
    },

    async forget(userId: string): Promise<void> {
      await write.deleteFrom("price_alerts").where("user_id", "=", userId).execute();
      await write.deleteFrom("alert_firings").where("user_id", "=", userId).execute();
    },
  };
}

async function put(transaction: Kysely<Tables>, row: PriceAlertsTable): Promise<void> {
  const { status, direction, quiet_until_ms, fired_at_ms } = row;
  await transaction
    .insertInto("price_alerts")
    .values(row)
    .onConflict((conflict) =>
      conflict.column("id").doUpdateSet({ status, direction, quiet_until_ms, fired_at_ms }),
    )
    .execute();
}

async function prune(transaction: Kysely<Tables>, userId: string): Promise<void> {
  const kept = transaction
    .selectFrom("alert_firings")
    .select("id")
    .where("user_id", "=", userId)
    .orderBy("at_ms", "desc")
    .orderBy("id")
    .limit(FIRINGS_KEPT);
  await transaction
    .deleteFrom("alert_firings")
    .where("user_id", "=", userId)
    .where("id", "not in", kept)
    .execute();
}

function alertOf(row: PriceAlertsTable): PriceAlert {
  return {
    id: row.id,
    userId: row.user_id,
    marketId: row.market_id,
    priceTicks: row.price_ticks,
    changeBps: row.change_bps,
    windowMinutes: row.window_minutes,
    repeats: row.repeats === 1,
    createdAtMs: row.created_at_ms,
    status: row.status,
    direction: row.direction,
    quietUntilMs: row.quiet_until_ms,
    firedAtMs: row.fired_at_ms,
  };
}

function rowOf(alert: PriceAlert): PriceAlertsTable {
  return {
    id: alert.id,
    user_id: alert.userId,
    market_id: alert.marketId,
    price_ticks: alert.priceTicks,
    change_bps: alert.changeBps,
    window_minutes: alert.windowMinutes,
    repeats: alert.repeats ? 1 : 0,
    created_at_ms: alert.createdAtMs,
    status: alert.status,
    direction: alert.direction,
    quiet_until_ms: alert.quietUntilMs,
    fired_at_ms: alert.firedAtMs,
  };
}

function firingOf(row: AlertFiringsTable): Firing {
  return {
    id: row.id,
    userId: row.user_id,
    alertId: row.alert_id,
    atMs: row.at_ms,
    marketId: row.market_id,
    priceTicks: row.price_ticks,
    fromTicks: row.from_ticks,
    targetTicks: row.target_ticks,
    windowMinutes: row.window_minutes,
    direction: row.direction,
  };
}

function firingRowOf(firing: Firing): AlertFiringsTable {
  return {
    id: firing.id,
    user_id: firing.userId,
    alert_id: firing.alertId,
    at_ms: firing.atMs,
    market_id: firing.marketId,
    price_ticks: firing.priceTicks,
    from_ticks: firing.fromTicks,
    target_ticks: firing.targetTicks,
    window_minutes: firing.windowMinutes,
    direction: firing.direction,
  };
}
