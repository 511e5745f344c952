/**
 * The queries of one connection: adding, removing and updating them. A query is not evaluated when
 * it is added, so one removed by the same message never is.
 *
 * A Transition evaluates a limited number of queries and has a limited length, so that a
 * connection with a thousand queries does not delay other clients, and no unread message is large.
 * Within these limits a Transition shows one consistent state of all queries. The queries beyond
 * them follow in the next Transitions, longest waiting first.
 */
import {
  BadArgumentsError,
  canonicalPath,
  decodeQueryArguments,
  encodeError,
  queryArgumentsText,
} from "./encoding.ts";
import type { Identity } from "./executor.ts";
import { ProtocolError } from "./messages.ts";
import type { AddQuery, ModifyQuerySetMessage } from "./messages.ts";
import type { Subscriber, Subscription } from "./query-entry.ts";
import type { QueryStore } from "./query-store.ts";

const QUERIES_MAX = 1_000;
/** Limit of the arguments of all queries of a connection, as JSON. */
const ARGUMENTS_BYTES_MAX = 256 * 1024;
/** Approximate memory of a query, besides its arguments and its answer, which equal queries share. */
const QUERY_BYTES = 512;
/** Limits of evaluation per Transition, whichever is reached first. */
const EVALUATIONS_MAX = 100;
const EVALUATING_MS_MAX = 5;
/** A tenth of a millisecond. */
const REMOVED_PER_STEP = 100;
/** A Transition that has more characters gets no further answer. */
const LENGTH_MAX = 512 * 1024;

interface Query {
  /** Set until the query is first evaluated; arguments as text, which is cheap to make and to keep. */
  waiting:
    | { readonly path: string; readonly argsText: string; readonly journal: string | null }
    | undefined;
  /** Undefined before the first evaluation, and permanently if the arguments were refused. */
  subscription: Subscription | undefined;
  /**
   * Whether the answer belongs to an earlier identity; it must be evaluated for the current one
   * before it is updated.
   */
  isOfEarlierCaller: boolean;
  readonly argumentsBytes: number;
}

export class QuerySet {
  readonly #store: QueryStore;
  readonly #subscriber: Subscriber;
  readonly #now: () => number;
  readonly #queries = new Map<number, Query>();
  #argumentsBytes = 0;

  /** @param now a monotonic clock in milliseconds */
  constructor(store: QueryStore, subscriber: Subscriber, now = () => performance.now()) {
    this.#store = store;
    this.#subscriber = subscriber;
    this.#now = now;
  }

  /**
   * Adds and removes queries.
   * @returns the modifications that confirm removals and refuse arguments that are too large
   * @throws ProtocolError for messages that the official client never sends, in which case the set must
   *   be discarded
   */
  modify(modifications: ModifyQuerySetMessage["modifications"]): string[] {
    const answers: string[] = [];
    for (const modification of modifications) {
      if (modification.type === "Add") {
        const refusal = this.#add(modification);
        if (refusal !== undefined) answers.push(refusal);
      } else {
        this.#remove(modification.queryId);
        answers.push(`{"type":"QueryRemoved","queryId":${modification.queryId}}`);
      }
    }
    return answers;
  }

  /**
   * Marks answers that depend on the caller; `update` evaluates them for the new one, within its
   * limits.
   */
  changeIdentity(identity: Identity | null): void {
    for (const query of this.#queries.values()) {
      const { subscription } = query;
      if (subscription === undefined) continue;
      query.isOfEarlierCaller = !this.#store.isShownTo(subscription, identity);
    }
  }

