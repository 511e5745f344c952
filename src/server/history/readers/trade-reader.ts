/**
 * Reads past trades and prices of a market. Trades are numbered in the order of their sequences and
 * times.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import type { Kysely } from "kysely";
import type { Tables } from "../../database/tables.ts";
import { type TradeRecord, TRADES } from "../../records/trades.ts";
import { lastEarlyRow } from "./last-early-row.ts";

export interface TradesFrom {
  readonly marketId: number;
  readonly fromTradeId: number;
  readonly limit: number;
}

/** The market's last price in ticks before a command; 0 before its first trade. */
export async function readTicksBefore(
  read: Kysely<Tables>,
  marketId: number,
  sequence: number,
): Promise<number> {
  const trade = await readLastTrade(read, marketId, (candidate) => candidate.sequence < sequence);
  return trade?.price_ticks ?? 0;
}

/** Prices found in one read. */
const PRICES_MAX = 500;

/**
 * The market's last price in ticks before each of some commands, with turns for other reads in
 * between.
 * @throws RangeError for too many commands
 */
export async function readTicksBeforeEach(
  read: Kysely<Tables>,
  marketId: number,
  sequences: readonly number[],
): Promise<Map<number, number>> {
  if (sequences.length > PRICES_MAX) throw new RangeError("too many prices are asked for");
  const found = new Map<number, number>();
  let trade: Tables["trades"] | undefined;
  let isAfterFirst = true;
  for (const sequence of sequences.toSorted((left, right) => right - left)) {
    // Between most commands of an account its market has not traded, or only with it.
    if (isAfterFirst && (trade === undefined || trade.sequence >= sequence)) {
      trade = await readLastTrade(read, marketId, (candidate) => candidate.sequence < sequence);
      isAfterFirst = trade !== undefined;
      await nextTurn();
    }
    found.set(sequence, trade?.price_ticks ?? 0);
  }
  return found;
}

/** The number of the market's first trade at or after a time; undefined if there is none yet. */
export async function readTradeIdFrom(
  read: Kysely<Tables>,
  marketId: number,
  timeMs: number,
): Promise<number | undefined> {
  const before = await readLastTrade(read, marketId, ({ time }) => time < timeMs);
  const [first] = await readTradesFrom(read, {
    marketId,
    fromTradeId: (before?.trade_id ?? 0) + 1,
    limit: 1,
  });
  return first?.tradeId;
}

/** A market's trades, oldest first, from a number on. */
export async function readTradesFrom(
  read: Kysely<Tables>,
  { marketId, fromTradeId, limit }: TradesFrom,
): Promise<TradeRecord[]> {
  const rows = await read
    .selectFrom("trades")
    .selectAll()
    .where("market_id", "=", marketId)
    .where("trade_id", ">=", fromTradeId)
    .orderBy("trade_id")
    .limit(limit)
    .execute();
  return rows.map(TRADES.fromRow);
}

/**
 * The market's last trade that is early; undefined if none is.
 * @param isEarly true up to some trade, false from then on
 */
function readLastTrade(
  read: Kysely<Tables>,
  marketId: number,
  isEarly: (trade: Tables["trades"]) => boolean,
) {
  const trades = read.selectFrom("trades").selectAll().where("market_id", "=", marketId);
  return lastEarlyRow(trades, ["trade_id"], isEarly);
}
