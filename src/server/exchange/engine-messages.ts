/** The messages between the main thread and the engine's worker. */
import type { PlaceOrder } from "#engine/commands.ts";
import type { EventBatch } from "#engine/event-buffer.ts";
import type { RejectReason } from "#engine/reject-reasons.ts";
import type { JournalPlace } from "#journal/open-journal.ts";
import type { SliceTimes } from "./command-times.ts";

export interface EngineWorkerData {
  readonly journal: JournalPlace;
  readonly segmentBytes: number | undefined;
  /** The offset of the exchange's clock (exchange-clock.ts). */
  readonly timeOffset: BigInt64Array<SharedArrayBuffer>;
  /** Whether to start regardless of the clock's distance from the journal's last command. */
  readonly acceptsClock: boolean;
  /** The directory of snapshots to start from. */
  readonly snapshots: SnapshotLocation | undefined;
  /** Whether to note when the stages of commands begin and end. */
  readonly notesTimes: boolean;
}

export interface SnapshotLocation {
  readonly directory: string;
  readonly program: string;
  readonly formats: string;
  /** Later snapshots are of no use to the read models. */
  readonly sequenceMax: number;
}

export type EngineRequest =
  /** Encoded commands one after another, each preceded by its length as a little-endian uint32. */
  | { readonly kind: "commands"; readonly bytes: Uint8Array<ArrayBuffer> }
  | { readonly kind: "stateHash"; readonly id: number }
  | { readonly kind: "refusalOf"; readonly id: number; readonly order: PlaceOrder }
  /** One batch of credited events was folded; the worker may send another. */
  | { readonly kind: "credit" }
  /** For one node of several: take the next term of the journal and sequence commands. */
  | { readonly kind: "lead" }
  /** Sequence the submitted commands, then follow the journal again. */
  | { readonly kind: "stepDown" }
  /** Flush submitted commands, then end. */
  | { readonly kind: "close" };

/** The events of consecutive commands, all of them on disk. */
export interface ReleasedEvents {
  readonly firstSequence: number;
  readonly count: number;
  readonly batch: EventBatch;
  /** When the engine's next timer is due; Infinity if none. */
  readonly nextDueMs: number;
  /** Whether the worker waits for a "credit" in return, also after it has recovered. */
  readonly isCredited?: boolean;
  /** The stages of commands that this process sequenced, if it notes them. */
  readonly times?: SliceTimes;
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
  /** A snapshot looks intact; its read models can be decoded while the engine restores its part. */
  | { readonly kind: "snapshotRead"; readonly readModels: Uint8Array }
  /** The snapshot read last was restored; the events after it follow. */
  | { readonly kind: "restored"; readonly sequence: number }
  /** The journal after `sequence` is replayed next, up to `target`. */
  | { readonly kind: "replaying"; readonly sequence: number; readonly target: number }
  /** The whole journal was replayed; commands are accepted. */
  | { readonly kind: "ready"; readonly sequence: number; readonly nextDueMs: number }
  | {
      readonly kind: "stateHash";
      readonly id: number;
      readonly sequence: number;
      readonly hash: string;
    }
  | { readonly kind: "refusal"; readonly id: number; readonly reason: RejectReason | null }
  | {
      readonly kind: "stopped";
      readonly reason: string;
      readonly damage?: DamageReport;
      /** Whether the start was refused because the clock may be wrong. */
      readonly isClockRefused?: boolean;
    }
  /** Everything before this term was released, which a leader with an older engine leads, or not. */
  | { readonly kind: "term"; readonly term: number; readonly isOlder: boolean }
  /** This node leads the term: it sequences the commands that it is sent from now on. */
  | { readonly kind: "leading"; readonly term: number; readonly nextDueMs: number }
  /**
   * This node does not lead, or no longer leads. No command that was sent before this and not answered
   * is in the journal, and none will be.
   */
  | { readonly kind: "following"; readonly reason: string; readonly isFenced: boolean }
  /** The engine has followed the journal up to where it ended when it was last opened. */
  | { readonly kind: "caughtUp" }
  /** At this sequence, the state of this node and of the leader have this hash. */
  | { readonly kind: "stateCompared"; readonly sequence: number; readonly hash: string }
  | { readonly kind: "closed" };

/** How many recovered batches may be in transit to the main thread at once. */
export const RECOVERY_BATCHES_MAX = 4;
/** Arrays of rows that are reused: two full groups in transit, and as many being read. 19 MB. */
export const ROWS_KEPT_MAX = 64;
/** Limit of one encoded command in bytes. */
export const COMMAND_BYTES_MAX = 64 * 1024;
/** The smallest segment allowed: a group in it has room for the largest command. */
export const SEGMENT_BYTES_MIN = 256 * 1024;