  /**
   * Appends the modifications that bring the client to the current state.
   * @returns false if some queries had to wait: call it again soon
   */
  update(identity: Identity | null, modifications: string[]): boolean {
    const shown: [number, Query][] = [];
    let evaluations = 0;
    let length = 0;
    let isComplete = true;
    const untilMs = this.#now() + EVALUATING_MS_MAX;
    for (const [queryId, query] of this.#queries) {
      const isBehind = this.#isBehind(query);
      if (length > LENGTH_MAX || (isBehind && evaluations === EVALUATIONS_MAX)) {
        isComplete = false;
        continue;
      }
      if (isBehind) {
        evaluations++;
        if (this.#now() >= untilMs) evaluations = EVALUATIONS_MAX;
      }
      const update = this.#updateOf(queryId, query, identity);
      if (isBehind || update !== undefined) shown.push([queryId, query]);
      if (update === undefined) continue;
      modifications.push(update);
      length += update.length;
    }
    if (!isComplete) {
      // Move the updated queries after those that had to wait.
      for (const [queryId, query] of shown) {
        this.#queries.delete(queryId);
        this.#queries.set(queryId, query);
      }
    }
    return isComplete;
  }

  /** Removes all queries, a few with each step. The set must not be used afterwards. */
  *leave(): Generator<void> {
    let left = REMOVED_PER_STEP;
    for (const queryId of this.#queries.keys()) {
      this.#remove(queryId);
      if (--left > 0) continue;
      left = REMOVED_PER_STEP;
      yield;
    }
  }

  /**
   * Adds a query. Returns the modification that refuses it if its arguments are invalid or too
   * large.
   */
  #add({ queryId, udfPath, args: sent, journal = null }: AddQuery): string | undefined {
    if (this.#queries.has(queryId)) {
      throw new ProtocolError(`The query id ${queryId} was added twice.`);
    }
    if (this.#queries.size >= QUERIES_MAX) {
      throw new ProtocolError(`A connection may have at most ${QUERIES_MAX} queries.`);
    }
    try {
      const { text: argsText, bytes: argumentBytes } = queryArgumentsText(sent);
      const bytes = argumentBytes + (journal?.length ?? 0);
      if (this.#argumentsBytes + bytes > ARGUMENTS_BYTES_MAX) {
        throw new BadArgumentsError(
          `The arguments of all queries may have at most ${ARGUMENTS_BYTES_MAX} bytes.`,
        );
      }
      const waiting = { path: canonicalPath(udfPath), argsText, journal };
      this.#queries.set(queryId, {
        waiting,
        subscription: undefined,
        isOfEarlierCaller: false,
        argumentsBytes: bytes,
      });
      this.#argumentsBytes += bytes;
      this.#subscriber.onKept(QUERY_BYTES + bytes);
      return undefined;
    } catch (error) {
      if (!(error instanceof BadArgumentsError)) throw error;
      this.#queries.set(queryId, {
        waiting: undefined,
        subscription: undefined,
        isOfEarlierCaller: false,
        argumentsBytes: 0,
      });
      this.#subscriber.onKept(QUERY_BYTES);
      return refusalOf(queryId, error);
    }
  }

  #remove(queryId: number): void {
    const query = this.#queries.get(queryId);
    if (query === undefined) return;
    this.#queries.delete(queryId);
    this.#argumentsBytes -= query.argumentsBytes;
    this.#subscriber.onKept(0 - QUERY_BYTES - query.argumentsBytes);
    if (query.subscription !== undefined) this.#store.unsubscribe(query.subscription);
  }

  #isBehind({ isOfEarlierCaller, subscription, waiting }: Query): boolean {
    if (waiting !== undefined || isOfEarlierCaller) return true;
    return subscription !== undefined && this.#store.isBehind(subscription);
  }

  /**
   * The modification that updates a query; undefined if the client is up to date or the answer is
   * being loaded.
   */
  #updateOf(queryId: number, query: Query, identity: Identity | null): string | undefined {
    const { waiting } = query;
    if (waiting !== undefined) {
      query.waiting = undefined;
      try {
        const args = decodeQueryArguments(waiting.argsText);
        const { path, journal } = waiting;
        const request = `${this.#subscriber.name ?? ""}/query ${queryId}`;
        const asked = { path, args, journal, request };
        query.subscription = this.#store.subscribe(this.#subscriber, queryId, asked, identity);
      } catch (error) {
        if (!(error instanceof BadArgumentsError)) throw error;
        return refusalOf(queryId, error);
      }
    }
    const { subscription } = query;
    if (subscription === undefined) return undefined;
    if (query.isOfEarlierCaller) {
      query.isOfEarlierCaller = false;
      this.#store.changeIdentity(subscription, identity);
    }
    return this.#store.update(subscription, identity);
  }
}

/**
 * Requires that a change of a query set follows on the set's present version.
 * @throws ProtocolError
 */
export function requireNextVersion(
  { baseVersion, newVersion }: ModifyQuerySetMessage,
  version: number,
): void {
  if (baseVersion !== version) {
    throw new ProtocolError(
      `ModifyQuerySet is based on version ${baseVersion}, which is ${version}.`,
    );
  }
  if (newVersion <= baseVersion) {
    throw new ProtocolError("The new version of a query set must be above its base version.");
  }
}

function refusalOf(queryId: number, { message, data }: BadArgumentsError): string {
  const refusal = encodeError("errorMessage", { status: "error", message, data });
  return `{"type":"QueryFailed","queryId":${queryId},${refusal},"logLines":[],"journal":null}`;
}
