/** Reads the events of an account and its orders, as programs request them. Every read is bounded. */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Kysely } from "kysely";
import type { Tables } from "../../database/tables.ts";
import type { TransferRecord } from "../../records/activity.ts";
import { PREVENTED_MATCHES, type PreventedMatchRecord } from "../../records/prevented-matches.ts";
import { ORDER_CHANGES, type OrderChangeRecord } from "../../records/order-changes.ts";
import { readActivityPage } from "./activity-reader.ts";
import { readInTurns } from "./pages.ts";

/** Transfers read at a time. */
const ROWS_PER_READ = 1_000;

export interface PracticeFundsQuery {
  readonly account: number;
  /** Restricts the read to these coins. */
  readonly assetIds?: readonly number[] | undefined;
  /** Milliseconds since 1970 UTC, both included. */
  readonly fromMs: number;
  readonly toMs: number;
  /** How many of the newest entries are skipped. */
  readonly offset: number;
  readonly limit: number;
}

/**
 * Practice funds taken by an account, newest first. They are searched among its transfers, of which there may
 * be very many, in bounded reads between which other reads can run.
 */
export async function readPracticeFunds(
  read: Kysely<Tables>,
  { account, assetIds, fromMs, toMs, offset, limit }: PracticeFundsQuery,
): Promise<TransferRecord[]> {
  const found: TransferRecord[] = [];
  const period = { account, kind: "transfer", fromMs, toMs: toMs + 1 } as const;
  for (let cursor: string | undefined; ;) {
    const page = await readActivityPage(read, { ...period, cursor, limit: ROWS_PER_READ });
    for (const { transfer } of page.items.filter((item) => item.kind === "transfer")) {
      if (transfer.reason !== "practiceFunds") continue;
      if (assetIds?.includes(transfer.assetId) !== false) found.push(transfer);
    }
    if (page.cursor === null || found.length >= offset + limit) break;
    ({ cursor } = page);
    await nextTurn();
  }
  return found.slice(offset, offset + limit);
}

export interface AmendmentsQuery {
  readonly account: number;
  readonly orderId: number;
  /** The first sequence to read; entries are identified by their commands' sequences. */
  readonly fromSequence: number;
  readonly limit: number;
}

/**
 * The amendments of an order, oldest first. They are searched among its changes, of which there may be very
 * many.
 */
export async function readAmendments(
  read: Kysely<Tables>,
  { account, orderId, fromSequence, limit }: AmendmentsQuery,
): Promise<OrderChangeRecord[]> {
  const changes = read
    .selectFrom("order_changes")
    .selectAll()
    .where("account", "=", account)
    .where("order_id", "=", orderId);
  const found: OrderChangeRecord[] = [];
  for await (const rows of readInTurns(changes, ["sequence", "position"], [fromSequence, -1])) {
    found.push(...rows.filter(({ kind }) => kind === "amended").map(ORDER_CHANGES.fromRow));
    if (found.length >= limit) break;
  }
  return found.slice(0, limit);
}

export interface PreventedMatchesQuery {
  readonly account: number;
  readonly marketId: number;
  /** Restricts the read to matches of this order, on either side. */
  readonly orderId?: number | undefined;
  readonly matchId?: number | undefined;
  /** The first match id to read. */
  readonly fromMatchId: number;
  readonly limit: number;
}

/** An account's prevented self-trades in a market, by match id. */
export async function readPreventedMatches(
  read: Kysely<Tables>,
  query: PreventedMatchesQuery,
): Promise<PreventedMatchRecord[]> {
  const rows = await selectPreventedMatches(read, query).execute();
  return rows.map(PREVENTED_MATCHES.fromRow);
}

/** The database query of `readPreventedMatches`. */
export function selectPreventedMatches(
  read: Kysely<Tables>,
  { account, fromMatchId, limit, marketId, matchId, orderId }: PreventedMatchesQuery,
) {
  let matches = read
    .selectFrom("prevented_matches")
    .selectAll()
    .where("account", "=", account)
    .where("market_id", "=", marketId);
  if (matchId !== undefined) matches = matches.where("match_id", "=", matchId);
  if (orderId === undefined) {
    matches = matches.where("match_id", ">=", fromMatchId);
  } else {
    // Each side has an index that contains all columns read here. Otherwise SQLite would rather read
    // all matches of the account. As many as are wanted are enough of each side: all matches of an
    // order are of its market.
    const ids = read
      .selectFrom("prevented_matches")
      .select("match_id")
      .where("account", "=", account)
      .where("match_id", ">=", fromMatchId)
      .orderBy("match_id")
      .limit(limit);
    const asTaker = ids.where("taker_order_id", "=", orderId).as("of_taker");
    const asMaker = ids.where("maker_order_id", "=", orderId).as("of_maker");
    const ofMaker = read.selectFrom(asMaker).select("match_id");
    const ofBoth = read.selectFrom(asTaker).select("match_id").unionAll(ofMaker);
    matches = matches.where("match_id", "in", ofBoth);
  }
  return matches.orderBy("match_id").limit(limit);
}

/** Maps orders of an account to their list ids; orders of no list are omitted. */
export async function readListIds(
  read: Kysely<Tables>,
  account: number,
  orderIds: readonly number[],
): Promise<Map<number, number>> {
  if (orderIds.length === 0) return new Map();
  const rows = await read
    .selectFrom("orders")
    .select(["order_id", "list_id"])
    .where("account", "=", account)
    .where("order_id", "in", orderIds)
    .where("list_id", ">", 0)
    .execute();
  return new Map(rows.map((row) => [row.order_id, row.list_id]));
}
