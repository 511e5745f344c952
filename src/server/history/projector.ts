/**
 * Writes the rows of events into the tables, each batch in one transaction with its progress, so
 * that after any interruption the tables are exactly those of some sequence.
 */
import { sql, type Kysely } from "kysely";
import { assert } from "#engine/assert.ts";
import type { EventOf, ExchangeEvent } from "#engine/events.ts";
import { isSqlite } from "../database/dialect.ts";
import { insertRows } from "../database/insert-rows.ts";
import type { Tables } from "../database/tables.ts";
import { ADMIN_CHANGES } from "../records/admin-changes.ts";
import { CANDLES, QUOTE_PART } from "../records/candles.ts";
import { LEDGER_ENTRIES } from "../records/ledger-entries.ts";
import { ORDER_LISTS } from "../records/order-lists.ts";
import { ORDER_CHANGES } from "../records/order-changes.ts";
import { ORDERS } from "../records/orders.ts";
import { PREVENTED_MATCHES } from "../records/prevented-matches.ts";
import { FILLS, TRADES } from "../records/trades.ts";
import type { CandleColumns } from "../simulator/candle-history.ts";
import { HistoryFold, type HistoryFoldState, HistoryRows } from "./fold.ts";
import { simulatedCandleRows } from "./candle-deltas.ts";
import { type Progress, readProgress } from "./progress.ts";
import type { SimulatedTrades } from "./simulated-trades.ts";
import type { WritingTurn } from "./writing-turn.ts";

export type SimulatedCandles = (
  seed: number,
  marketSymbol: string,
  startedAtMs: number,
) => CandleColumns;

/**
 * The events of consecutive complete commands, from sequence 1 on and without a gap between
 * batches.
 */
export interface ProjectedBatch {
  readonly events: readonly ExchangeEvent[];
  /** The last sequence of the batch, which may have no event that the history keeps. */
  readonly end: Progress;
}

/** The tables contradict these events; only a rebuild helps. */
export class HistoryMismatchError extends Error {
  override readonly name: string = "HistoryMismatchError";
}

/** The tables advanced without this process: another exchange writes them, and both take commands. */
export class HistoryTakenError extends HistoryMismatchError {
  override readonly name = "HistoryTakenError";
}

/** Another node writes the tables now, and has not written this batch yet. */
class TurnLostError extends HistoryMismatchError {
  override readonly name = "TurnLostError";
}

/**
 * Rows per transaction while the simulated history is written, so that other writers are not
 * delayed.
 */
const SIMULATED_ROWS_PER_TRANSACTION = 10_000;

const UPSERT_ORDER = `on conflict (account, order_id) do update set
  ${ORDERS.changingColumns.map((column) => `${column} = excluded.${column}`).join(", ")}`;
const UPSERT_ACTIVITY = `on conflict (account, sequence, position) do update set
  search_text = excluded.search_text`;
/** SQL that adds volumes, capped at the largest exact integer. */
const sumOfLots = (column: string) =>
  `${column} = case when candles.${column} > ${Number.MAX_SAFE_INTEGER} - excluded.${column}
    then ${Number.MAX_SAFE_INTEGER} else candles.${column} + excluded.${column} end`;
/** SQL that adds quote volumes, which have two parts (records/candles.ts). */
const sumOfQuote = (high: string, low: string) =>
  `${high} = candles.${high} + excluded.${high} + (candles.${low} + excluded.${low}) / ${QUOTE_PART},
  ${low} = (candles.${low} + excluded.${low}) % ${QUOTE_PART}`;
const MERGE_CANDLE = `on conflict (market_id, interval_seconds, open_time) do update set
  high_ticks = case when excluded.high_ticks > candles.high_ticks
    then excluded.high_ticks else candles.high_ticks end,
  low_ticks = case when excluded.low_ticks < candles.low_ticks
    then excluded.low_ticks else candles.low_ticks end,
  close_ticks = excluded.close_ticks,
  trade_count = candles.trade_count + excluded.trade_count,
  ${sumOfLots("volume_lots")}, ${sumOfLots("taker_buy_lots")},
  ${sumOfQuote("quote_high", "quote_low")},
  ${sumOfQuote("taker_buy_quote_high", "taker_buy_quote_low")}`;
