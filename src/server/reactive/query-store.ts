/**
 * Evaluates each subscribed query once for all its subscribers. An answer that did not read the
 * caller's identity is shared by all; one that did belongs to that session alone. A query whose
 * topics changed is dirty and runs again when the first of its subscribers is flushed, so a burst
 * of changes costs one evaluation.
 *
 * Invariant: every subscriber of a dirty entry is queued for a flush, about to be (fan-out.ts), or
 * waits for its socket.
 */
import { createHash } from "node:crypto";
import type { Executor, FunctionResult, Identity, QueryResult, Urgency } from "./executor.ts";
import {
  argumentsKey,
  encodeError,
  encodeLogLines,
  encodeValue,
  SERVER_ERROR,
} from "./encoding.ts";
import { type Audience, FanOut } from "./fan-out.ts";
import type { ReactiveLog } from "./reactive-log.ts";
import { SentAnswers } from "./sent-answers.ts";

/** Shows answers, and is notified when one of them may have changed. */
export interface Subscriber {
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

interface Entry extends Audience {
  readonly path: string;
  /** Undefined if nothing makes the query run again: a permanent refusal keeps nothing. */
  readonly args: Record<string, unknown> | undefined;
  /** Hash of path and arguments; fixed length. */
  readonly key: string;
  /** Set if the answer depends on the caller. */
  readonly identityKey: string | undefined;
  identity: Identity | null;
  topics: ReadonlySet<string>;
  dirty: false | Urgency;
  /** A shared answer has begun to read the identity: its subscribers need entries of their own. */
  split: boolean;
  /** The JSON of the result, ready to be put after the query id in a modification. */
  payload: Payload;
  /** In no order. Leaving must not cost more with their number: all may leave at once. */
  readonly subscriptions: Subscription[];
  /** What subscribers that take increments have; undefined before the first of them. */
  sent: SentAnswers | undefined;
  /** The subscriber charged for the memory. */
  keeper: Subscriber | undefined;
  chargedBytes: number;
}

export interface Payload {
  readonly failed: boolean;
  /** From the comma after the query id to the closing brace. */
  readonly tail: string;
  /** Id of this payload. Subscribers remember it instead of the text, which would stay in memory. */
  readonly version: number;
}

const UPDATED = `{"type":"QueryUpdated","queryId":`;
const FAILED = `{"type":"QueryFailed","queryId":`;
const CHANGED = `{"type":"QueryChanged","queryId":`;
const ENTRY_BYTES = 500;
const NO_TOPICS: ReadonlySet<string> = new Set();
/** The dependencies of a query that threw at its first run are unknown, so its answer is not shared. */
const UNKNOWN = { topics: NO_TOPICS, readsIdentity: true };

export class QueryStore {
  #executor: Executor;
  #log: ReactiveLog;
  #shared = new Map<string, Entry>();
  #personal = new Map<string, Entry>();
  #byTopic = new Map<string, Set<Entry>>();
  readonly #fanOut = new FanOut();

  constructor(executor: Executor, log: ReactiveLog) {
    this.#executor = executor;
    this.#log = log;
  }

  /** How many distinct answers are kept. */
  get size(): number {
    return this.#shared.size + this.#personal.size;
  }

  get topics(): number {
    return this.#byTopic.size;
  }

  subscribe(
    subscriber: Subscriber,
    queryId: number,
    path: string,
    args: Record<string, unknown>,
    identity: Identity | null,
  ): Subscription {
    const entry = this.#entryFor(path, args, entryKey(path, args), identity);
    const subscription: Subscription = { subscriber, queryId, entry, at: 0, sent: 0 };
    this.#attach(subscription, entry);
    return subscription;
  }

  unsubscribe(subscription: Subscription): void {
    const { entry } = subscription;
    this.#detach(subscription);
    if (entry.subscriptions.length === 0) this.#forget(entry);
  }

  /** Moves a subscription to the answer of another caller, if the answer depends on the caller. */
  changeIdentity(subscription: Subscription, identity: Identity | null): void {
    const { entry } = subscription;
    if (entry.identityKey === undefined && !entry.split) return;
    if (entry.identityKey === identityKey(identity)) {
      entry.identity = identity;
      return;
    }
    this.#rebind(subscription, identity);
  }

  /**
   * The modification that updates the subscriber, undefined if it is up to date. Afterwards the
   * subscription counts as sent.
   */
  update(subscription: Subscription, identity: Identity | null): string | undefined {
    if (subscription.entry.dirty !== false) this.#refresh(subscription.entry, identity);
    if (subscription.entry.split) this.#rebind(subscription, identity);
    const { failed, tail, version } = subscription.entry.payload;
    if (subscription.sent === version) return undefined;
    const increment = this.#incrementFor(subscription);
    subscription.sent = version;
    if (increment !== undefined) return `${CHANGED}${subscription.queryId},"change":${increment}}`;
    return `${failed ? FAILED : UPDATED}${subscription.queryId}${tail}`;
  }

