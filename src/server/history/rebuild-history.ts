/**
 * Drops the history and rebuilds it from a journal's events, in this thread. Nothing else may write
 * the history at the same time. If interrupted, it keeps its progress; the exchange's next start or
 * another rebuild completes it.
 */
import type { ExchangeEvent } from "#engine/events.ts";
import { emptyTables } from "../database/empty-tables.ts";
import type { Database } from "../database/open-database.ts";
import { retrySerialization } from "../database/retry-serialization.ts";
import type { Log } from "../log.ts";
import type { Progress } from "./progress.ts";
import { HistoryProjector, type SimulatedCandles } from "./projector.ts";

const TABLES = [
  "orders",
  "order_changes",
  "order_lists",
  "prevented_matches",
  "fills",
  "trades",
  "ledger_entries",
  "admin_changes",
  "candles",
  "activity",
] as const;
const EVENTS_PER_TRANSACTION = 5_000;
const NOTHING: Progress = { sequence: 0, time: 0, originTime: 0 };

export interface RebuildOptions {
  /** Open and migrated. */
  readonly database: Database;
  /** Every event from sequence 1 on, in batches of complete commands. */
  readonly events: AsyncIterable<readonly ExchangeEvent[]> | Iterable<readonly ExchangeEvent[]>;
  readonly simulatedCandles: SimulatedCandles;
  readonly log: Log;
}

/** Removes every row of the history; the next start, or a rebuild, projects it from the journal. */
export async function emptyHistory(database: Database): Promise<void> {
  await retrySerialization(() =>
    database.write.transaction().execute(async (transaction) => {
      await emptyTables(transaction, TABLES);
      await transaction
        .updateTable("history_progress")
        .set({ sequence: 0, time: 0, origin_time: 0 })
        .execute();
    }),
  );
}

/** @returns the sequence that the history has now reached */
export async function rebuildHistory(options: RebuildOptions): Promise<number> {
  const { database, events, simulatedCandles, log } = options;
  await emptyHistory(database);
  const projector = new HistoryProjector({
    write: database.write,
    progress: NOTHING,
    simulatedCandles,
    persist: retrySerialization,
  });
  let waiting: ExchangeEvent[] = [];
  let originTime = 0;
  const projectWaiting = async () => {
    const last = waiting.at(-1);
    if (last === undefined) return;
    const end = { sequence: last.sequence, time: last.timestampMs, originTime };
    await projector.project({ events: waiting, end });
    log.debug({ sequence: last.sequence }, "history rebuilt so far");
    waiting = [];
  };
  for await (const batch of events) {
    if (originTime === 0 && batch.length > 0) originTime = batch[0].timestampMs;
    for (const event of batch) waiting.push(event);
    if (waiting.length >= EVENTS_PER_TRANSACTION) await projectWaiting();
  }
  await projectWaiting();
  return projector.sequence;
}