/**
 * SQL that replaces a candle: if the simulated history is written again after an interruption, the
 * result must be the same.
 */
const REPLACE_CANDLE = `on conflict (market_id, interval_seconds, open_time) do update set
  ${CANDLES.columns
    .filter((column) => column !== "open_time")
    .map((column) => `${column} = excluded.${column}`)
    .join(", ")}`;

export class HistoryProjector {
  readonly #write: Kysely<Tables>;
  readonly #simulatedCandles: SimulatedCandles;
  readonly #persist: (transaction: () => Promise<void>) => Promise<void>;
  readonly #turn: WritingTurn | undefined;
  readonly #isClosing: () => boolean;
  readonly #fold = new HistoryFold();
  #progress: Progress;
  /** The sequence of the newest folded event. */
  #foldedSequence = 0;

  /**
   * @param persist runs a transaction until it succeeds or gives up; it may run it several times
   */
  constructor(options: {
    write: Kysely<Tables>;
    progress: Progress;
    simulatedCandles: SimulatedCandles;
    persist: (transaction: () => Promise<void>) => Promise<void>;
    /** Given if several nodes share the tables. */
    turn?: WritingTurn;
    /** Whether to stop waiting for a turn. */
    isClosing?: () => boolean;
  }) {
    this.#write = options.write;
    this.#progress = options.progress;
    this.#simulatedCandles = options.simulatedCandles;
    this.#persist = options.persist;
    this.#turn = options.turn;
    this.#isClosing = options.isClosing ?? (() => false);
  }

  get sequence(): number {
    return this.#progress.sequence;
  }

