/** Follows the engine's progress on the main thread, in addition to the listeners of events. */
import type { EventBatch } from "#engine/event-buffer.ts";
import type { ExchangeEvent } from "#engine/events.ts";

/** Follows the engine's progress; notified in addition to the listeners that receive events. */
export interface RunFollower {
  /** A snapshot was read, and may be restored. */
  snapshotRead(readModels: Uint8Array): void;
  /** The snapshot read last was restored; the events after it follow. */
  restored(sequence: number): void;
  /**
   * The replay has reached this position; also called before its first event. The replay waits for
   * a returned promise, because the follower may need time for the events.
   */
  replayed(position: ReplayPosition): Promise<void> | void;
  /**
   * Events that all listeners are about to receive; unless `isWhole`, the last event's command has
   * more.
   */
  slice(events: readonly ExchangeEvent[], isWhole: boolean): void;
  /** Events up to this sequence are on disk and were delivered to every listener. */
  delivered(sequence: number, batch: EventBatch, events: readonly ExchangeEvent[]): void;
  /** The node's part if there are several nodes; absent if this process owns the journal alone. */
  readonly node?: NodeFollower;
}

/** Follows which node of several leads. */
export interface NodeFollower {
  /**
   * All events before this term of the journal were delivered.
   * @param isOlder whether it is led with an older engine, which may make something else of commands
   */
  onTerm(term: number, isOlder: boolean): void;
  /** This node leads the term: `submit` takes commands. */
  onLeading(term: number): void;
  /** This node does not lead, or no longer leads. @param isFenced whether it is restored first */
  onFollowing(reason: string, isFenced: boolean): void;
  /** The engine of a former leader is where the journal was when it was restored. */
  onCaughtUp(): void;
  /** This node's state was that of the leader. */
  onStateCompared(state: StateHash): void;
}

/** The state after a sequence. */
export interface StateHash {
  readonly sequence: number;
  readonly hash: string;
}

export interface ReplayPosition {
  readonly sequence: number;
  /** The last sequence of the journal, to which it is replayed. */
  readonly target: number;
}
