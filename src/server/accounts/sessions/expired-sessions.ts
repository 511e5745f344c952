/**
 * Deletes sessions whose time is over, which nobody may ever ask for again, and tells of each before
 * it is gone, so that a failure or a crash only delays it.
 */
import type { Database } from "../../database/open-database.ts";
import type { Log } from "../../log.ts";
import { storedTime } from "../../database/accounts-tables.ts";

const SWEPT_EVERY_MS = 60_000;
const SESSIONS_PER_READ = 500;

export interface EndedSession {
  readonly id: string;
  readonly userId: string;
  readonly impersonatedBy: string | null;
}

interface ExpiredSessionsOptions {
  readonly database: Database;
  readonly log: Log;
  /** May be called again for the same session. A failure leaves the session for the next sweep. */
  readonly onExpired: (session: EndedSession) => Promise<void>;
}

export function createExpiredSessions({ database, log, onExpired }: ExpiredSessionsOptions) {
  const timer = setInterval(() => void sweep(), SWEPT_EVERY_MS);
  timer.unref();

  /** Never throws. */
  async function sweep(): Promise<void> {
    try {
      // As long as there are more and all goes well; what did not is for the next time.
      while ((await endSome()) === SESSIONS_PER_READ);
    } catch (error) {
      log.error({ error: String(error) }, "expired sessions could not be looked up");
    }
  }

  /** @returns how many were ended */
  async function endSome(): Promise<number> {
    const expired = await database.read
      .selectFrom("session")
      .select(["id", "userId", "impersonatedBy"])
      .where("expiresAt", "<=", storedTime(database, Date.now()))
      .limit(SESSIONS_PER_READ)
      .execute();
    let ended = 0;
    for (const session of expired) {
      try {
        await end(session);
        ended += 1;
      } catch (error) {
        log.error({ userId: session.userId, error: String(error) }, "a session is not ended yet");
      }
    }
    return ended;
  }

  async function end(session: EndedSession): Promise<void> {
    await onExpired(session);
    await database.write
      .deleteFrom("session")
      .where("id", "=", session.id)
      // Somebody may have come back in between.
      .where("expiresAt", "<=", storedTime(database, Date.now()))
      .execute();
  }

  return {
    sweep,
    close() {
      clearInterval(timer);
    },
  };
}
