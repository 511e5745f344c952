/**
 * Which sessions are live, answered from memory. A session is watched from the first verification of a
 * backend token issued for it. Changes by this process take effect at once, as do those that another
 * node announces; those by other processes (the command line) within seconds.
 *
 * A session that has ended never becomes live again: its id is remembered until no token for it can
 * be valid, because a verification that read the database earlier may finish later.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Database } from "../../database/open-database.ts";
import type { Log } from "../../log.ts";
import { flagOf, timeMsOf } from "../../database/accounts-tables.ts";
import {
  sameProfile,
  toProfile,
  USER_COLUMNS,
  type UserProfile,
  type UserRow,
} from "../users/user-profile.ts";

const CHECK_EVERY_MS = 5000;
/** The time within which every server notices another process's changes, in milliseconds. */
export const NOTICED_AFTER_MS = CHECK_EVERY_MS + 1_000;
const WATCHED_AFTER_USE_MS = 60 * 60 * 1000;
const ENDED_REMEMBERED_MS = 15 * 60 * 1000;
const IDS_PER_QUERY = 500;

interface Watched {
  readonly userId: string;
  expiresAtMs: number;
  usedAtMs: number;
}

export interface LiveSessionsOptions {
  readonly database: Database;
  readonly log: Log;
  onSessionEnded(sessionId: string): void;
  onUserChanged(userId: string): void;
  /** Users who are administrators regardless of role. */
  readonly adminIds?: readonly string[];
  /** Milliseconds since 1970 UTC. */
  readonly now?: () => number;
}

export function createLiveSessions(options: LiveSessionsOptions) {
  const { database, log, adminIds = [], now = Date.now } = options;
  const watched = new Map<string, Watched>();
  const profiles = new Map<string, UserProfile>();
  const endedAtMs = new Map<string, number>();
  /**
   * When users were deleted: one of their sessions may have been read before the deletion and be
   * admitted after it.
   */
  const usersDeletedAtMs = new Map<string, number>();
  const timer = setInterval(() => {
    check().catch((error: unknown) => {
      log.error({ error: String(error) }, "sessions could not be checked");
    });
  }, CHECK_EVERY_MS);
  timer.unref();

  function end(sessionId: string): void {
    watched.delete(sessionId);
    if (endedAtMs.has(sessionId)) return;
    endedAtMs.set(sessionId, now());
    options.onSessionEnded(sessionId);
  }

  function rememberProfile(row: UserRow): void {
    const profile = toProfile(row, adminIds);
    const before = profiles.get(row.id);
    profiles.set(row.id, profile);
    if (before !== undefined && !sameProfile(before, profile)) options.onUserChanged(row.id);
  }

  /** Those of the given sessions that are live in the database, with their users. */
  function read(sessionIds: readonly string[]) {
    return database.read
      .selectFrom("session")
      .innerJoin("user", "user.id", "session.userId")
      .where("session.id", "in", sessionIds)
      .select([...USER_COLUMNS, "user.banned", "session.id as sessionId", "session.expiresAt"])
      .select("session.impersonatedBy")
      .execute();
  }

  async function check(): Promise<void> {
    const nowMs = now();
    for (const [sessionId, atMs] of endedAtMs) {
      if (nowMs - atMs > ENDED_REMEMBERED_MS) endedAtMs.delete(sessionId);
    }
    for (const [userId, atMs] of usersDeletedAtMs) {
      if (nowMs - atMs > ENDED_REMEMBERED_MS) usersDeletedAtMs.delete(userId);
    }
    for (const [sessionId, session] of watched) {
      if (session.expiresAtMs <= nowMs) end(sessionId);
      else if (nowMs - session.usedAtMs > WATCHED_AFTER_USE_MS) watched.delete(sessionId);
    }
    await verify([...watched.keys()]);
    const watchedUsers = new Set([...watched.values()].map((session) => session.userId));
    for (const userId of profiles.keys()) if (!watchedUsers.has(userId)) profiles.delete(userId);
  }

  /** Ends the live sessions that no longer exist in the database, and reloads their users. */
  async function verify(sessionIds: readonly string[]): Promise<void> {
    const nowMs = now();
    for (let start = 0; start < sessionIds.length; start += IDS_PER_QUERY) {
      // SQLite answers without a turn of the event loop.
      if (start > 0) await nextTurn();
      const asked = sessionIds.slice(start, start + IDS_PER_QUERY);
      const found = new Set<string>();
      for (const row of await read(asked)) {
        if (flagOf(row.banned) || timeMsOf(row.expiresAt) <= nowMs) continue;
        found.add(row.sessionId);
        const session = watched.get(row.sessionId);
        if (session !== undefined) session.expiresAtMs = timeMsOf(row.expiresAt);
        rememberProfile(row);
      }
      for (const sessionId of asked) if (!found.has(sessionId)) end(sessionId);
    }
  }

  const sessionsOf = (userId: string): string[] =>
    [...watched].filter(([, session]) => session.userId === userId).map(([id]) => id);

  function endAllOf(userId: string): void {
    for (const sessionId of sessionsOf(userId)) end(sessionId);
  }

  return {
    /** Looks the session up and watches it. null if the session has ended or its user is banned. */
    async admit(sessionId: string, userId: string): Promise<{ impersonated: boolean } | null> {
      const [row] = await read([sessionId]);
      const nowMs = now();
      if (row === undefined || row.id !== userId || flagOf(row.banned)) return null;
      const expiresAtMs = timeMsOf(row.expiresAt);
      if (expiresAtMs <= nowMs || endedAtMs.has(sessionId)) return null;
      if (usersDeletedAtMs.has(userId)) return null;
      watched.set(sessionId, { userId, expiresAtMs, usedAtMs: nowMs });
      rememberProfile(row);
      return { impersonated: row.impersonatedBy !== null };
    },
    isLive(sessionId: string): boolean {
      const session = watched.get(sessionId);
      if (session === undefined) return false;
      const nowMs = now();
      if (session.expiresAtMs <= nowMs) {
        end(sessionId);
        return false;
      }
      session.usedAtMs = nowMs;
      return true;
    },
    profileOf: (userId: string): UserProfile | null => profiles.get(userId) ?? null,
    sessionEnded: end,
    sessionExtended(sessionId: string, expiresAtMs: number): void {
      const session = watched.get(sessionId);
      if (session !== undefined) session.expiresAtMs = expiresAtMs;
    },
    /** Ends the user's watched sessions, even if the database still has them as live. */
    userLocked: endAllOf,
    /** Ends the user's watched sessions and admits no more of the user's sessions. */
    userDeleted(userId: string): void {
      usersDeletedAtMs.set(userId, now());
      endAllOf(userId);
    },
    userChanged(row: UserRow): void {
      if (profiles.has(row.id)) rememberProfile(row);
    },
    check,
    /** Applies another process's changes to the user and the user's sessions. */
    changedElsewhere: (userId: string) => verify(sessionsOf(userId)),
    close(): void {
      clearInterval(timer);
    },
  };
}
