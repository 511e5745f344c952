/**
 * The thread that writes the history. It has its own connection, so nothing else waits for its writes.
 * If the database fails, it retries with growing pauses until it succeeds; batches wait, and the
 * exchange continues.
 */
import { setTimeout as delay } from "node:timers/promises";
import { parentPort, workerData } from "node:worker_threads";
import { decodeEvents } from "#engine/event-buffer.ts";
import { loadSqlite } from "../database/load-sqlite.ts";
import { openDatabase, type Database, type DatabaseLocation } from "../database/open-database.ts";
import { createSilentLog, messageOf } from "../log.ts";
import { HistoryMismatchError, HistoryProjector, HistoryTakenError } from "./projector.ts";
import type { Progress } from "./progress.ts";
import type { SimulatedCandles } from "./projector.ts";
import { SimulatedTrades } from "./simulated-trades.ts";
import type { BacklogBatch } from "./backlog.ts";
import type { HistoryFoldState } from "./fold.ts";
import { WritingTurn } from "./writing-turn.ts";

export interface HistoryWorkerData {
  readonly location: DatabaseLocation;
  /** The content of the tables when the process began. */
  readonly progress: Progress;
  /** Path of a module that exports `simulatedCandles`. */
  readonly simulatedCandlesModule: string;
  /** How long, in milliseconds, trades of the simulation stay; permanently if absent. */
  readonly simulatedTradesKeptMs: number | undefined;
  /** The name of this node among those that share the database; undefined if it has no others. */
  readonly writer: string | undefined;
}

/**
 * First the state at a snapshot, if there is one; then batches to project; finally "close". At any time
 * whether this node may write, if there are others.
 */
export type ToHistoryWorker =
  | { readonly restored: HistoryFoldState }
  | { readonly mayWrite: boolean }
  | BacklogBatch
  | "close";

export type FromHistoryWorker =
  /** The first message, which shows that the thread may be terminated: see worker-loaded.ts. */
  | { readonly type: "loaded" }
  | { readonly type: "projected"; readonly sequence: number }
  | { readonly type: "retrying"; readonly reason: string }
  | {
      readonly type: "failed";
      readonly reason: string;
      readonly isTaken: boolean;
    };

const FIRST_PAUSE_MS = 50;
const PAUSE_MS_MAX = 5_000;

if (parentPort === null) throw new Error("history-worker.ts runs as a worker only");
const port = parentPort;
const { location, progress, simulatedCandlesModule, simulatedTradesKeptMs, writer } =
  workerData as HistoryWorkerData;
if (location.databaseUrl === undefined) loadSqlite();
send({ type: "loaded" });

let database: Database | undefined;
let oldTrades: SimulatedTrades | undefined;
let turn: WritingTurn | undefined;
let mayWrite = false;
let isClosing = false;
const projector = openProjector();
let work: Promise<void> = Promise.resolve();
let failed = false;

port.on("message", (message: ToHistoryWorker) => {
  // Closing does not wait for pending retries.
  if (message === "close") isClosing = true;
  else if ("mayWrite" in message) {
    // At once: the work under way may wait for this.
    ({ mayWrite } = message);
    turn?.grant(mayWrite);
    return;
  }
  work = work.then(() => (message === "close" ? close() : take(message)));
});

async function take(
  message: Exclude<ToHistoryWorker, "close" | { readonly mayWrite: boolean }>,
): Promise<void> {
  if (failed) return;
  try {
    const opened = await projector;
    if ("restored" in message) {
      opened.restore(message.restored);
      return;
    }
    const { events, end } = message;
    if (!(await opened.project({ events: decodeEvents(events), end }))) return;
    send({ type: "projected", sequence: end.sequence });
    if (writer !== undefined && !mayWrite) return;
    if (oldTrades !== undefined && !isClosing) await opened.removeOldTrades(oldTrades);
  } catch (error) {
    failed = true;
    send({ type: "failed", reason: messageOf(error), isTaken: error instanceof HistoryTakenError });
  }
}

async function close(): Promise<void> {
  await projector.catch(() => undefined);
  await database?.close();
  port.close();
}

async function openProjector(): Promise<HistoryProjector> {
  const { simulatedCandles } = (await import(simulatedCandlesModule)) as {
    simulatedCandles: SimulatedCandles;
  };
  return retryUntilDone(async () => {
    database ??= await openDatabase({ ...location, log: createSilentLog() });
    const { write } = database;
    const keptMs = simulatedTradesKeptMs;
    if (keptMs !== undefined) oldTrades = new SimulatedTrades({ write, keptMs });
    if (writer !== undefined) {
      turn ??= new WritingTurn(write, writer);
      turn.grant(mayWrite);
    }
    return new HistoryProjector({
      write,
      progress,
      simulatedCandles,
      persist: retryUntilDone,
      turn,
      isClosing: () => isClosing,
    });
  });
}

async function retryUntilDone<T>(run: () => Promise<T>): Promise<T> {
  for (let pauseMs = FIRST_PAUSE_MS; ; pauseMs = Math.min(pauseMs * 2, PAUSE_MS_MAX)) {
    try {
      return await run();
    } catch (error) {
      if (error instanceof HistoryMismatchError || isClosing) throw error;
      send({ type: "retrying", reason: messageOf(error) });
      await delay(pauseMs);
    }
  }
}

function send(message: FromHistoryWorker): void {
  port.postMessage(message);
}
