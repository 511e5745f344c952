/**
 * What a shortened stream begins with: written before its oldest messages are removed, and read when the
 * stream is opened. It is one key of a JetStream bucket, with the state that the first message continues. It also
 * says which leader archives: a later one claims the key, and what an earlier one then writes is refused.
 */
import type { JetStreamClient, StreamAPI } from "@nats-io/jetstream";
import { Kvm } from "@nats-io/kv";
import type { SegmentHeader } from "../format.ts";
import { JournalDamagedError, JournalFencedError } from "../journal.ts";
import { untilReady } from "./until-ready.ts";
import { isWrongLastSequence } from "./wrong-last-sequence.ts";

export interface StreamBeginning {
  /**
   * The position of the first message that is needed; earlier ones are in the archive, and may be in the
   * stream, too.
   */
  readonly position: number;
  /** The identity of the journal, whose first segment is in the archive. */
  readonly identity: number;
  /** How many segments of the archive come before it. */
  readonly segments: number;
  /** As of a segment that begins there: the term, and what the first message continues. */
  readonly header: SegmentHeader;
  /** The engine version of the writer of that term; 0 if unknown. */
  readonly engineVersion: number;
}

/** What the key has; a leader claims it before anything is removed. */
interface Entry {
  /** The term of the leader that wrote it. */
  readonly term: number;
  readonly beginning: StreamBeginning | undefined;
}

/** Where beginnings are kept. */
export interface BeginningStore {
  /** With the revision of the value; 0 and undefined if there is none. */
  read(): Promise<{ readonly value: string | undefined; readonly revision: number }>;
  /** @returns the new revision; undefined if the value has another than this one */
  write(value: string, revision: number): Promise<number | undefined>;
}

const KEY = "beginning";

function bucketOf(stream: string): string {
  return `${stream}-beginning`;
}

/** The stream's beginning; undefined if nothing was ever removed from it. */
export async function readBeginning(
  streams: Pick<StreamAPI, "getMessage">,
  stream: string,
): Promise<StreamBeginning | undefined> {
  const bucket = bucketOf(stream);
  const query = { last_by_subj: `$KV.${bucket}.${KEY}` };
  try {
    const message = await untilReady(() => streams.getMessage(`KV_${bucket}`, query));
    return message === null ? undefined : decode(message.string()).beginning;
  } catch (error) {
    if (error instanceof Error && error.name === "StreamNotFoundError") return undefined;
    throw error;
  }
}

/** Opens the store, which the first leader that archives creates. */
export async function openBeginnings(
  jetstream: JetStreamClient,
  stream: string,
  replicas: number,
): Promise<BeginningStore> {
  const bucket = await untilReady(() =>
    new Kvm(jetstream).create(bucketOf(stream), {
      replicas,
      history: 1,
      description: "What the shortened journal of an Openbell exchange begins with",
    }),
  );
  return {
    async read() {
      const entry = await untilReady(() => bucket.get(KEY));
      return { value: entry?.string(), revision: entry?.revision ?? 0 };
    },
    async write(value, revision) {
      try {
        // The client refuses to update what is not there.
        return revision === 0
          ? await bucket.create(KEY, value)
          : await bucket.update(KEY, value, revision);
      } catch (error) {
        if (isWrongLastSequence(error)) return undefined;
        throw error;
      }
    },
  };
}

/** A leader's right to move the beginning, until a later one claims it. */
export class BeginningClaim {
  readonly #store: BeginningStore;
  readonly #term: number;
  #revision: number;
  #beginning: StreamBeginning | undefined;

  private constructor(
    store: BeginningStore,
    term: number,
    revision: number,
    beginning: StreamBeginning | undefined,
  ) {
    this.#store = store;
    this.#term = term;
    this.#revision = revision;
    this.#beginning = beginning;
  }

  /** @throws JournalFencedError if the leader of a later term has claimed it */
  static async of(store: BeginningStore, term: number): Promise<BeginningClaim> {
    const { value, revision } = await store.read();
    const entry = value === undefined ? undefined : decode(value);
    if (entry !== undefined && entry.term > term) throw fenced(entry.term);
    const claim = new BeginningClaim(store, term, revision, entry?.beginning);
    if (entry?.term !== term) await claim.#write(entry?.beginning);
    return claim;
  }

  /** The newest one. */
  get beginning(): StreamBeginning | undefined {
    return this.#beginning;
  }

  /** @throws JournalFencedError if it was changed since it was claimed */
  async move(beginning: StreamBeginning): Promise<void> {
    await this.#write(beginning);
    this.#beginning = beginning;
  }

  async #write(beginning: StreamBeginning | undefined): Promise<void> {
    const entry: Entry = { term: this.#term, beginning };
    const written = await this.#store.write(JSON.stringify(entry), this.#revision);
    if (written === undefined) throw fenced(this.#term);
    this.#revision = written;
  }
}

function fenced(term: number): JournalFencedError {
  return new JournalFencedError(`its beginning is claimed since term ${term}`);
}

/** @throws JournalDamagedError: a writer there may write anything */
function decode(value: string): Entry {
  const entry = parse(value) as Partial<Entry> | undefined;
  const { beginning } = entry ?? {};
  const { position, identity, segments, header } = beginning ?? { position: 1, identity: 1 };
  const numbers = [entry?.term, position, identity];
  if (beginning !== undefined) {
    const { salt, number, chain, firstSequence, lastTimestampMs, version } = header ?? {};
    numbers.push(
      beginning.engineVersion,
      segments,
      salt,
      number,
      chain,
      firstSequence,
      lastTimestampMs,
      version,
    );
  }
  if (!numbers.every((each) => Number.isSafeInteger(each))) {
    throw new JournalDamagedError(
      "the stream's beginning",
      0,
      1,
      "what it begins with is not known",
    );
  }
  return entry as Entry;
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
