/**
 * Decides when a snapshot is taken and has a process of its own take it. Keeps the digest of every
 * event that the exchange releases, so that the process's replay can be held against the run.
 */
import type { ChildProcess } from "node:child_process";
import { once } from "node:events";
import { setTimeout as delay } from "node:timers/promises";
import { fileURLToPath } from "node:url";
import type { EventBatch } from "#engine/event-buffer.ts";
import { SnapshotFiles } from "#journal/snapshot-files.ts";
import { forkInBackground } from "./background-process.ts";
import { EMPTY_DIGEST, extendDigest } from "./event-digest.ts";
import type { ExchangeLog } from "./open-exchange.ts";
import type { FromSnapshotProcess, ReleasedUntil, SnapshotTask } from "./snapshot-messages.ts";

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

const CLOSE_MS_MAX = 1000;
/**
 * Everything on one thread: those that compile and collect would take the second core from under a
 * thread of the exchange that is just about to be woken.
 */
const ONE_THREAD = ["--single-threaded"];
const PROGRAM = fileURLToPath(new URL("./snapshot-process.ts", import.meta.url));

export class Snapshots {
  readonly #options: SnapshotsOptions;
  #released: ReleasedUntil = { sequence: 0, digest: EMPTY_DIGEST };
  /** The newest snapshot that can be built upon, or where this run began. */
  #base: ReleasedUntil = this.#released;
  /** Counts from the base, or from the last attempt that failed. */
  #attemptedSequence = 0;
  /** Waits for `usableSequence`. */
  #due: ReleasedUntil | undefined;
  #process: ChildProcess | undefined;
  /** True once everything is recovered: until then a snapshot would only delay the start. */
  #isOpen = false;
  #isWriting = false;
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
    this.#released = { sequence, digest: extendDigest(this.#released.digest, batch) };
    this.#writeWhereDue();
  }

  /**
   * Gives up a snapshot under way; what it left is removed by the next one. Its process does nothing
   * any more, but may take seconds to give its memory back where others keep all cores busy.
   */
  async close(): Promise<void> {
    this.#isOpen = false;
    if (!this.#isWriting) return;
    const child = this.#process;
    child?.kill("SIGKILL");
    child?.unref();
    child?.channel?.unref();
    await Promise.race([this.#ended, delay(CLOSE_MS_MAX)]);
  }

  #writeWhereDue(): void {
    if (!this.#isOpen || this.#isWriting || performance.now() < this.#restsUntilMs) return;
    const { everyCommands, usableSequence } = this.#options;
    const { sequence } = this.#released;
    if (sequence - this.#attemptedSequence >= everyCommands) this.#due ??= this.#released;
    const due = this.#due;
    if (due === undefined || usableSequence() < due.sequence) return;
    this.#due = undefined;
    this.#attemptedSequence = due.sequence;
    this.#ended = this.#write(due);
  }

  async #write(to: ReleasedUntil): Promise<void> {
    const { log } = this.#options;
    this.#isWriting = true;
    const startedMs = performance.now();
    const failed = (reason: string) => {
      const fields = { sequence: to.sequence, reason };
      log.warn(fields, "no snapshot was written; the journal has it all");
    };
    let hasAnswered = false;
    try {
      const child = forkInBackground(PROGRAM, {
        execArgv: [...process.execArgv, ...ONE_THREAD],
        serialization: "advanced",
        // What keeps it from answering is told to whoever reads the exchange's errors.
        stdio: ["ignore", "ignore", "inherit", "ipc"],
      });
      // `endOf` hears the first, which may be that it could not be started; unheard, one more would
      // end this process.
      child.on("error", () => undefined);
      this.#process = child;
      child.on("message", (message: FromSnapshotProcess) => {
        switch (message.kind) {
          case "written": {
            hasAnswered = true;
            const { bytes, replayMs, writeMs } = message;
            this.#base = to;
            log.info({ sequence: to.sequence, bytes, replayMs, writeMs }, "wrote a snapshot");
            break;
          }
          case "differs": {
            hasAnswered = true;
            const between = `between sequence ${this.#base.sequence} and ${to.sequence}`;
            this.#options.onDifference(
              new Error(`a replay of the journal led to other events ${between} than the run`),
            );
            break;
          }
          case "failed":
            hasAnswered = true;
            failed(message.reason);
            break;
          case "log":
            log.warn(message.fields, message.message);
            break;
        }
      });
      // Where it ends before it was told everything, its end is what counts.
      if (child.connected) child.send(this.#taskTo(to), () => undefined);
      const how = await endOf(child);
      if (!hasAnswered && this.#isOpen) {
        new SnapshotFiles(this.#options.snapshotDirectory).prepare();
        failed(`its process ended with ${how}`);
      }
    } catch (error) {
      failed(String(error));
    }
    this.#rest(startedMs);
    this.#writeWhereDue();
  }

  #taskTo(to: ReleasedUntil): SnapshotTask {
    const { journalDirectory, program, readModelsModule, snapshotDirectory } = this.#options;
    return {
      journalDirectory,
      snapshotDirectory,
      program,
      readModelsModule: readModelsModule?.href,
      from: this.#base,
      to,
    };
  }

  #rest(startedMs: number): void {
    this.#isWriting = false;
    const nowMs = performance.now();
    const tookMs = nowMs - startedMs;
    this.#restsUntilMs = nowMs + tookMs / this.#options.busyShareMax - tookMs;
  }
}

/**
 * Resolves with a process's exit code or the signal that ended it, once everything it had said has
 * arrived, which may be behind its end.
 * @throws what kept it from starting.
 */
async function endOf(child: ChildProcess): Promise<string> {
  const [[code, signal]] = await Promise.all([once(child, "exit"), once(child, "disconnect")]);
  return String(signal ?? `code ${code}`);
}
