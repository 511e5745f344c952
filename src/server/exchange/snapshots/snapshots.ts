/**
 * Decides when a snapshot is taken and has a separate process take it. Keeps a digest of all events
 * that the exchange releases, to compare the process's replay with the live engine.
 */
import type { EventBatch } from "#engine/event-buffer.ts";
import type { JournalPlace } from "#journal/open-journal.ts";
import { SnapshotFiles } from "#journal/snapshot-files.ts";
import { EMPTY_DIGEST, extendDigest } from "./event-digest.ts";
import type { SnapshotLocation } from "../engine-messages.ts";
import type { ExchangeLog } from "../exchange.ts";
import type {
  FromSnapshotProcess,
  JournalArchive,
  ReleasedUntil,
  SnapshotTask,
} from "./snapshot-messages.ts";
import { SnapshotProcesses } from "./snapshot-processes.ts";

export interface SnapshotOptions {
  /** Least number of commands between two snapshots. */
  readonly everyCommands?: number;
  /** How long taking a snapshot may last, in milliseconds. */
  readonly tookMsMax?: number;
  /** The largest share of time spent on taking snapshots, from 0 to 1. */
  readonly busyShareMax?: number;
  /**
   * A module that exports `createReadModels(): SnapshotReadModels`, whose state the snapshots contain in
   * addition to the engine's.
   */
  readonly readModelsModule?: URL;
  /** The version of that module's state: snapshots with another version are skipped. 0 without a module. */
  readonly readModelsVersion?: number;
  /** Restores the module's state instead of folding the events up to `sequence`. */
  readonly restore: (state: unknown, sequence: number) => void;
  /** Snapshots beyond this sequence are of no use; the newest durable command if omitted. */
  readonly usableSequence?: () => number;
  /** Whether taking a snapshot also compresses the journal segments before it; default false. */
  readonly compressesJournal?: boolean;
  /** Where compressed segments are moved after a snapshot; if omitted they are not. */
  readonly archive?: JournalArchive | undefined;
  /**
   * Returns the number of commands between two snapshots that are shared with other nodes; called for
   * each snapshot. If omitted, none is shared.
   */
  readonly sharedEvery?: () => number;
  /** The term that this node leads, if it does, in which case it moves old messages of a stream to the archive. */
  readonly term?: () => number | undefined;
}

export interface SnapshotsOptions extends Pick<
  SnapshotOptions,
  | "everyCommands"
  | "tookMsMax"
  | "busyShareMax"
  | "readModelsModule"
  | "usableSequence"
  | "compressesJournal"
  | "archive"
  | "sharedEvery"
  | "term"
> {
  /** The segment size of a stream's archive; by default that of a file journal. */
  readonly segmentBytes?: number | undefined;
  readonly journal: JournalPlace;
  readonly location: Pick<SnapshotLocation, "directory" | "program" | "formats">;
  readonly log: ExchangeLog;
  /** The live engine and a replay of its journal diverged: the exchange must not continue. */
  readonly onDifference: (error: Error) => void;
}

/** A start replays that many commands in half a second, read models included. */
const EVERY_COMMANDS = 100_000;
/**
 * Ten million commands take a minute on idle cores; without a limit, a hung process would prevent all
 * later snapshots.
 */
const TOOK_MS_MAX = 2 * 60 * 60_000;
const BUSY_SHARE_MAX = 0.1;

export class Snapshots {
  readonly #options: SnapshotsOptions;
  #released: ReleasedUntil = { sequence: 0, digest: EMPTY_DIGEST };
  /** The newest snapshot to build upon, or the position where the live engine began. */
  #base: ReleasedUntil = this.#released;
  /** The sequence of the base or of the last failed attempt. */
  #attemptedSequence = 0;
  /** The next snapshot, which waits for `usableSequence`. */
  #due: ReleasedUntil | undefined;
  readonly #processes = new SnapshotProcesses();
  /** True once recovery has finished: until then a snapshot would only delay the start. */
  #isOpen = false;
  #isWriting = false;
  /** No snapshot begins before this time by `performance.now`. */
  #pausedUntilMs = 0;

  constructor(options: SnapshotsOptions) {
    this.#options = options;
  }

