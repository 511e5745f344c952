/**
 * The history of the exchange in SQL: orders, fills, trades, ledger entries, candles and activity,
 * projected from events by a separate thread. The history follows trading and never delays it: live
 * data comes from the read models in memory, pages of older records come from here.
 */
import { Worker } from "node:worker_threads";
import type { ExchangeEvent } from "#engine/events.ts";
import type { Database } from "../database/open-database.ts";
import { workerLoaded } from "../database/worker-loaded.ts";
import type { Log } from "../log.ts";
import { Backlog } from "./backlog.ts";
import type { HistoryFoldState } from "./fold.ts";
import { type Progress, readProgress } from "./progress.ts";
import type { HistoryReads } from "./reads.ts";
import { type AroundRead, ReaderThread } from "./reader-thread.ts";
import type { FromHistoryWorker, HistoryWorkerData, ToHistoryWorker } from "./history-worker.ts";

/** Another exchange may be using the database, so that its content may not be that of this exchange. */
export class HistoryUnavailableError extends Error {
  override readonly name = "HistoryUnavailableError";
}

export interface HistoryHealth {
  /**
   * `retrying` while the database fails; `behind` if the backlog was so long that later events were
   * dropped, which the next start projects; `failed` if only an operator can help.
   */
  readonly status: "ok" | "retrying" | "behind" | "failed";
  readonly projectedSequence: number;
  /** Sequences received but not yet in the tables. */
  readonly lag: number;
  readonly failure?: string;
}

/** The state of the fold at a sequence, to which later events refer. */
export interface HistoryState {
  readonly end: Progress;
  readonly fold: HistoryFoldState;
}

export interface HistoryOptions {
  /** Must be open and migrated; the thread opens its own connection. */
  readonly database: Database;
  readonly log: Log;
  /** Module that exports `simulatedCandles`; the simulator's by default. */
  readonly simulatedCandlesModule?: URL;
  /** Whether the database is this exchange's: false while another exchange may use it. */
  readonly isOurs?: () => boolean;
  /**
   * How long trades in which no person took part stay in the tables, by exchange time; permanently if
   * omitted.
   */
  readonly simulatedTradesKeptMs?: number;
  /**
   * The name of this node, if several share the database: it then writes nothing until `setWriting`, and
   * waits for the writes of the others.
   */
  readonly writer?: string;
  /** How many encoded bytes may wait before events are dropped. */
  readonly backlogBytesMax?: number;
  readonly aroundRead?: AroundRead;
}

/** How long live events are collected before they are written, so that a quiet market needs few transactions. */
const GATHER_MS = 100;
/**
 * A batch of at least `BUSY_LENGTH` numbers (some hundred orders) comes from a busy market. After it, events
 * are collected for `GATHER_FACTOR` times as long as it took to write, at most `GATHER_MS_MAX`: larger batches
 * write each database page fewer times, and trading needs the processor.
 */
const BUSY_LENGTH = 2_048;
const GATHER_FACTOR = 10;
const GATHER_MS_MAX = 400;
/** How many batches the thread may have at once: one being written, one waiting. */
const BATCHES_SENT_MAX = 2;
const BACKLOG_BYTES_MAX = 256 * 1024 * 1024;
const BACKLOG_BYTES_READY = 16 * 1024 * 1024;
const CLOSE_WAIT_MS_MAX = 5_000;
const FRESH_WAIT_MS_MAX = 5_000;

/** The interval at which a writing node is confirmed as the writer, in case another took its turn by mistake. */
const GRANT_EVERY_MS = 1_000;

const OTHER_JOURNAL = "the database was made from another journal; rebuild the history";

const WORKER = new URL("./history-worker.ts", import.meta.url);
const SIMULATED_CANDLES = new URL("../simulator/candle-history.ts", import.meta.url);

export async function openHistory(options: HistoryOptions): Promise<History> {
  return new History(options, await readProgress(options.database.read));
}

interface Waiter {
  readonly isMet: () => boolean;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

export class History {
  readonly #isOurs: () => boolean;
  /** Whether a replay must not run ahead: rows that only other nodes write may never come. */
  #mayWait: boolean;
  #granting: NodeJS.Timeout | undefined;
  readonly #reader: ReaderThread;
  readonly #log: Log;
  readonly #worker: Worker;
  /** Resolves once the thread may be terminated. */
  readonly #loaded: Promise<void>;
  readonly #backlog = new Backlog();
  readonly #backlogBytesMax: number;
  /** The content of the tables when this process began. */
  readonly #found: Progress;
  #status: HistoryHealth["status"] = "ok";
  #failure: string | undefined;
  #isTaken = false;
  #projectedSequence: number;
  /** The lengths of the batches that the thread has, the one that it is writing first. */
  readonly #sentLengths: number[] = [];
  /** When the thread began with the batch that it is writing. */
  #beganMs = 0;
  #gatherMs = GATHER_MS;
  #gathering: NodeJS.Timeout | undefined;
  #waiters: Waiter[] = [];
  #closing: Promise<void> | undefined;