  /** Whether updating the subscription requires an evaluation. */
  isBehind({ entry }: Subscription): boolean {
    return entry.dirty !== false || entry.split;
  }

  /** One answer for a caller who does not subscribe; an up-to-date kept one is reused. */
  read(path: string, args: Record<string, unknown>, identity: Identity | null): Payload {
    const key = entryKey(path, args);
    const kept = this.#shared.get(key) ?? this.#personal.get(`${identityKey(identity)} ${key}`);
    if (kept !== undefined && kept.dirty === false) return kept.payload;
    return this.#payloadOf(path, this.#run(path, args, identity, UNKNOWN).result);
  }

  /** Marks the entries that depend on the topics and queues their subscribers, urgent ones first. */
  invalidate(topics: ReadonlyMap<string, Urgency>): void {
    for (const first of ["now", "conflated"] as const) {
      for (const [topic, urgency] of topics) if (urgency === first) this.#mark(topic, urgency);
    }
  }

  #mark(topic: string, urgency: Urgency): void {
    const entries = this.#byTopic.get(topic);
    if (entries === undefined) return;
    const changed: Entry[] = [];
    for (const entry of entries) {
      // Its subscribers are queued at least as urgently already.
      if (entry.dirty === "now" || entry.dirty === urgency) continue;
      entry.dirty = urgency;
      changed.push(entry);
    }
    this.#fanOut.addAll(changed, urgency);
  }

  #entryFor(
    path: string,
    args: Record<string, unknown>,
    key: string,
    identity: Identity | null,
  ): Entry {
    const shared = this.#shared.get(key);
    if (shared !== undefined) {
      if (shared.dirty !== false) this.#refresh(shared, identity);
      if (!shared.split) return shared;
    }
    const callerKey = identityKey(identity);
    const personalKey = `${callerKey} ${key}`;
    const personal = this.#personal.get(personalKey);
    if (personal !== undefined) {
      personal.identity = identity;
      if (personal.dirty !== false) this.#refresh(personal, identity);
      return personal;
    }
    const answer = this.#run(path, args, identity, UNKNOWN);
    const entry: Entry = {
      path,
      args: answer.topics.size === 0 && !answer.readsIdentity ? undefined : args,
      key,
      identityKey: answer.readsIdentity ? callerKey : undefined,
      identity: answer.readsIdentity ? identity : null,
      topics: NO_TOPICS,
      dirty: false,
      split: false,
      payload: this.#payloadOf(path, answer.result),
      subscriptions: [],
      unqueued: 0,
      next: 0,
      urgency: "conflated",
      sent: undefined,
      keeper: undefined,
      chargedBytes: 0,
    };
    this.#index(entry, answer.topics);
    if (answer.readsIdentity) this.#personal.set(personalKey, entry);
    else this.#shared.set(key, entry);
    return entry;
  }

  #refresh(entry: Entry, identity: Identity | null): void {
    const caller = entry.identityKey === undefined ? identity : entry.identity;
    const answer = this.#run(entry.path, argumentsOf(entry), caller, {
      topics: entry.topics,
      readsIdentity: entry.identityKey !== undefined,
    });
    entry.dirty = false;
    if (entry.identityKey === undefined && answer.readsIdentity) {
      // The shared answer becomes one per caller: no one else may see this caller's answer.
      entry.split = true;
      this.#shared.delete(entry.key);
      this.#index(entry, NO_TOPICS);
      this.#fanOut.add(entry, "now");
      return;
    }
    this.#index(entry, answer.topics);
    const payload = this.#payloadOf(entry.path, answer.result);
    if (payload.tail === entry.payload.tail) return;
    entry.payload = payload;
    entry.sent?.replace(payload);
    charge(entry);
  }

  /** What the subscriber is sent in place of the answer, undefined for all of it. It has the answer then. */
  #incrementFor({ subscriber, entry, sent }: Subscription): string | undefined {
    if (subscriber.takesIncrements !== true) return undefined;
    entry.sent ??= new SentAnswers(entry.payload);
    const increment = entry.sent.incrementFrom(sent);
    entry.sent.release(sent);
    entry.sent.hold();
    charge(entry);
    return increment;
  }

  #rebind(subscription: Subscription, identity: Identity | null): void {
    const old = subscription.entry;
    const entry = this.#entryFor(old.path, argumentsOf(old), old.key, identity);
    if (entry === old) return;
    const isShown =
      subscription.sent === old.payload.version && old.payload.tail === entry.payload.tail;
    this.#detach(subscription);
    if (old.subscriptions.length === 0) this.#forget(old);
    subscription.sent = isShown ? entry.payload.version : 0;
    this.#attach(subscription, entry);
  }

  #attach(subscription: Subscription, entry: Entry): void {
    subscription.entry = entry;
    subscription.at = entry.subscriptions.push(subscription) - 1;
    this.#fanOut.joined(entry);
    if (entry.keeper === undefined) keepFor(subscription.subscriber, entry);
    if (subscription.sent === 0 || subscription.subscriber.takesIncrements !== true) return;
    entry.sent ??= new SentAnswers(entry.payload);
    entry.sent.hold();
  }

  /** Its size is charged to the next subscriber. */
  #detach(subscription: Subscription): void {
    const { entry, subscriber } = subscription;
    const last = entry.subscriptions.pop();
    if (last !== undefined && last !== subscription) {
      entry.subscriptions[subscription.at] = last;
      last.at = subscription.at;
      this.#fanOut.moved(entry, last);
    }
    if (subscriber.takesIncrements === true) entry.sent?.release(subscription.sent);
    charge(entry);
    if (entry.keeper === subscriber) keepFor(entry.subscriptions[0]?.subscriber, entry);
  }

  #forget(entry: Entry): void {
    this.#index(entry, NO_TOPICS);
    if (entry.identityKey !== undefined) {
      this.#personal.delete(`${entry.identityKey} ${entry.key}`);
    } else if (!entry.split) {
      this.#shared.delete(entry.key);
    }
  }

  #index(entry: Entry, topics: ReadonlySet<string>): void {
    if (entry.topics === topics || sameTopics(entry.topics, topics)) return;
    for (const topic of entry.topics) {
      const entries = this.#byTopic.get(topic);
      entries?.delete(entry);
      if (entries?.size === 0) this.#byTopic.delete(topic);
    }
    for (const topic of topics) {
      const entries = this.#byTopic.get(topic);
      if (entries === undefined) this.#byTopic.set(topic, new Set([entry]));
      else entries.add(entry);
    }
    // A copy: the executor may reuse its set.
    entry.topics = topics.size === 0 ? NO_TOPICS : new Set(topics);
  }

  #run(
    path: string,
    args: Record<string, unknown>,
    identity: Identity | null,
    known: { topics: ReadonlySet<string>; readsIdentity: boolean },
  ): QueryResult {
    try {
      return this.#executor.query({ path, args, identity });
    } catch (error) {
      this.#log.error({ err: error, path }, "a query threw");
      return { result: SERVER_ERROR, ...known };
    }
  }

  #payloadOf(path: string, result: FunctionResult): Payload {
    try {
      return encodePayload(result);
    } catch (error) {
      this.#log.error({ err: error, path }, "a query answered what cannot be sent");
      return encodePayload(SERVER_ERROR);
    }
  }
}