  /** Removes some old trades of the simulation, if there are any. */
  async removeOldTrades(trades: SimulatedTrades): Promise<void> {
    await this.#persist(async () => {
      await trades.step(this.#progress, this.#fold.simulatedMarkets.keys());
    });
  }

  /** Continues from the state of a fold at a sequence that the tables have reached. */
  restore(state: HistoryFoldState): void {
    this.#fold.restore(state);
  }

  /**
   * Writes a batch into the tables, or waits until another node has written it.
   * @returns false if it is not there, because the process ends
   * @throws HistoryTakenError, HistoryMismatchError if another process changed the tables in the meantime
   */
  async project({ events, end }: ProjectedBatch): Promise<boolean> {
    if (!(await this.#waitForTurn(end.sequence))) return false;
    const { originTime } = end;
    let rows = new HistoryRows();
    for (const event of events) {
      const { sequence, timestampMs: time } = event;
      assert(sequence >= this.#foldedSequence, "history folds events in order");
      assert(sequence <= end.sequence, "a batch of history has whole commands");
      this.#foldedSequence = sequence;
      if (sequence <= this.#progress.sequence) {
        this.#fold.fold(event, undefined);
      } else if (event.type === "simulationStarted") {
        // Earlier rows must be in the tables before the simulated history, which replaces candles.
        await this.#writeRows(rows, { sequence: sequence - 1, time: 0, originTime });
        rows = new HistoryRows();
        await this.#writeSimulatedHistory(event);
        await this.#writeRows(rows, { sequence, time, originTime });
      } else {
        this.#fold.fold(event, rows);
      }
    }
    if (end.sequence > this.#progress.sequence) await this.#writeRows(rows, end);
    return true;
  }

  /** Whether this node may write, or need not; false if the process ends before. */
  async #waitForTurn(sequence: number): Promise<boolean> {
    const turn = this.#turn;
    if (turn === undefined) return true;
    let progress: Progress | undefined;
    await this.#persist(async () => {
      progress = await turn.whenWriter(sequence, this.#isClosing);
    });
    if (progress === undefined) return false;
    this.#progress = progress;
    return true;
  }

  async #writeRows(rows: HistoryRows, next: Progress): Promise<void> {
    const orders = byAccount([...rows.orders.values()]).map(ORDERS.toRow);
    const changes = rows.orderChanges.map(ORDER_CHANGES.toRow);
    const lists = rows.orderLists.map(ORDER_LISTS.toRow);
    const prevented = rows.preventedMatches.map(PREVENTED_MATCHES.toRow);
    const fills = byAccount(rows.fills).map(FILLS.toRow);
    const trades = rows.trades.map(TRADES.toRow);
    const entries = byAccount(rows.ledgerEntries).map(LEDGER_ENTRIES.toRow);
    const activity = byAccount([...rows.activity.values()]);
    const adminChanges = rows.adminChanges.map(ADMIN_CHANGES.toRow);
    const write = (previous: Progress) =>
      this.#write.transaction().execute(async (transaction) => {
        if (!(await advance(transaction, previous, next, this.#turn?.writer))) return;
        await insertRows(transaction, "orders", orders, UPSERT_ORDER);
        await insertRows(transaction, "order_changes", changes);
        await insertRows(transaction, "order_lists", lists);
        await insertRows(transaction, "prevented_matches", prevented);
        await insertRows(transaction, "fills", fills);
        await insertRows(transaction, "trades", trades);
        await insertRows(transaction, "ledger_entries", entries);
        await insertRows(transaction, "admin_changes", adminChanges);
        await insertRows(transaction, "candles", rows.candles, MERGE_CANDLE);
        await insertRows(transaction, "activity", activity, UPSERT_ACTIVITY);
      });
    const previous = this.#progress;
    // Repeated only if another node has taken the turn and lost it.
    while (this.#progress.sequence < next.sequence) {
      try {
        await this.#persist(() => write(previous));
        this.#progress = next;
      } catch (error) {
        if (!(error instanceof TurnLostError)) throw error;
        this.#turn?.lose();
        if (!(await this.#waitForTurn(next.sequence))) throw error;
        const { sequence } = this.#progress;
        // Candles are sums, so a part of a batch cannot be added.
        if (sequence > previous.sequence && sequence < next.sequence) throw error;
      }
    }
  }

  async #writeSimulatedHistory({ seed, timestampMs }: EventOf<"simulationStarted">): Promise<void> {
    for (const [marketId, { symbol, tickLotUnits }] of this.#fold.simulatedMarkets) {
      const columns = this.#simulatedCandles(seed, symbol, timestampMs);
      const rows = simulatedCandleRows(marketId, columns, tickLotUnits);
      for (let next = 0; next < rows.length; next += SIMULATED_ROWS_PER_TRANSACTION) {
        const group = rows.slice(next, next + SIMULATED_ROWS_PER_TRANSACTION);
        await this.#persist(() =>
          this.#write
            .transaction()
            .execute((transaction) => insertRows(transaction, "candles", group, REPLACE_CANDLE)),
        );
      }
    }
    // PostgreSQL would update its statistics a minute later, and until then sort a whole market's
    // rows for each page.
    if (!isSqlite(this.#write)) {
      await this.#persist(async () => {
        await sql`analyze candles`.execute(this.#write);
      });
    }
  }
}

/**
 * Sorts rows of users as their tables do first. A statement of many rows then changes few pages, each of which
 * SQLite copies once per statement, in case it has to be undone.
 */
function byAccount<Row extends { readonly account: number }>(rows: readonly Row[]): Row[] {
  return rows.toSorted((one, other) => one.account - other.account);
}

/**
 * Advances the progress, as the first statement of its transaction. Returns false if an earlier
 * attempt was committed but its answer was lost, in which case the rows are already there.
 */
async function advance(
  transaction: Kysely<Tables>,
  previous: Progress,
  next: Progress,
  writer: string | undefined,
): Promise<boolean> {
  const isNext = transaction
    .updateTable("history_progress")
    .set({ sequence: next.sequence, time: next.time, origin_time: next.originTime })
    .where("id", "=", 1)
    .where("sequence", "=", previous.sequence);
  const isNextOfWriter = writer === undefined ? isNext : isNext.where("writer", "=", writer);
  const { numUpdatedRows } = await isNextOfWriter.executeTakeFirst();
  if (numUpdatedRows === 1n) return true;
  const { sequence, time } = await readProgress(transaction);
  if (sequence === next.sequence && time === next.time) return false;
  if (writer !== undefined) {
    throw new TurnLostError("Another node has written a part of what this one was about to write.");
  }
  const moved = `the history in the database moved from sequence ${previous.sequence} to ${sequence}`;
  if (sequence > previous.sequence) {
    throw new HistoryTakenError(
      `Another exchange writes to the same database: ${moved}. Stop the one that was started last, and ` +
        "never start a copy of a data directory beside the original.",
    );
  }
  throw new HistoryMismatchError(`By another process ${moved}.`);
}
