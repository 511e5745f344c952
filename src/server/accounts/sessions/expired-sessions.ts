/**
 * Deletes expired sessions, even if they are never used again, and reports each before it is
 * deleted, so that a failure or a crash only delays the report.
 */
import { setTimeout as delay } from "node:timers/promises";
import type { Database } from "../../database/open-database.ts";
import type { Log } from "../../log.ts";
import { storedTime } from "../../database/accounts-tables.ts";

const SWEEP_INTERVAL_MS = 60_000;
/**
 * Sessions deleted per write. SQLite works on this thread, and an attacker decides how many
 * sessions expire at once: between two batches, the pause leaves the thread to others for longer
 * than a batch takes, some 5 ms.
 */
const BATCH = 20;
const PAUSE_MS = 10;
/** After this many failures the cause probably affects all remaining sessions, too. */
const FAILURES_MAX = 100;

export interface EndedSession {
  readonly id: string;
  readonly userId: string;
  readonly impersonatedBy: string | null;
}

interface ExpiredSessionsOptions {
  readonly database: Database;
  readonly log: Log;
  /**
   * May be called again for the same session. After a failure, the next sweep retries the session.
   */
  readonly onExpired: (session: EndedSession) => Promise<void>;
}

export function createExpiredSessionSweep({ database, log, onExpired }: ExpiredSessionsOptions) {
  const timer = setInterval(() => void sweep(), SWEEP_INTERVAL_MS).unref();
  let underWay: Promise<void> | null = null;

  /** Never throws. */
  function sweep(): Promise<void> {
    underWay ??= endAll().finally(() => (underWay = null));
    return underWay;
  }

  async function endAll(): Promise<void> {
    try {
      const failed: string[] = [];
      while ((await endBatch(failed)) && failed.length < FAILURES_MAX) await delay(PAUSE_MS);
    } catch (error) {
      log.error({ error: String(error) }, "expired sessions could not be ended");
    }
  }

  /**
   * @param failed ids of sessions that the next sweep retries; this batch's failures are added
   * @returns whether more sessions may have expired
   */
  async function endBatch(failed: string[]): Promise<boolean> {
    const expired = await database.read
      .selectFrom("session")
      .select(["id", "userId", "impersonatedBy"])
      .where("expiresAt", "<=", storedTime(database, Date.now()))
      .$if(failed.length > 0, (query) => query.where("id", "not in", failed))
      .limit(BATCH)
      .execute();
    const ended: string[] = [];
    for (const session of expired) {
      try {
        await onExpired(session);
        ended.push(session.id);
      } catch (error) {
        failed.push(session.id);
        log.error({ userId: session.userId, error: String(error) }, "a session is not ended yet");
      }
    }
    if (ended.length > 0) {
      await database.write
        .deleteFrom("session")
        .where("id", "in", ended)
        // The session may have been extended in the meantime.
        .where("expiresAt", "<=", storedTime(database, Date.now()))
        .execute();
    }
    return expired.length === BATCH;
  }

  return {
    sweep,
    close() {
      clearInterval(timer);
    },
  };
}
