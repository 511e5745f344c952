/**
 * Evaluates each subscribed query once for all its subscribers. An answer that does not depend on
 * the caller is shared by all; otherwise it belongs to one session. A query whose topics changed is
 * dirty, and runs again when the first of its subscribers is flushed, so that a burst of changes
 * costs one evaluation.
 *
 * Invariant: every subscriber of a dirty entry is queued for a flush, about to be queued
 * (fan-out.ts), or waits for its socket.
 */
import { createHash } from "node:crypto";
import { argumentsKey, SERVER_ERROR } from "./encoding.ts";
import type { Executor, Identity, QueryResult, Urgency } from "./executor.ts";
import { FanOut } from "./fan-out.ts";
import { changeOf, encodePayload, modificationOf, type Payload } from "./payload.ts";
import {
  chargeEntry,
  type Entry,
  keepFor,
  type Subscriber,
  type Subscription,
} from "./query-entry.ts";
import type { ReactiveLog } from "./reactive-log.ts";
import { SentAnswers } from "./sent-answers.ts";

/** A query as requested by a client. */
export interface AskedQuery {
  readonly path: string;
  readonly args: Record<string, unknown>;
  /** The query journal that an earlier run left with the client. */
  readonly journal: string | null;
  /** Identifies the request in log lines about its failure. */
  readonly request?: string | undefined;
}