  /** Sets the sequence after which the live engine begins. */
  beginAt(sequence: number): void {
    this.#released = { sequence, digest: EMPTY_DIGEST };
    this.#base = this.#released;
    this.#attemptedSequence = sequence;
  }

  /** Called when recovery has finished, and nothing writes a snapshot: from now on they are taken. */
  open(): void {
    this.#isOpen = true;
    this.#removeRemains();
  }

  /** Adds the released events of commands up to `sequence` to the digest. */
  take(sequence: number, batch: EventBatch): void {
    this.#released = { sequence, digest: extendDigest(this.#released.digest, batch) };
    this.#writeWhereDue();
  }

  /** Stops a running snapshot process; the next start removes its remains. */
  async close(): Promise<void> {
    this.#isOpen = false;
    await this.#processes.close();
  }

  #writeWhereDue(): void {
    if (!this.#isOpen || this.#isWriting || performance.now() < this.#pausedUntilMs) return;
    const { everyCommands = EVERY_COMMANDS, usableSequence } = this.#options;
    const { sequence } = this.#released;
    if (sequence - this.#attemptedSequence >= everyCommands) this.#due ??= this.#released;
    const due = this.#due;
    if (due === undefined || (usableSequence?.() ?? due.sequence) < due.sequence) return;
    this.#due = undefined;
    this.#attemptedSequence = due.sequence;
    void this.#write(due);
  }

  async #write(to: ReleasedUntil): Promise<void> {
    const { log } = this.#options;
    this.#isWriting = true;
    const startedMs = performance.now();
    const warnNotWritten = (reason: string) => {
      const fields = { sequence: to.sequence, reason };
      log.warn(fields, "no snapshot was written; the journal has it all");
    };
    let hasAnswered = false;
    const onMessage = (message: FromSnapshotProcess) => {
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
          warnNotWritten(message.reason);
          break;
        case "compressed": {
          const { segments, plainBytes, bytes } = message;
          log.info({ segments, plainBytes, bytes }, "compressed segments of the journal");
          break;
        }
        case "archived": {
          const { segments, bytes } = message;
          log.info({ segments, bytes }, "moved segments of the journal to the archive");
          break;
        }
        case "shortened": {
          const { segments, bytes, firstSequence } = message;
          log.info({ segments, bytes, firstSequence }, "moved the oldest commands to the archive");
          break;
        }
        case "shared": {
          const { bytes, shareMs } = message;
          const fields = { sequence: to.sequence, bytes, shareMs };
          log.info(fields, "shared the snapshot with the other nodes");
          break;
        }
        case "log":
          log.warn(message.fields, message.message);
          break;
      }
    };
    const tookMsMax = this.#options.tookMsMax ?? TOOK_MS_MAX;
    const how = await this.#processes.run(this.#taskTo(to), onMessage, tookMsMax).catch(String);
    if (!hasAnswered && this.#isOpen) {
      warnNotWritten(`its process ended with ${how}`);
      // This process may be fetching a snapshot of another node.
      this.#removeRemains(process.pid);
    }
    this.#pause(startedMs);
    this.#writeWhereDue();
  }

  #removeRemains(writer?: number): void {
    try {
      new SnapshotFiles(this.#options.location.directory).removeRemains(writer);
    } catch {
      // The next start removes them.
    }
  }

  #taskTo(to: ReleasedUntil): SnapshotTask {
    const {
      journal,
      location,
      readModelsModule,
      compressesJournal,
      archive,
      segmentBytes,
      sharedEvery,
      term,
    } = this.#options;
    return {
      journal,
      snapshotDirectory: location.directory,
      program: location.program,
      formats: location.formats,
      readModelsModule: readModelsModule?.href,
      from: this.#base,
      to,
      compressesJournal: compressesJournal ?? false,
      archive,
      segmentBytes,
      term: term?.(),
      sharedEvery: sharedEvery?.(),
    };
  }

  #pause(startedMs: number): void {
    this.#isWriting = false;
    const nowMs = performance.now();
    const tookMs = nowMs - startedMs;
    this.#pausedUntilMs = nowMs + tookMs / (this.#options.busyShareMax ?? BUSY_SHARE_MAX) - tookMs;
  }
}
