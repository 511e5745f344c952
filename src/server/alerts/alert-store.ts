/** Price alerts in the database. Changes are stored with the sequence of the last command they reflect. */
import { setImmediate as nextTurn } from "node:timers/promises";
import { type Kysely, sql, type Transaction } from "kysely";
import { insertRows } from "../database/insert-rows.ts";
import type { Database } from "../database/open-database.ts";
import { retrySerialization } from "../database/retry-serialization.ts";
import type { Tables } from "../database/tables.ts";
import { lockUsers } from "../database/lock-rows.ts";
import { type Firing, FIRINGS, PRICE_ALERTS, type PriceAlert } from "../records/price-alerts.ts";
import type { ChangesToStore } from "./unstored-changes.ts";

/** Per user; older firings are deleted. */
export const FIRINGS_KEPT = 100;
/** About 2 ms of SQLite, which is synchronous. */
const ROWS_IN_TURN = 50;
/** Rows that are read and applied in one turn: a few milliseconds. */
const ROWS_PER_PAGE = 500;

export interface AlertChanges extends Omit<ChangesToStore, "created"> {
  readonly created?: ChangesToStore["created"];
  /**
   * Once stored, the alerts reflect all commands up to this sequence; absent if another process
   * evaluates them.
   */
  readonly sequence?: number;
}

export type AlertStore = ReturnType<typeof createAlertStore>;

export function createAlertStore({ read, write }: Database) {
  return {
    /** Sequence of the last command that the stored alerts reflect at least; read it before them. */
    async sequence(): Promise<number> {
      const progress = await read
        .selectFrom("alert_progress")
        .select("sequence")
        .executeTakeFirst();
      return progress?.sequence ?? 0;
    },
    /** All alerts by id, in pages with turns of the event loop in between. */
    async *pages(): AsyncGenerator<PriceAlert[], void> {
      for (let last = ""; ;) {
        const rows = await read
          .selectFrom("price_alerts")
          .selectAll()
          .where("id", ">", last)
          .orderBy("id")
          .limit(ROWS_PER_PAGE)
          .execute();
        yield rows.map(PRICE_ALERTS.fromRow);
        if (rows.length < ROWS_PER_PAGE) return;
        last = rows[rows.length - 1].id;
        await nextTurn();
      }
    },

    /** Newest first. */
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

    /**
     * Stores all changes or none. Thousands of alerts may wait for one price, so rows share statements,
     * and the thread does other work between these.
     * @returns the new alerts that are not stored, nor are later changes to them: their users have
     *   `alertsMax`
     */
    store(
      { alerts, created, gone, firings, sequence }: AlertChanges,
      alertsMax = Number.POSITIVE_INFINITY,
    ): Promise<ReadonlySet<string>> {
      return retrySerialization(() =>
        write.transaction().execute(async (transaction) => {
          await inTurns(gone, (ids) =>
            transaction.deleteFrom("price_alerts").where("id", "in", ids).execute(),
          );
          const news = alerts.filter(({ id }) => created?.has(id) === true);
          const refused = await findBeyondLimit(transaction, news, alertsMax);
          const stored = alerts.filter(({ id }) => !refused.has(id));
          await inTurns(stored.map(PRICE_ALERTS.toRow), (rows) =>
            insertRows(transaction, "price_alerts", rows, REPLACED),
          );
          const fired = firings.filter(({ alertId }) => !refused.has(alertId));
          await inTurns(fired.map(FIRINGS.toRow), (rows) =>
            insertRows(transaction, "alert_firings", rows, "on conflict (id) do nothing"),
          );
          const users = [...new Set(fired.map(({ userId }) => userId))];
          await inTurns(users, (ids) => prune(transaction, ids));
          if (sequence === undefined) return refused;
          await transaction
            .insertInto("alert_progress")
            .values({ id: 1, sequence })
            .onConflict((conflict) => conflict.column("id").doUpdateSet({ sequence }))
            .execute();
          return refused;
        }),
      );
    },

    async forget(userId: string): Promise<void> {
      await write.deleteFrom("price_alerts").where("user_id", "=", userId).execute();
      await write.deleteFrom("alert_firings").where("user_id", "=", userId).execute();
    },
  };
}

/** Only the columns that change; the others stay as at creation. */
const REPLACED = `on conflict (id) do update set ${[
  "status",
  "direction",
  "quiet_until_ms",
  "fired_at_ms",
]
  .map((column) => `${column} = excluded.${column}`)
  .join(", ")}`;

async function inTurns<T>(
  all: readonly T[],
  execute: (part: readonly T[]) => Promise<unknown>,
): Promise<void> {
  for (let next = 0; next < all.length; next += ROWS_IN_TURN) {
    await execute(all.slice(next, next + ROWS_IN_TURN));
    await nextTurn();
  }
}

/** New alerts of users who have enough: other nodes may have stored some that are not known here. */
async function findBeyondLimit(
  transaction: Transaction<Tables>,
  created: readonly PriceAlert[],
  alertsMax: number,
): Promise<ReadonlySet<string>> {
  const refused = new Set<string>();
  const users = [...new Set(created.map(({ userId }) => userId))];
  if (users.length === 0) return refused;
  await lockUsers(transaction, users);
  const rows = await transaction
    .selectFrom("price_alerts")
    .select(({ fn }) => ["user_id", fn.countAll<number>().as("count")])
    .where("user_id", "in", users)
    // A write that failed may have taken effect.
    .where(
      "id",
      "not in",
      created.map(({ id }) => id),
    )
    .groupBy("user_id")
    .execute();
  const counts = new Map(rows.map(({ user_id: userId, count }) => [userId, count]));
  for (const { id, userId } of created) {
    const count = counts.get(userId) ?? 0;
    if (count >= alertsMax) refused.add(id);
    else counts.set(userId, count + 1);
  }
  return refused;
}

async function prune(transaction: Kysely<Tables>, userIds: readonly string[]): Promise<void> {
  const ranked = transaction
    .selectFrom("alert_firings")
    .select([
      "id",
      sql<number>`row_number() over (partition by user_id order by at_ms desc, id)`.as("place"),
    ])
    .where("user_id", "in", userIds)
    .as("ranked");
  await transaction
    .deleteFrom("alert_firings")
    .where("id", "in", (within) =>
      within.selectFrom(ranked).select("ranked.id").where("place", ">", FIRINGS_KEPT),
    )
    .execute();
}