function keepFor(keeper: Subscriber | undefined, entry: Entry): void {
  if (entry.keeper === keeper) return;
  entry.keeper?.onKept(-entry.chargedBytes);
  entry.keeper = keeper;
  entry.chargedBytes = 0;
  charge(entry);
}

/** An estimate: a text takes a byte or two for each character, and an entry has overhead. */
function charge(entry: Entry): void {
  const { payload, sent, keeper, chargedBytes } = entry;
  const bytes = payload.tail.length + (sent?.length ?? 0) + ENTRY_BYTES;
  if (keeper === undefined || bytes === chargedBytes) return;
  entry.chargedBytes = bytes;
  keeper.onKept(bytes - chargedBytes);
}

let lastVersion = 0;

function encodePayload(result: FunctionResult): Payload {
  const failed = result.status === "error";
  const answer = failed
    ? encodeError("errorMessage", result)
    : `"value":${encodeValue(result.value)}`;
  return {
    failed,
    tail: `,${answer},${encodeLogLines(result)},"journal":null}`,
    version: ++lastVersion,
  };
}

/** @throws Error for an entry that has none: nothing makes it run again. */
function argumentsOf({ path, args }: Entry): Record<string, unknown> {
  if (args === undefined) throw new Error(`The arguments of ${path} were not kept.`);
  return args;
}

function entryKey(path: string, args: Record<string, unknown>): string {
  return createHash("sha256")
    .update(JSON.stringify(path))
    .update(argumentsKey(args))
    .digest("base64url");
}

function identityKey(identity: Identity | null): string {
  return identity === null ? "visitor" : JSON.stringify([identity.subject, identity.sessionId]);
}

function sameTopics(first: ReadonlySet<string>, second: ReadonlySet<string>): boolean {
  if (first.size !== second.size) return false;
  for (const topic of first) if (!second.has(topic)) return false;
  return true;
}
