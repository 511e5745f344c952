/** Price alerts in the database: what has changed is stored with the command up to which it holds. */
import { setImmediate } from "node:timers/promises";
import type { Kysely } from "kysely";
import type { Database } from "../database/open-database.ts";
import { retrySerialization } from "../database/retry-serialization.ts";
import type { Tables } from "../database/tables.ts";
import { type Firing, FIRINGS, PRICE_ALERTS, type PriceAlert } from "../records/price-alerts.ts";

/** Of each user; the older ones are deleted. */
export const FIRINGS_KEPT = 100;
/** Some 2 ms. */
const STATEMENTS_IN_TURN = 50;

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
      return { alerts: rows.map(PRICE_ALERTS.fromRow), sequence: progress?.sequence ?? 0 };
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
      return rows.map(FIRINGS.fromRow);
    },

    /** All of it or nothing. Many alerts may wait for one price, so the thread does other work in between. */
    async store({ alerts, gone, firings, sequence }: AlertChanges): Promise<void> {
      await retrySerialization(() =>
        write.transaction().execute(async (transaction) => {
          const pause = pauses();
          for (const alert of alerts) {
            await put(transaction, alert);
            await pause();
          }
          if (gone.length > 0) {
            await transaction.deleteFrom("price_alerts").where("id", "in", gone).execute();
          }
          for (const firing of firings) {
            await transaction
              .insertInto("alert_firings")
              .values(FIRINGS.toRow(firing))
              .onConflict((conflict) => conflict.column("id").doNothing())
              .execute();
            await pause();
          }
          for (const userId of new Set(firings.map((firing) => firing.userId))) {
            await prune(transaction, userId);
            await pause();
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

/** Waits for a turn of the event loop after every so many statements: SQLite answers synchronously. */
function pauses(): () => Promise<void> {
  let statements = 0;
  return async () => {
    statements += 1;
    if (statements % STATEMENTS_IN_TURN === 0) await setImmediate();
  };
}

async function put(transaction: Kysely<Tables>, alert: PriceAlert): Promise<void> {
  const row = PRICE_ALERTS.toRow(alert);
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
