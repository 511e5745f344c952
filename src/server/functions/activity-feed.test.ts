import fc from "fast-check";
import { expect, test } from "vitest";
import type { SecurityEvent } from "../accounts/audit/security-events.ts";
import type { Services } from "./services.ts";
import type { ActivityRecord } from "../records/activity.ts";
import { CursorError, decodeCursor, encodeCursor } from "../database/cursor.ts";
import { readFeed } from "./activity-feed.ts";

/** Two growing sources, each oldest first. */
class Sources {
  readonly rows: ActivityRecord[] = [];
  readonly events: SecurityEvent[] = [];
  timeMs = 1;
  /** A search in the history gives up after this many rows of a page. */
  rowsMax = Number.POSITIVE_INFINITY;

  happen(what: "row" | "event", pauseMs: number): void {
    this.timeMs += pauseMs;
    if (what === "row") {
      const planChange = {
        account: 1,
        planId: 1,
        amount: 0,
        assetId: 0,
        timestampMs: this.timeMs,
        sequence: 0,
      };
      this.rows.push({
        sequence: Math.floor(this.rows.length / 2) + 1,
        position: this.rows.length % 2,
        timestampMs: this.timeMs,
        kind: "plan",
        planChange,
      });
      return;
    }
    this.events.push({
      id: `e${this.events.length.toString().padStart(6, "0")}`,
      userId: "anna",
      actorId: null,
      kind: "signedIn",
      title: "Signed in",
      status: "completed",
      atMs: this.timeMs,
      address: null,
      userAgent: null,
    });
  }

  get services(): Services {
    return {
      views: {
        accounts: { ofUser: () => ({ account: 1 }) },
        people: { lastSequence: () => 0 },
        catalogue: { plan: () => ({ definition: { name: "Free" } }) },
      },
      history: {
        whenFresh: () => Promise.resolve(),
        projectedSequence: 0,
        read: {
          activity: ({ cursor, limit }: { cursor?: string; limit: number }) => {
            const [sequence, position] =
              cursor === undefined ? [Infinity, 0] : decodeCursor(cursor, 2);
            const older = this.rows
              .filter(
                (row) =>
                  row.sequence < sequence || (row.sequence === sequence && row.position < position),
              )
              .toReversed();
            const items = older.slice(0, Math.min(limit, this.rowsMax));
            const last = items.at(-1);
            const isOver = last === undefined || older.length === items.length;
            return Promise.resolve({
              items,
              cursor: isOver ? null : encodeCursor([last.sequence, last.position]),
            });
          },
        },
      },
      accounts: {
        securityEvents: ({ cursor, limit }: { cursor?: string; limit: number }) => {
          const older = this.events
            .filter(({ id }) => cursor === undefined || id <= cursor)
            .toReversed();
          return Promise.resolve({
            items: older.slice(0, limit),
            cursor: older.at(limit)?.id ?? null,
          });
        },
      },
    } as unknown as Services;
  }
}

const happenings = fc.array(
  fc.tuple(fc.constantFrom("row" as const, "event" as const), fc.integer({ min: 0, max: 2 })),
  { maxLength: 30 },
);

test("pages hold everything once and by time, whatever happens between them", async () => {
  await fc.assert(
    fc.asyncProperty(
      happenings,
      happenings,
      fc.integer({ min: 1, max: 7 }),
      fc.constantFrom(1, 2, Number.POSITIVE_INFINITY),
      async (before, meanwhile, limit, rowsMax) => {
        const sources = new Sources();
        sources.rowsMax = rowsMax;
        for (const [what, pauseMs] of before) sources.happen(what, pauseMs);
        const there = sources.rows.length + sources.events.length;
        const ids: string[] = [];
        const times: number[] = [];
        const later = [...meanwhile];
        let cursor: string | undefined;
        do {
          const page = await readFeed(sources.services, { userId: "anna", cursor, limit });
          expect(page.items.length).toBeLessThanOrEqual(limit);
          ids.push(...page.items.map(({ id }) => id));
          times.push(...page.items.map(({ time }) => time));
          cursor = page.cursor ?? undefined;
          const next = later.shift();
          if (next !== undefined) sources.happen(...next);
        } while (cursor !== undefined);
        expect(new Set(ids).size).toBe(ids.length);
        expect(ids).toHaveLength(there);
        expect(times).toEqual(times.toSorted((left, right) => right - left));
      },
    ),
  );
});

test("a cursor that no page handed out is refused", async () => {
  const { services } = new Sources();
  for (const cursor of ["", "~x~", "nonsense", "bm9uc2Vuc2U~"]) {
    await expect(readFeed(services, { userId: "anna", cursor, limit: 3 })).rejects.toThrow(
      CursorError,
    );
  }
});
