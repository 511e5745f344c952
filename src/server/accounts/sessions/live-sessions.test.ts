import { setImmediate as nextTurn } from "node:timers/promises";
import { pino } from "pino";
import { afterEach, expect, test, vi } from "vitest";
import type { Database } from "../../database/open-database.ts";
import { createLiveSessions } from "./live-sessions.ts";

afterEach(() => void vi.useRealTimers());

/** A database that answers immediately, as SQLite does; all its sessions are those of one user. */
function databaseWith(sessions: ReadonlySet<string>): Database {
  let asked: readonly string[] = [];
  const rowOf = (sessionId: string) => ({
    id: "ann",
    role: "user",
    name: "Ann",
    lastname: null,
    email: "ann@example.com",
    emailVerified: 1,
    image: null,
    createdAt: new Date(0).toISOString(),
    banned: 0,
    sessionId,
    expiresAt: new Date(1e15).toISOString(),
    impersonatedBy: null,
  });
  const query = {
    selectFrom: () => query,
    innerJoin: () => query,
    select: () => query,
    where(_column: string, _in: string, ids: readonly string[]) {
      asked = ids;
      return query;
    },
    execute: () => Promise.resolve(asked.filter((id) => sessions.has(id)).map(rowOf)),
  };
  return { read: query } as unknown as Database;
}

test("very many sessions are checked in batches, with turns of the event loop between them", async () => {
  vi.useFakeTimers({ toFake: ["setInterval", "clearInterval"] });
  const stored = new Set(Array.from({ length: 2_100 }, (_, index) => `session-${index}`));
  const watched = [...stored];
  let endedInTurn = 0;
  let ended = 0;
  const sessions = createLiveSessions({
    database: databaseWith(stored),
    log: pino({ level: "silent" }),
    onSessionEnded: () => (endedInTurn += 1),
    onUserChanged: () => undefined,
  });
  for (const id of watched) expect(await sessions.admit(id, "ann")).not.toBeNull();
  stored.clear();
  vi.advanceTimersByTime(5_000);
  while (ended < watched.length) {
    await nextTurn();
    expect(endedInTurn).toBeLessThanOrEqual(1_000);
    ended += endedInTurn;
    endedInTurn = 0;
  }
  expect(sessions.isLive(watched[0])).toBe(false);
});
