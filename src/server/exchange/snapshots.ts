/**
 * Decides when a snapshot is taken and has a thread of its own take it. Keeps the digest of every
 * event that the exchange releases, so that the thread's replay can be held against the run.
 */
import { Worker } from "node:worker_threads";
import type { EventBatch } from "#engine/event-buffer.ts";
import { EMPTY_DIGEST, extendDigest } from "./event-digest.ts";
import type { ExchangeLog } from "./open-exchange.ts";
import type { FromSnapshotWorker, ReleasedUntil, SnapshotWorkerData } from "./snapshot-messages.ts";

export interface SnapshotsOptions {
  readonly journalDirectory: string;
  readonly snapshotDirectory: string;
  readonly program: string;
  readonly readModelsModule: URL | undefined;
  /** Commands after which the next snapshot is due. */
  readonly everyCommands: number;
  /** The most of the time that may go into snapshots, from 0 to 1: a busy exchange takes fewer. */
  readonly busyShareMax: number;
  /** A snapshot at a sequence is only of use once this has reached it. */
  readonly usableSequence: () => number;
  readonly log: ExchangeLog;
  /** The run and a replay of its journal went different ways: nothing may go on. */
  readonly onDifference: (error: Error) => void;
}

const WORKER = new URL("./snapshot-worker.ts", import.meta.url);

export class Snapshots {
  readonly #options: SnapshotsOptions;
  #released: ReleasedUntil = { sequence: 0, digest: EMPTY_DIGEST };
  /** The newest snapshot that can be built upon, or where this run began. */
  #base: ReleasedUntil = this.#released;
  /** Counts from the base, or from the last attempt that failed. */
  #attemptedSequence = 0;
  /** Waits for `usableSequence`. */
  #due: ReleasedUntil | undefined;
  #worker: Worker | undefined;
  /** True once everything is recovered: until then a snapshot would only delay the start. */
  #isOpen = false;
  #isWriting = false;
  #startedMs = 0;
  /** No snapshot begins before, on the clock of `performance.now`. */
  #restsUntilMs = 0;
  #ended: Promise<void> = Promise.resolve();

  constructor(options: SnapshotsOptions) {
    this.#options = options;
  }

  /** The run begins behind this sequence. */
  beginAt(sequence: number): void {
    this.#released = { sequence, digest: EMPTY_DIGEST };
    this.#base = this.#released;
    this.#attemptedSequence = sequence;
  }

  /** Recovery is over; from now on snapshots are taken. */
  open(): void {
    this.#isOpen = true;
  }

  /** Takes the events of commands up to `sequence`, which were released. */
  take(sequence: number, batch: EventBatch): void {
    const { everyCommands, usableSequence } = this.#options;
    this.#released = { sequence, digest: extendDigest(this.#released.digest, batch) };
    if (!this.#isOpen || this.#isWriting || performance.now() < this.#restsUntilMs) return;
    if (sequence - this.#attemptedSequence >= everyCommands) this.#due ??= this.#released;
    if (this.#due !== undefined && usableSequence() >= this.#due.sequence) this.#write(this.#due);
  }

  /** Gives up a snapshot under way; what it left is removed by the next one. */
  async close(): Promise<void> {
    this.#isOpen = false;
    await this.#worker?.terminate();
    await this.#ended;
  }

  #write(to: ReleasedUntil): void {
    const { journalDirectory, log, program, readModelsModule, snapshotDirectory } = this.#options;
    this.#due = undefined;
    this.#attemptedSequence = to.sequence;
    const workerData: SnapshotWorkerData = {
      journalDirectory,
      snapshotDirectory,
      program,
      readModelsModule: readModelsModule?.href,
      from: this.#base,
      to,
    };
    const worker = new Worker(WORKER, { workerData, name: "snapshot" });
    this.#worker = worker;
    this.#isWriting = true;
    this.#startedMs = performance.now();
    const failed = (reason: string) => {
      log.warn(
        { sequence: to.sequence, reason },
        "no snapshot was written; the journal has it all",
      );
    };
    worker.on("message", (message: FromSnapshotWorker) => {
      if (message.kind !== "log") this.#rest();
      switch (message.kind) {
        case "written": {
          const { bytes, replayMs, writeMs } = message;
          this.#base = to;
          log.info({ sequence: to.sequence, bytes, replayMs, writeMs }, "wrote a snapshot");
          break;
        }
        case "differs": {
          const between = `between sequence ${this.#base.sequence} and ${to.sequence}`;
          this.#options.onDifference(
            new Error(`a replay of the journal led to other events ${between} than the run`),
          );
          break;
        }
        case "failed":
          failed(message.reason);
          break;
        case "log":
          log.warn(message.fields, message.message);
          break;
      }
    });
    worker.on("error", (error) => failed(String(error)));
    this.#ended = new Promise((resolve) => {
      worker.once("exit", () => {
        if (this.#worker === worker && this.#isWriting) this.#rest();
        resolve();
      });
    });
  }

  #rest(): void {
    this.#isWriting = false;
    const nowMs = performance.now();
    const tookMs = nowMs - this.#startedMs;
    this.#restsUntilMs = nowMs + tookMs / this.#options.busyShareMax - tookMs;
  }
}
