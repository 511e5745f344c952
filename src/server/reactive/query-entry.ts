/** What the store keeps of each answer and of each who is shown it, and who is charged for it. */
import type { Identity, Urgency } from "./executor.ts";
import type { Audience } from "./fan-out.ts";
import { bytesOf, type Payload } from "./payload.ts";
import type { SentAnswers } from "./sent-answers.ts";

/** Shows answers, and is notified when one of them may have changed. */
export interface Subscriber {
  /** Names it in log lines. */
  readonly name?: string;
  queueFlush(urgency: Urgency): void;
  /** The memory charged to it has changed: an answer is charged to its first subscriber. */
  onKept(bytesDifference: number): void;
  /** Whether it is sent increments in place of changed answers. */
  readonly takesIncrements?: boolean;
}

/** One query of one subscriber. */
export interface Subscription {
  readonly subscriber: Subscriber;
  readonly queryId: number;
  entry: Entry;
  /** Its index in the entry's subscriptions. */
  at: number;
  /** Version of the payload last sent, 0 if none; unchanged ones are not sent again. */
  sent: number;
}

/** An answer with all who are shown it. */
export interface Entry extends Audience {
  readonly path: string;
  /** Undefined if nothing makes the query run again: a permanent refusal keeps nothing. */
  readonly args: Record<string, unknown> | undefined;
  /**
   * Hash of path, arguments and the journal that it began with; fixed length. A client that comes back
   * with a journal has more pages that begin where this one ended.
   */
  readonly key: string;
  /** Set if the answer depends on the caller. */
  readonly identityKey: string | undefined;
  identity: Identity | null;
  topics: ReadonlySet<string>;
  dirty: false | Urgency;
  /** A shared answer has begun to read the identity: its subscribers need entries of their own. */
  split: boolean;
  /** What the last run left for the next one. */
  journal: string | null;
  /** Undefined while the first answer is being loaded. */
  payload: Payload | undefined;
  /** Settles when it can run again; the newest one counts. */
  loading: Promise<void> | undefined;
  /** In no order. Leaving must not cost more with their number: all may leave at once. */
  readonly subscriptions: Subscription[];
  /** What subscribers that take increments have; undefined before the first of them. */
  sent: SentAnswers | undefined;
  /** The subscriber charged for the memory. */
  keeper: Subscriber | undefined;
  chargedBytes: number;
}

/** Charges another subscriber for the entry's memory. */
export function keepFor(keeper: Subscriber | undefined, entry: Entry): void {
  if (entry.keeper === keeper) return;
  entry.keeper?.onKept(-entry.chargedBytes);
  entry.keeper = keeper;
  entry.chargedBytes = 0;
  charge(entry);
}

/** Charges what the entry takes now. */
export function charge(entry: Entry): void {
  const { payload, sent, keeper, chargedBytes } = entry;
  const bytes = bytesOf(payload) + (sent?.length ?? 0);
  if (keeper === undefined || bytes === chargedBytes) return;
  entry.chargedBytes = bytes;
  keeper.onKept(bytes - chargedBytes);
}