const NO_TOPICS: ReadonlySet<string> = new Set();
/** Dependencies of a query that threw at its first run: unknown, so its answer is not shared. */
const UNKNOWN_DEPENDENCIES = { topics: NO_TOPICS, readsIdentity: true };

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

  /** Number of distinct answers. */
  get size(): number {
    return this.#shared.size + this.#personal.size;
  }

  get topics(): number {
    return this.#byTopic.size;
  }

  subscribe(
    subscriber: Subscriber,
    queryId: number,
    asked: AskedQuery,
    identity: Identity | null,
  ): Subscription {
    const leavesJournal = this.#executor.leavesJournal?.(asked.path) ?? true;
    const query = leavesJournal ? asked : { ...asked, journal: null };
    const entry = this.#entryFor(query, entryKey(query), identity);
    const subscription: Subscription = { subscriber, queryId, entry, at: 0, sent: 0 };
    this.#attach(subscription, entry);
    return subscription;
  }

  unsubscribe(subscription: Subscription): void {
    const { entry } = subscription;
    this.#detach(subscription);
    if (entry.subscriptions.length === 0) this.#forget(entry);
  }

  /**
   * Whether the subscription's answer is valid for the caller: it is shared, or belongs to the same
   * session, which may have a newer token. Otherwise call `changeIdentity` before `update`.
   */
  isShownTo({ entry }: Subscription, identity: Identity | null): boolean {
    if (entry.identityKey === undefined) return !entry.split;
    if (entry.identityKey !== identityKey(identity)) return false;
    entry.identity = identity;
    return true;
  }

  /** Moves a subscription to the caller's answer, which is evaluated if it does not exist yet. */
  changeIdentity(subscription: Subscription, identity: Identity | null): void {
    if (!this.isShownTo(subscription, identity)) this.#rebind(subscription, identity);
  }

  /**
   * The modification that updates the subscriber; undefined if it is up to date or the answer is
   * being loaded. The modification counts as sent.
   */
  update(subscription: Subscription, identity: Identity | null): string | undefined {
    if (subscription.entry.dirty !== false) this.#refresh(subscription.entry, identity);
    if (subscription.entry.split) this.#rebind(subscription, identity);
    const { payload } = subscription.entry;
    if (payload === undefined || subscription.sent === payload.version) return undefined;
    const increment = this.#incrementFor(subscription, payload);
    subscription.sent = payload.version;
    return increment === undefined
      ? modificationOf(subscription.queryId, payload)
      : changeOf(subscription.queryId, increment);
  }

  /** Whether updating the subscription requires an evaluation. */
  isBehind({ entry }: Subscription): boolean {
    return entry.dirty !== false || entry.split;
  }

  /**
   * Reads an answer without subscribing; a stored one is reused if up to date. Returns a promise
   * while the answer is being loaded: read again when it settles.
   */
  read(asked: AskedQuery, identity: Identity | null): Payload | Promise<void> {
    const key = entryKey(asked);
    const kept = this.#shared.get(key) ?? this.#personal.get(`${identityKey(identity)} ${key}`);
    if (kept?.payload !== undefined && kept.dirty === false && kept.loading === undefined) {
      return kept.payload;
    }
    const answer = this.#run(asked, identity, UNKNOWN_DEPENDENCIES);
    return answer.result instanceof Promise
      ? answer.result
      : this.#payloadOf(asked.path, answer, asked.journal);
  }

  /**
   * Marks the entries that depend on the topics as dirty and queues their subscribers, urgent ones
   * first.
   */
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
      // Its subscribers are already queued at least as urgently.
      if (entry.dirty === "now" || entry.dirty === urgency) continue;
      entry.dirty = urgency;
      changed.push(entry);
    }
    this.#fanOut.addAll(changed, urgency);
  }

  #entryFor(asked: AskedQuery, key: string, identity: Identity | null): Entry {
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
    const { path, args, journal } = asked;
    const answer = this.#run(asked, identity, UNKNOWN_DEPENDENCIES);
    const isLoading = answer.result instanceof Promise;
    const isPermanent = answer.topics.size === 0 && !answer.readsIdentity && !isLoading;
    const entry: Entry = {
      path,
      args: isPermanent ? undefined : args,
      key,
      identityKey: answer.readsIdentity ? callerKey : undefined,
      identity: answer.readsIdentity ? identity : null,
      topics: NO_TOPICS,
      dirty: false,
      split: false,
      journal: answer.journal ?? journal,
      payload: isLoading ? undefined : this.#payloadOf(path, answer, journal),
      loading: undefined,
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
    this.#followLoading(entry, answer);
    return entry;
  }

  #refresh(entry: Entry, identity: Identity | null): void {
    const caller = entry.identityKey === undefined ? identity : entry.identity;
    const { path, journal } = entry;
    const answer = this.#run({ path, args: argumentsOf(entry), journal }, caller, {
      topics: entry.topics,
      readsIdentity: entry.identityKey !== undefined,
    });
    entry.dirty = false;
    this.#followLoading(entry, answer);
    if (entry.identityKey === undefined && answer.readsIdentity) {
      // Split the shared answer into one per caller: no other caller may see this one.
      entry.split = true;
      this.#shared.delete(entry.key);
      this.#index(entry, NO_TOPICS);
      this.#fanOut.add(entry, "now");
      return;
    }
    this.#index(entry, answer.topics);
    // While loading, subscribers keep the last answer.
    if (answer.result instanceof Promise) return;
    const payload = this.#payloadOf(path, answer, journal);
    entry.journal = answer.journal ?? journal;
    if (payload.tail === entry.payload?.tail) return;
    entry.payload = payload;
    entry.sent?.replace(payload);
    chargeEntry(entry);
  }

  /**
   * The increment to send instead of the answer; undefined if the answer must be sent completely.
   * Records that the subscriber has the answer.
   */
  #incrementFor(subscription: Subscription, payload: Payload): string | undefined {
    const { subscriber, entry, sent } = subscription;
    if (subscriber.takesIncrements !== true) return undefined;
    entry.sent ??= new SentAnswers(payload);
    const increment = entry.sent.incrementFrom(sent);
    entry.sent.release(sent);
    entry.sent.hold();
    chargeEntry(entry);
    return increment;
  }

  /** Runs the query again when its data is loaded or could not be. */
  #followLoading(entry: Entry, { result }: QueryResult): void {
    entry.loading = result instanceof Promise ? result : undefined;
    if (entry.loading === undefined) return;
    const { loading } = entry;
    const runAgain = () => {
      if (entry.loading !== loading) return;
      entry.loading = undefined;
      if (entry.dirty === "now") return;
      entry.dirty = "now";
      this.#fanOut.add(entry, "now");
    };
    loading.then(runAgain, runAgain);
  }

  #rebind(subscription: Subscription, identity: Identity | null): void {
    const old = subscription.entry;
    const { path, journal } = old;
    const entry = this.#entryFor({ path, args: argumentsOf(old), journal }, old.key, identity);
    if (entry === old) return;
    const isShown =
      subscription.sent === old.payload?.version && old.payload.tail === entry.payload?.tail;
    this.#detach(subscription);
    if (old.subscriptions.length === 0) this.#forget(old);
    subscription.sent = isShown && entry.payload !== undefined ? entry.payload.version : 0;
    this.#attach(subscription, entry);
  }

  #attach(subscription: Subscription, entry: Entry): void {
    subscription.entry = entry;
    subscription.at = entry.subscriptions.push(subscription) - 1;
    this.#fanOut.joined(entry);
    if (entry.keeper === undefined) keepFor(subscription.subscriber, entry);
    const { payload } = entry;
    if (payload === undefined || subscription.sent !== payload.version) return;
    if (subscription.subscriber.takesIncrements !== true) return;
    entry.sent ??= new SentAnswers(payload);
    entry.sent.hold();
  }

  /** Detaches a subscription; the entry's memory is charged to another subscriber. */
  #detach(subscription: Subscription): void {
    const { entry, subscriber } = subscription;
    const last = entry.subscriptions.pop();
    if (last !== undefined && last !== subscription) {
      entry.subscriptions[subscription.at] = last;
      last.at = subscription.at;
      this.#fanOut.moved(entry, last);
    }
    if (subscriber.takesIncrements === true) entry.sent?.release(subscription.sent);
    chargeEntry(entry);
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
    // Copied, because the executor may reuse its set.
    entry.topics = topics.size === 0 ? NO_TOPICS : new Set(topics);
  }

  #run(
    asked: AskedQuery,
    identity: Identity | null,
    known: { topics: ReadonlySet<string>; readsIdentity: boolean },
  ): QueryResult {
    try {
      return this.#executor.query({ ...asked, identity });
    } catch (error) {
      const { path, request } = asked;
      this.#log.error({ err: error, path, request }, "a query threw");
      return { result: SERVER_ERROR, ...known };
    }
  }

  /** @param before the journal passed to the run */
  #payloadOf(path: string, answer: QueryResult, before: string | null): Payload {
    const { result, journal = before } = answer;
    try {
      if (result instanceof Promise) throw new Error("an answer that is being loaded is none yet");
      return encodePayload(result, journal);
    } catch (error) {
      this.#log.error({ err: error, path }, "a query answered what cannot be sent");
      return encodePayload(SERVER_ERROR, journal);
    }
  }
}

/** @throws Error for an entry without arguments, which never runs again */
function argumentsOf({ path, args }: Entry): Record<string, unknown> {
  if (args === undefined) throw new Error(`The arguments of ${path} were not kept.`);
  return args;
}

function entryKey({ path, args, journal }: AskedQuery): string {
  return createHash("sha256")
    .update(JSON.stringify([path, journal]))
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
