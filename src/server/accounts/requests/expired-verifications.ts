/**
 * Deletes expired requests for confirmation, such as the challenges of passkeys. The library would
 * delete all of them in one statement, and unauthenticated clients decide how many there are: SQLite
 * works on this thread, and half a million rows take seconds.
 */
import { setTimeout as delay } from "node:timers/promises";
import { storedTime } from "../../database/accounts-tables.ts";
import type { Database } from "../../database/open-database.ts";
import type { Log } from "../../log.ts";

const SWEEP_INTERVAL_MS = 60_000;
/** Rows per write, some 5 ms, and the pause for others after it. */
const BATCH = 200;
const PAUSE_MS = 10;

export function startSweepingVerifications(database: Database, log: Log): { close(): void } {
  const { write } = database;
  let isUnderWay = false;
  let isClosed = false;

  async function deleteBatch(): Promise<boolean> {
    const expired = write
      .selectFrom("verification")
      .select("id")
      .where("expiresAt", "<", storedTime(database, Date.now()))
      .limit(BATCH);
    const { numDeletedRows } = await write
      .deleteFrom("verification")
      .where("id", "in", expired)
      .executeTakeFirst();
    return numDeletedRows >= BATCH;
  }

  /** Never throws. */
  async function sweep(): Promise<void> {
    if (isUnderWay) return;
    isUnderWay = true;
    try {
      while (!isClosed && (await deleteBatch())) await delay(PAUSE_MS);
    } catch (error) {
      log.error({ error: String(error) }, "expired verifications could not be deleted");
    }
    isUnderWay = false;
  }

  void sweep();
  const timer = setInterval(() => void sweep(), SWEEP_INTERVAL_MS).unref();
  return {
    close() {
      isClosed = true;
      clearInterval(timer);
    },
  };
}
