/** The messages between the exchange and the process that takes a snapshot. */
import type { ExchangeEvent } from "#engine/events.ts";
import type { StateReader } from "#engine/state-reader.ts";
import type { ArchivedSegments } from "#journal/archive-segments.ts";
import type { CompressedSegments } from "#journal/compress-segments.ts";
import type { JournalPlace } from "#journal/open-journal.ts";
import type { ShortenedStream } from "#journal/shorten-journal.ts";
import type { EventDigest } from "./event-digest.ts";

/** The read models that a `readModelsModule`'s `createReadModels` returns. */
export interface SnapshotReadModels {
  fold(events: readonly ExchangeEvent[]): void;
  /** The folded state, as data that survives a structured clone. */
  state(): unknown;
  /** Restores a clone of such a state instead of folding earlier events. */
  restore(state: unknown): void;
  /** How the read models differ from the engine; undefined if they agree. */
  contradictionWith(read: StateReader): string | undefined;
}

/** A position in the journal, and the digest of the events that the running exchange released up to there. */
export interface ReleasedUntil {
  readonly sequence: number;
  readonly digest: EventDigest;
}

export interface SnapshotTask {
  readonly journal: JournalPlace;
  readonly snapshotDirectory: string;
  readonly program: string;
  readonly formats: string;
  /** URL of the module; without one, the snapshot contains the engine only. */
  readonly readModelsModule: string | undefined;
  /** The events from here to `to` are compared with those of the replay. */
  readonly from: ReleasedUntil;
  /** The position of the snapshot; durable. */
  readonly to: ReleasedUntil;
  /** Whether the journal's segments before the snapshot are compressed afterwards. */
  readonly compressesJournal: boolean;
  /** Where compressed segments, or the oldest messages of a stream, are moved afterwards, if they are. */
  readonly archive: JournalArchive | undefined;
  /** Bytes of one segment; the journal's own number if undefined. */
  readonly segmentBytes: number | undefined;
  /** The term of a journal in a stream that this node leads; only the leader moves its messages. */
  readonly term: number | undefined;
  /**
   * The number of commands between two snapshots that are shared with other nodes; undefined without any.
   */
  readonly sharedEvery: number | undefined;
}

/** Where compressed segments are moved, and how long after their last command. */
export interface JournalArchive {
  readonly directory: string;
  readonly afterMs: number;
}

export type FromSnapshotProcess =
  | {
      readonly kind: "written";
      /** Exchange time of the snapshot. */
      readonly timestampMs: number;
      readonly bytes: number;
      /** Milliseconds since the process began. */
      readonly replayMs: number;
      readonly writeMs: number;
    }
  /** A replay of the journal does not match the events that the exchange released. */
  | { readonly kind: "differs" }
  | { readonly kind: "failed"; readonly reason: string }
  /** Follows `written` if segments were compressed. */
  | ({ readonly kind: "compressed" } & CompressedSegments)
  /** Follows `written` if segments were moved to the archive. */
  | ({ readonly kind: "archived" } & ArchivedSegments)
  /** Follows `written` if messages of a stream were. */
  | ({ readonly kind: "shortened" } & ShortenedStream)
  /** Follows `written` if the snapshot was shared with other nodes. */
  | { readonly kind: "shared"; readonly bytes: number; readonly shareMs: number }
  | { readonly kind: "log"; readonly fields: object; readonly message: string };