  constructor(options: HistoryOptions, found: Progress) {
    const { database, log } = options;
    this.#reader = new ReaderThread(database.location, log, options.aroundRead);
    this.#isOurs = options.isOurs ?? (() => true);
    this.#mayWait = options.writer === undefined;
    this.#log = options.log;
    this.#found = found;
    this.#projectedSequence = found.sequence;
    this.#backlogBytesMax = options.backlogBytesMax ?? BACKLOG_BYTES_MAX;
    const workerData: HistoryWorkerData = {
      location: options.database.location,
      progress: found,
      simulatedCandlesModule: (options.simulatedCandlesModule ?? SIMULATED_CANDLES).href,
      simulatedTradesKeptMs: options.simulatedTradesKeptMs,
      writer: options.writer,
    };
    this.#worker = new Worker(WORKER, { workerData, name: "history" });
    this.#loaded = workerLoaded(this.#worker);
    this.#worker.on("message", (message: FromHistoryWorker) => this.#onMessage(message));
    this.#worker.on("error", (error) => this.#fail(`its thread ended: ${String(error)}`));
    this.#worker.on("exit", () => {
      if (this.#closing === undefined) this.#fail("its thread ended");
    });
  }

  /**
   * Reads of the history as far as it is projected. They run in a separate thread, so that the main
   * thread neither waits for SQLite nor parses PostgreSQL's answers.
   * @throws HistoryUnavailableError
   */
  get read(): HistoryReads {
    if (this.#isTaken || !this.#isOurs()) {
      throw new HistoryUnavailableError(
        "The past cannot be read at the moment; try again shortly.",
      );
    }
    return this.#reader.reads;
  }

  get projectedSequence(): number {
    return this.#projectedSequence;
  }

