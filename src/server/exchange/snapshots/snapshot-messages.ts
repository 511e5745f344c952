/** What the exchange and the process that takes a snapshot say to each other. */
import type { ExchangeEvent } from "#engine/events.ts";
import type { StateReader } from "#engine/state-reader.ts";
import type { EventDigest } from "./event-digest.ts";

/** What a module given as `readModelsModule` exports as `createReadModels`. */
export interface SnapshotReadModels {
  fold(events: readonly ExchangeEvent[]): void;
  /** All that was folded, as data that a structured clone keeps. */
  state(): unknown;
  /** Takes over a clone of such a state, instead of the events until then. */
  restore(state: unknown): void;
  /** What the read models say otherwise than the engine; undefined where they agree. */
  contradictionWith(read: StateReader): string | undefined;
}

/** A place in the journal, and the digest of the events that the running exchange released there. */
export interface ReleasedUntil {
  readonly sequence: number;
  readonly digest: EventDigest;
}

export interface SnapshotTask {
  readonly journalDirectory: string;
  readonly snapshotDirectory: string;
  readonly program: string;
  readonly formats: string;
  /** Address of the module; without one the snapshot holds the engine alone. */
  readonly readModelsModule: string | undefined;
  /** The events between the two are compared with those of the replay. */
  readonly from: ReleasedUntil;
  /** The snapshot is taken here; durable. */
  readonly to: ReleasedUntil;
}

export type FromSnapshotProcess =
  | {
      readonly kind: "written";
      readonly bytes: number;
      /** In milliseconds, since the process began. */
      readonly replayMs: number;
      readonly writeMs: number;
    }
  /** A replay of the journal does not lead to what the exchange released. */
  | { readonly kind: "differs" }
  | { readonly kind: "failed"; readonly reason: string }
  | { readonly kind: "log"; readonly fields: object; readonly message: string };
