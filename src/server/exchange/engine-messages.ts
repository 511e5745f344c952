/** What the main thread and the engine's worker say to each other. */
import type { EventBatch } from "#engine/event-buffer.ts";

export interface EngineWorkerData {
  readonly journalDirectory: string;
  readonly segmentBytes: number | undefined;
  /** Of the exchange's clock (exchange-clock.ts). */
  readonly timeOffset: BigInt64Array<SharedArrayBuffer>;
  /** Go by the clock however far it is from the journal's last command. */
  readonly acceptsClock: boolean;
  /** Where there may be snapshots to start from. */
  readonly snapshots: SnapshotPlace | undefined;
}

export interface SnapshotPlace {
  readonly directory: string;
  readonly program: string;
  readonly formats: string;
  /** A later snapshot is of no use to the read models. */
  readonly sequenceMax: number;
}

export type EngineRequest =
  /** Encoded commands one after another, each after its length as a little-endian uint32. */
  | { readonly kind: "commands"; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: "stateHash"; readonly id: number }
  /** One batch of recovered events was folded; the next may come. */
  | { readonly kind: "credit" }
  /** Flush what was submitted, then end. */
  | { readonly kind: "close" };

/** The events of consecutive commands, all of them on disk. */
export interface ReleasedEvents {
  readonly firstSequence: number;
  readonly count: number;
  readonly batch: EventBatch;
  /** When the engine has something to do without a command, Infinity for never. */
  readonly nextDueMs: number;
}

interface DamageReport {
  readonly file: string;
  readonly offset: number;
  readonly sequence: number;
  readonly finding: string;
}

export type EngineResponse =
  | ({ readonly kind: "events" } & ReleasedEvents)
  | {
      readonly kind: "log";
      readonly level: "info" | "warn";
      readonly fields: object;
      readonly message: string;
    }
  /** A snapshot looks whole; its read models can be decoded while the engine takes its part back. */
  | { readonly kind: "snapshotRead"; readonly readModels: Uint8Array }
  /** The snapshot read last was taken back; the events behind it follow. */
  | { readonly kind: "restored"; readonly sequence: number }
  /** The journal behind `sequence` is replayed next, up to `target`. */
  | { readonly kind: "replaying"; readonly sequence: number; readonly target: number }
  /** Everything in the journal was replayed; commands may come. */
  | { readonly kind: "ready"; readonly sequence: number; readonly nextDueMs: number }
  | {
      readonly kind: "stateHash";
      readonly id: number;
      readonly sequence: number;
      readonly hash: string;
    }
  | {
      readonly kind: "stopped";
      readonly reason: string;
      readonly damage?: DamageReport;
      /** Nothing was started, because the clock may be wrong. */
      readonly isClockRefused?: boolean;
    }
  | { readonly kind: "closed" };

/** Recovered batches that may be under way to the main thread at once. */
export const RECOVERY_BATCHES_MAX = 4;
/** The most bytes of one encoded command. */
export const COMMAND_BYTES_MAX = 64 * 1024;
/** A group of the journal has room for the largest command. */
export const SEGMENT_BYTES_MIN = 256 * 1024;