  /**
   * Restores the history's state at a snapshot, instead of folding the events until then. The
   * snapshot's sequence must be at most `projectedSequence`. Only before the first `project`.
   */
  restore({ end, fold }: HistoryState): void {
    if (this.#backlog.end.sequence > 0) throw new Error("the history has taken events before");
    const found = this.#found;
    if (end.sequence > found.sequence) {
      throw new Error("a snapshot that the tables have not reached does not help the history");
    }
    const isSameMoment = end.sequence !== found.sequence || found.time === 0;
    if (end.originTime !== found.originTime || !(isSameMoment || end.time === found.time)) {
      this.#fail(OTHER_JOURNAL);
      return;
    }
    this.#backlog.restore(end, fold.people);
    const message: ToHistoryWorker = { restored: fold };
    this.#worker.postMessage(message, []);
  }

  /**
   * Takes the next events: complete commands, all of them from sequence 1 or from a restored state
   * on, including those already in the tables from an earlier run. Returns at once.
   * @throws Error once another exchange writes to the same database, in which case nothing may continue,
   * because neither knows which commands the other has acknowledged
   */
  project(events: readonly ExchangeEvent[]): void {
    if (this.#isTaken) throw new Error(this.#failure);
    if (this.#status === "failed" || this.#status === "behind") return;
    for (const event of events) {
      if (this.#contradictsTables(event)) {
        this.#fail(OTHER_JOURNAL);
        return;
      }
      this.#backlog.add(event);
    }
    if (this.#backlog.bytes > this.#backlogBytesMax) {
      this.#set("behind", "too many events wait for the database; the next start makes up for it");
    }
    if (this.#backlog.bytes > BACKLOG_BYTES_READY) this.#send();
    else this.#gathering ??= setTimeout(() => this.#send(), this.#gatherMs).unref();
  }

  /** Sets whether this node of several writes the history. */
  setWriting(mayWrite: boolean): void {
    this.#mayWait = mayWrite;
    const say = () => this.#worker.postMessage({ mayWrite } satisfies ToHistoryWorker, []);
    clearInterval(this.#granting);
    this.#granting = mayWrite ? setInterval(say, GRANT_EVERY_MS).unref() : undefined;
    say();
    this.#wake();
  }

  health(): HistoryHealth {
    return {
      status: this.#status,
      projectedSequence: this.#projectedSequence,
      lag: Math.max(0, this.#backlog.end.sequence - this.#projectedSequence),
      failure: this.#failure,
    };
  }

  /**
   * Resolves when the backlog is short, or when the database fails: a replay awaits it at intervals, so
   * that it does not run so far ahead that events are dropped.
   */
  whenReady(): Promise<void> {
    return this.#when(
      () => !this.#mayWait || this.#backlog.bytes <= BACKLOG_BYTES_READY || this.#status !== "ok",
    ).catch(() => undefined);
  }

  /** Resolves when all received events are in the tables; rejects if that has become impossible. */
  whenProjected(): Promise<void> {
    const { sequence } = this.#backlog.end;
    this.#send();
    return this.#when(() => this.#projectedSequence >= sequence);
  }

  /**
   * Resolves like `whenProjected`, but after a few seconds at the latest, or if the database fails;
   * the tables may then be behind. For readers of the history.
   */
  async whenFresh(): Promise<void> {
    await atMost(
      FRESH_WAIT_MS_MAX,
      this.whenProjected().catch(() => undefined),
    );
  }

  /**
   * Reads of tables that include at least all events up to a sequence: rows that they lack do not exist.
   * @param sequence one whose events were passed to `project`
   * @throws HistoryUnavailableError if the tables do not reach it within a few seconds
   */
  async readsCaughtUpTo(sequence: number): Promise<HistoryReads> {
    if (this.#projectedSequence < sequence) await this.whenFresh();
    const { read } = this;
    if (this.#projectedSequence < sequence) {
      throw new HistoryUnavailableError("The history is behind; try again shortly.");
    }
    return read;
  }

  /** Call when another exchange has taken the database: `project` then refuses further events. */
  lose(reason: string): void {
    this.#isTaken = true;
    this.#fail(reason);
  }

  /** Writes the backlog, for a few seconds at most, and ends the thread. */
  close(): Promise<void> {
    this.#closing ??= this.#close();
    return this.#closing;
  }

  async #close(): Promise<void> {
    // Events that are not written in time are projected from the journal at the next start.
    await atMost(CLOSE_WAIT_MS_MAX, this.#writeAll());
    clearTimeout(this.#gathering);
    clearInterval(this.#granting);
    await this.#loaded;
    await this.#worker.terminate();
    await this.#reader.close();
    this.#fail("closed");
  }

  async #writeAll(): Promise<void> {
    await this.whenProjected().catch(() => undefined);
    const ended = new Promise((resolve) => this.#worker.once("exit", resolve));
    this.#worker.postMessage("close" satisfies ToHistoryWorker, []);
    await ended;
  }

  /** Whether the journal differs from the one from which the tables were made. */
  #contradictsTables({ sequence, timestampMs }: ExchangeEvent): boolean {
    const found = this.#found;
    if (found.sequence === 0) return false;
    if (sequence === 1 && timestampMs !== found.originTime) return true;
    return sequence === found.sequence && found.time !== 0 && timestampMs !== found.time;
  }

  #send(): void {
    clearTimeout(this.#gathering);
    this.#gathering = undefined;
    while (this.#sentLengths.length < BATCHES_SENT_MAX && this.#status !== "failed") {
      const batch = this.#backlog.take();
      if (batch === undefined) break;
      if (this.#sentLengths.length === 0) this.#beganMs = performance.now();
      this.#sentLengths.push(batch.events.rows.length);
      const message: ToHistoryWorker = batch;
      this.#worker.postMessage(message, [batch.events.rows.buffer]);
    }
  }

  #onMessage(message: FromHistoryWorker): void {
    switch (message.type) {
      case "loaded":
        break;
      case "projected":
        this.#noteWritten(performance.now());
        this.#projectedSequence = Math.max(this.#projectedSequence, message.sequence);
        if (this.#status === "retrying") this.#set("ok", undefined);
        // While a timer runs, more events are gathered; full or overdue batches are sent at once.
        if (this.#gathering === undefined) this.#send();
        this.#wake();
        break;
      case "retrying":
        if (this.#status === "ok") this.#set("retrying", message.reason);
        break;
      case "failed":
        this.#isTaken = message.isTaken;
        this.#fail(message.reason);
        break;
    }
  }

  #noteWritten(nowMs: number): void {
    const isBusy = (this.#sentLengths.shift() ?? 0) >= BUSY_LENGTH;
    const busyMs = Math.max(GATHER_MS, GATHER_FACTOR * (nowMs - this.#beganMs));
    this.#gatherMs = isBusy ? Math.min(busyMs, GATHER_MS_MAX) : GATHER_MS;
    this.#beganMs = nowMs;
  }

  #fail(reason: string): void {
    if (this.#status === "failed") return;
    if (this.#closing === undefined) this.#set("failed", reason);
    else [this.#status, this.#failure] = ["failed", reason];
    for (const waiter of this.#waiters) waiter.reject(new Error(`The history failed: ${reason}`));
    this.#waiters = [];
  }

  #set(status: HistoryHealth["status"], failure: string | undefined): void {
    this.#status = status;
    this.#failure = failure;
    const details = { projectedSequence: this.#projectedSequence, failure };
    if (status === "ok") this.#log.info(details, "history is projected again");
    else if (status === "retrying") this.#log.warn(details, "history waits for the database");
    else this.#log.error(details, `history is ${status}`);
    this.#wake();
  }

  #when(isMet: () => boolean): Promise<void> {
    if (this.#status === "failed") {
      return Promise.reject(new Error(`The history failed: ${this.#failure}`));
    }
    if (isMet()) return Promise.resolve();
    return new Promise((resolve, reject) => this.#waiters.push({ isMet, resolve, reject }));
  }

  #wake(): void {
    const waiting: Waiter[] = [];
    for (const waiter of this.#waiters) {
      if (waiter.isMet()) waiter.resolve();
      else waiting.push(waiter);
    }
    this.#waiters = waiting;
  }
}

/** Resolves when the work is done, or after this time. */
async function atMost(ms: number, work: Promise<void>): Promise<void> {
  let timer: NodeJS.Timeout | undefined;
  const tooLong = new Promise<void>((resolve) => {
    timer = setTimeout(resolve, ms);
  });
  await Promise.race([work, tooLong]);
  clearTimeout(timer);
}
