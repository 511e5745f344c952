/**
 * Sums an account's balance changes between moments, exactly. Every entry of the account up to the
 * end is read once, in pages, so that other reads can run in between.
 */
import type { Kysely } from "kysely";
import { assert } from "#engine/assert.ts";
import type { PostingReason } from "#engine/accounts/postings.ts";
import type { Tables } from "../../database/tables.ts";
import { readInTurns } from "./pages.ts";

export interface StatementQuery {
  readonly account: number;
  /**
   * Milliseconds since 1970 UTC, ascending: each period begins at one bound, inclusive, and ends at
   * the next, exclusive.
   */
  readonly boundsMs: readonly number[];
}

/** Sums of one asset, in its units. */
export interface StatementSums {
  readonly assetId: number;
  /** Available and held together, before the period. */
  readonly opening: bigint;
  /** Available and held together, at the end of the period. */
  readonly closing: bigint;
  readonly closingHeld: bigint;
  /** Sums of the period's entries by reason; entries between available and held sum to zero. */
  readonly reasons: ReadonlyMap<PostingReason, ReasonSum>;
}
interface ReasonSum {
  amount: bigint;
  entries: number;
}

interface Sums {
  readonly assetId: number;
  opening: bigint;
  closing: bigint;
  closingHeld: bigint;
  readonly reasons: Map<PostingReason, ReasonSum>;
}

/** An account's balances, and how they changed since the period began. */
class Balances {
  #byAsset = new Map<number, Sums>();

  add(assetId: number, amount: bigint, isHeld: boolean, reason: PostingReason): void {
    const sums: Sums = this.#byAsset.get(assetId) ?? {
      assetId,
      opening: 0n,
      closing: 0n,
      closingHeld: 0n,
      reasons: new Map(),
    };
    this.#byAsset.set(assetId, sums);
    sums.closing += amount;
    if (isHeld) sums.closingHeld += amount;
    const sum = sums.reasons.get(reason) ?? { amount: 0n, entries: 0 };
    sum.amount += amount;
    sum.entries += 1;
    sums.reasons.set(reason, sum);
  }

  /** Ends the period and begins the next. @returns the sums of the ended period, by asset number */
  close(): StatementSums[] {
    const ended = [...this.#byAsset.values()].toSorted((a, b) => a.assetId - b.assetId);
    this.#byAsset = new Map(
      ended.map((sums) => [sums.assetId, { ...sums, opening: sums.closing, reasons: new Map() }]),
    );
    return ended;
  }
}

/** The sums of each period, by asset number. */
export async function readStatements(
  read: Kysely<Tables>,
  { account, boundsMs }: StatementQuery,
): Promise<StatementSums[][]> {
  const rises = boundsMs.every((bound, index) => index === 0 || boundsMs[index - 1] <= bound);
  if (!rises) throw new RangeError("a statement begins before it ends");
  const balances = new Balances();
  const periods: StatementSums[][] = [];
  let bound = 0;
  const closeUntil = (timeMs: number): void => {
    for (; bound < boundsMs.length && timeMs >= boundsMs[bound]; bound += 1) {
      const ended = balances.close();
      if (bound > 0) periods.push(ended);
    }
  };
  const entries = read
    .selectFrom("ledger_entries")
    .select(["sequence", "position", "asset_id", "amount", "balance", "reason", "time"])
    .where("account", "=", account);
  let lastTime = 0;
  for await (const rows of readInTurns(entries, ["sequence", "position"])) {
    for (const row of rows) {
      assert(row.time >= lastTime, "times never fall");
      lastTime = row.time;
      closeUntil(row.time);
      // All further entries are even later.
      if (bound === boundsMs.length) return periods;
      balances.add(row.asset_id, BigInt(row.amount), row.balance === "held", row.reason);
    }
  }
  closeUntil(Number.POSITIVE_INFINITY);
  return periods;
}
