/**
 * Limits how often a network address may request a path. Counts are stored in the database, so that
 * a restart does not reset them, and per path pattern: a row for every made-up token would let an
 * attacker fill the table.
 */
import type { BetterAuthOptions } from "better-auth";
import { sql } from "kysely";
import type { Database } from "../../database/open-database.ts";
import type { KnownPaths } from "./known-paths.ts";

type LimitStorage = NonNullable<NonNullable<BetterAuthOptions["rateLimit"]>["customStorage"]>;
export interface Rule {
  /** Seconds. */
  readonly window: number;
  readonly max: number;
}

/** Longer than every window. */
const KEPT_MS = 10 * 60_000;
const PRUNED_EVERY_MS = 60_000;
/** Few enough not to delay other requests. */
const PRUNED_PER_WRITE = 500;

export function createAddressLimit({ counters }: Database, patternOf: KnownPaths) {
  let prunedAtMs = 0;

  /** Runs with every request while rows remain: SQLite deletes on this thread. */
  async function prune(nowMs: number): Promise<void> {
    if (nowMs - prunedAtMs < PRUNED_EVERY_MS) return;
    prunedAtMs = nowMs;
    const old = counters
      .selectFrom("rateLimit")
      .select("key")
      .where("lastRequest", "<=", nowMs - KEPT_MS)
      .limit(PRUNED_PER_WRITE);
    const { numDeletedRows } = await counters
      .deleteFrom("rateLimit")
      .where("key", "in", old)
      .executeTakeFirst();
    if (numDeletedRows >= PRUNED_PER_WRITE) prunedAtMs = 0;
  }

  return {
    /** @param key the address and the path, separated by a vertical bar */
    async consume(key: string, { window, max }: Rule) {
      const nowMs = Date.now();
      await prune(nowMs);
      const at = key.indexOf("|");
      const path = key.slice(at + 1);
      const counted = `${key.slice(0, at)}|${patternOf(path) ?? path}`;
      const overMs = nowMs - window * 1000;
      // One statement, so that concurrent requests cannot all pass on the same count.
      const row = await counters
        .insertInto("rateLimit")
        .values({ id: counted, key: counted, count: 1, lastRequest: nowMs })
        .onConflict((conflict) =>
          conflict.column("key").doUpdateSet({
            count: sql<number>`case when "rateLimit"."lastRequest" <= ${overMs}
              then 1 else "rateLimit"."count" + 1 end`,
            lastRequest: sql<number>`case when "rateLimit"."lastRequest" <= ${overMs}
              then excluded."lastRequest" else "rateLimit"."lastRequest" end`,
          }),
        )
        .returning(["count", "lastRequest"])
        .executeTakeFirstOrThrow();
      if (row.count <= max) return { allowed: true, retryAfter: null };
      const waitSeconds = Math.ceil((row.lastRequest - overMs) / 1000);
      return { allowed: false, retryAfter: Math.max(1, waitSeconds) };
    },
  } satisfies Pick<LimitStorage, "consume">;
}
