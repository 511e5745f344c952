/**
 * The query store's data per answer and per subscription, and the client that is charged for its memory.
 */
import type { Identity, Urgency } from "./executor.ts";
import type { Audience } from "./fan-out.ts";
import { bytesOf, type Payload } from "./payload.ts";
import type { SentAnswers } from "./sent-answers.ts";

/** A subscriber of answers; it is notified when one of them may have changed. */
export interface Subscriber {
  /** Identifies the subscriber in log lines. */
  readonly name?: string;
  queueFlush(urgency: Urgency): void;
  /**
   * Called when the memory charged to the subscriber changes. An answer is charged to one of its
   * subscribers.
   */
  onKept(bytesDifference: number): void;
  /** Whether the subscriber accepts increments instead of changed answers. */
  readonly takesIncrements?: boolean;
}

/** A subscriber's query. */
export interface Subscription {
  readonly subscriber: Subscriber;
  readonly queryId: number;
  entry: Entry;
  /** Index in the entry's subscriptions. */
  at: number;
  /** Version of the payload last sent, 0 if none; an unchanged payload is not sent again. */
  sent: number;
}

/** An answer and its subscriptions. */
export interface Entry extends Audience {
  readonly path: string;
  /** The query's arguments; undefined for a permanent refusal, because it never runs again. */
  readonly args: Record<string, unknown> | undefined;
  /**
   * Hash of path, arguments and initial journal. The journal is included because a client that
   * reconnects with one has further pages that begin where this page ended.
   */
  readonly key: string;
  /** Key of the caller; undefined if the answer does not depend on the caller. */
  readonly identityKey: string | undefined;
  identity: Identity | null;
  topics: ReadonlySet<string>;
  dirty: false | Urgency;
  /**
   * Whether a shared answer has begun to depend on the caller: its subscribers need entries of
   * their own.
   */
  split: boolean;
  /** The query journal of the last run. */
  journal: string | null;
  /** The encoded answer; undefined while the first one is being loaded. */
  payload: Payload | undefined;
  /** Settles when the query can run again; replaced by a newer load. */
  loading: Promise<void> | undefined;
  /** Unordered, so that removing one takes constant time: all subscribers may leave at once. */
  readonly subscriptions: Subscription[];
  /** The answers that subscribers with increments have; undefined before the first such subscriber. */
  sent: SentAnswers | undefined;
  /** The subscriber charged for the memory. */
  keeper: Subscriber | undefined;
  chargedBytes: number;
}

/** Charges the entry's memory to another subscriber. */
export function keepFor(keeper: Subscriber | undefined, entry: Entry): void {
  if (entry.keeper === keeper) return;
  entry.keeper?.onKept(-entry.chargedBytes);
  entry.keeper = keeper;
  entry.chargedBytes = 0;
  chargeEntry(entry);
}

/** Updates the charge to the entry's current size. */
export function chargeEntry(entry: Entry): void {
  const { payload, sent, keeper, chargedBytes } = entry;
  const bytes = bytesOf(payload) + (sent?.length ?? 0);
  if (keeper === undefined || bytes === chargedBytes) return;
  entry.chargedBytes = bytes;
  keeper.onKept(bytes - chargedBytes);
}
