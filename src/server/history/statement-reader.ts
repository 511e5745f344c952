/**
 * An account's balance changes between two moments, summed exactly. Every entry of the account up
 * to the end is read, in pages, so that other reads get their turn in between.
 */
import type { Kysely } from "kysely";
import { assert } from "#engine/assert.ts";
import type { PostingReason } from "#engine/accounts/postings.ts";
import type { Tables } from "../database/tables.ts";

export interface StatementQuery {
  readonly account: number;
  /** Milliseconds since 1970 UTC; the inclusive beginning. */
  readonly fromMs: number;
  /** The exclusive end. */
  readonly toMs: number;
}

/** Of one asset, in its units. */
export interface StatementSums {
  readonly assetId: number;
  /** Available and held together, before `fromMs`. */
  readonly opening: bigint;
  /** At `toMs`. */
  readonly closing: bigint;
  readonly closingHeld: bigint;
  /** Of the entries within the period; those between available and held sum to zero. */
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

const ROWS_PER_READ = 2_000;

/** By asset number. */
export async function readStatement(
  read: Kysely<Tables>,
  { account, fromMs, toMs }: StatementQuery,
): Promise<StatementSums[]> {
  if (fromMs > toMs) throw new RangeError("a statement begins before it ends");
  const byAsset = new Map<number, Sums>();
  let last = { sequence: 0, position: 0, time: 0 };
  for (;;) {
    const { sequence, position } = last;
    const rows = await read
      .selectFrom("ledger_entries")
      .select(["sequence", "position", "asset_id", "amount", "balance", "reason", "time"])
      .where("account", "=", account)
      .where((where) =>
        where.eb(where.refTuple("sequence", "position"), ">", where.tuple(sequence, position)),
      )
      .orderBy("sequence")
      .orderBy("position")
      .limit(ROWS_PER_READ)
      .execute();
    for (const row of rows) {
      assert(row.time >= last.time, "times never fall");
      last = row;
      // All further entries are later still.
      if (row.time >= toMs) return inOrder(byAsset);
      const sums = sumsOf(byAsset, row.asset_id);
      const amount = BigInt(row.amount);
      sums.closing += amount;
      if (row.balance === "held") sums.closingHeld += amount;
      if (row.time < fromMs) sums.opening += amount;
      else addTo(sums.reasons, row.reason, amount);
    }
    if (rows.length < ROWS_PER_READ) return inOrder(byAsset);
    // SQLite answers synchronously: other work gets the thread between two reads.
    await new Promise((resolve) => setImmediate(resolve));
  }
}

function sumsOf(byAsset: Map<number, Sums>, assetId: number): Sums {
  const known = byAsset.get(assetId);
  if (known !== undefined) return known;
  const sums = { assetId, opening: 0n, closing: 0n, closingHeld: 0n, reasons: new Map() };
  byAsset.set(assetId, sums);
  return sums;
}

function addTo(reasons: Sums["reasons"], reason: PostingReason, amount: bigint): void {
  const sum = reasons.get(reason) ?? { amount: 0n, entries: 0 };
  sum.amount += amount;
  sum.entries += 1;
  reasons.set(reason, sum);
}

function inOrder(byAsset: ReadonlyMap<number, Sums>): Sums[] {
  return [...byAsset.values()].toSorted((a, b) => a.assetId - b.assetId);
}
