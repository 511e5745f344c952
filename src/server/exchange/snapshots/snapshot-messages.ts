/** The messages between the exchange and the process that takes a snapshot. */
import type { ExchangeEvent } from "#engine/events.ts";
import type { StateReader } from "#engine/state-reader.ts";
import type { CompressedSegments } from "#journal/compress-segments.ts";
import type { JournalPlace } from "#journal/open-journal.ts";
import type { EventDigest } from "./event-digest.ts";

/** What a `readModelsModule` exports as `createReadModels`. */
export interface SnapshotReadModels {
  fold(events: readonly ExchangeEvent[]): void;
  /** The folded state, as data that survives a structured clone. */
  state(): unknown;
  /** Restores a clone of such a state, instead of folding the events until then. */
  restore(state: unknown): void;
  /** How the read models differ from the engine; undefined if they agree. */
  contradictionWith(read: StateReader): string | undefined;
}

/** A position in the journal, and the digest of the events that the running exchange released there. */
export interface ReleasedUntil {
  readonly sequence: number;
  readonly digest: EventDigest;
}

export interface SnapshotTask {
  readonly journal: JournalPlace;
  readonly snapshotDirectory: string;
  readonly program: string;
  readonly formats: string;
  /** Address of the module; without one the snapshot holds the engine alone. */
  readonly readModelsModule: string | undefined;
  /** The events between the two are compared with those of the replay. */
  readonly from: ReleasedUntil;
  /** The snapshot is taken at this position; it is durable. */
  readonly to: ReleasedUntil;
  /** Whether the segments of the journal before it are compressed afterwards. */
  readonly compressesJournal: boolean;
}

export type FromSnapshotProcess =
  | {
      readonly kind: "written";
      readonly bytes: number;
      /** In milliseconds, since the process began. */
      readonly replayMs: number;
      readonly writeMs: number;
    }
  /** A replay of the journal does not match what the exchange released. */
  | { readonly kind: "differs" }
  | { readonly kind: "failed"; readonly reason: string }
  /** After `written`, if there was something to compress. */
  | ({ readonly kind: "compressed" } & CompressedSegments)
  | { readonly kind: "log"; readonly fields: object; readonly message: string };
