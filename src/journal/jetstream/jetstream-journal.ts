/**
 * The journal as a stream of NATS JetStream, one message per group. A writer begins with a message that takes the
 * next term; from then on every append expects the stream to end where this writer left it, so an earlier writer's
 * appends fail, however long it was paused.
 *
 * An append whose answer is lost may still be on its way. It is sent again, byte for byte, with the
 * same expectation: at most one of the two is accepted, and the message at their position shows which
 * writer appended it. JetStream's message ids, remembered for minutes, would add nothing.
 */
import { randomInt, randomUUID } from "node:crypto";
import { setTimeout as delay } from "node:timers/promises";
import { jetstream, type JetStreamClient, type JetStreamManager } from "@nats-io/jetstream";
import { headers, type NatsConnection } from "@nats-io/transport-node";
import { encodeGroup, encodeSegmentHeader, extentOf, recordBytesMaxOf } from "../format.ts";
import {
  type Journal,
  JournalDamagedError,
  JournalFencedError,
  JournalIdentityError,
  type JournalLog,
  JournalNewerError,
  JournalOutcomeUnknownError,
  JournalShortenedError,
  JournalWriteError,
  type RecordGroup,
} from "../journal.ts";
import { connectTo, type OpenStream, openStream } from "./connection.ts";
import { openAtLeader } from "./leading-server.ts";
import { describeAddress, parseStreamAddress, type StreamAddress } from "./stream-address.ts";
import { ENGINE_VERSION_HEADER, STATE_HASH_HEADER } from "./message-headers.ts";
import { MessageVerifier } from "./message-verifier.ts";
import { StreamArchive } from "./stream-archive.ts";
import {
  EMPTY_TAIL,
  firstSequenceOf,
  positionOf,
  readTail,
  type StreamTail,
  withGroup,
  withSegment,
} from "./stream-tail.ts";
import { ServerChoice } from "./server-choice.ts";
import { streamMessages } from "./stream-messages.ts";
import { subjectsOf, type Subjects } from "./stream-rules.ts";
import { isWrongLastSequence } from "./wrong-last-sequence.ts";

export interface JetStreamJournalOptions {
  /** See stream-address.ts. */
  readonly address: string;
  readonly log?: JournalLog;
  /** Takes no term and appends nothing; a missing stream is not created, and counts as an empty journal. */
  readonly readOnly?: boolean;
  /** With `durable`, the journal opened to read reaches that sequence, known to be durable. */
  readonly besideWriter?: { readonly durable?: number };
  /** The identity that an existing journal must have and a new one gets; random if absent. */
  readonly identity?: number;
  /** Of the engine that follows or continues the stream; not checked if omitted. */
  readonly engineVersion?: number;
}

const ANSWER_MS_MAX = 2_000;
const RETRY_AFTER_MS = 100;
/** A message's headers count towards the largest payload. */
const MESSAGE_HEADER_BYTES = 512;
const WRITER_HEADER = "Openbell-Writer";
const NO_BYTES = new ArrayBuffer(0);

/**
 * Opens the journal; a writer fences every earlier one.
 * @throws StreamRefusedError with a sentence if the stream cannot be reached or must not keep a journal,
 * JournalDamagedError if its end cannot be trusted, JournalIdentityError before a term is taken
 */
export async function openJetStreamJournal(options: JetStreamJournalOptions): Promise<Journal> {
  const address = parseStreamAddress(options.address);
  const isWriter = options.readOnly !== true;
  const opened = isWriter
    ? await openAtLeader(address)
    : await openStream(await connectTo(address), address, false);
  try {
    const durable = options.besideWriter?.durable ?? 0;
    const tail = await tailFrom(opened, address.stream, durable);
    const journal = new JetStreamJournal(opened, address, tail, options);
    const { identity } = options;
    if (identity !== undefined && ![0, identity].includes(journal.identity)) {
      throw new JournalIdentityError(describeAddress(address));
    }
    if (isWriter) await journal.takeOver();
    return journal;
  } catch (error) {
    await opened.connection.close();
    throw error;
  }
}

/** Finds the stream's end. A former leader that does not know of its successor may report an old end. */
async function tailFrom(
  { manager, exists }: OpenStream,
  stream: string,
  durable: number,
): Promise<StreamTail> {
  if (!exists) return EMPTY_TAIL;
  for (;;) {
    const tail = await readTail(manager, stream);
    if (tail.end.nextSequence > durable) return tail;
    await delay(RETRY_AFTER_MS);
  }
}

/** A message for a position of the stream, by this writer. */
interface Draft {
  readonly position: number;
  readonly subject: string;
  readonly data: Uint8Array;
  readonly stateHash?: string;
  readonly engineVersion?: number;
}

class JetStreamJournal implements Journal {
  readonly groupBytesMax: number;
  readonly #connection: NatsConnection;
  readonly #server: ServerChoice;
  readonly #manager: JetStreamManager;
  readonly #jetstream: JetStreamClient;
  readonly #address: StreamAddress;
  readonly #stream: string;
  readonly #subjects: Subjects;
  readonly #log: JournalLog | undefined;
  readonly #newIdentity: number;
  readonly #engineVersion: number | undefined;
  /** Distinguishes this writer's messages from those of another one that took the same term. */
  readonly #writer = randomUUID();
  readonly #closing = new AbortController();
  /** What comes before the stream; undefined if nothing was removed from it. */
  readonly #archive: StreamArchive | undefined;
  #tail: StreamTail;
  /** Of the message before, if it can be written over: each new array hastens a collection of all garbage. */
  #spare: ArrayBufferLike = NO_BYTES;
  #isAppending = false;
  #refusal: Error | undefined;

  constructor(
    { connection, manager, messageBytesMax }: OpenStream,
    address: StreamAddress,
    tail: StreamTail,
    options: JetStreamJournalOptions,
  ) {
    this.#connection = connection;
    this.#server = new ServerChoice(connection);
    this.#manager = manager;
    this.#jetstream = jetstream(connection);
    this.#address = address;
    this.#stream = address.stream;
    this.#subjects = subjectsOf(address.stream);
    this.#tail = tail;
    const { beginning } = tail;
    this.#archive = beginning && new StreamArchive(address.archive, beginning);
    this.#log = options.log;
    this.#newIdentity = options.identity ?? randomSalt();
    this.#engineVersion = options.engineVersion;
    this.groupBytesMax = recordBytesMaxOf(messageBytesMax - MESSAGE_HEADER_BYTES);
    if (options.readOnly === true) {
      this.#refusal = new Error("the journal was opened for reading only");
    }
  }

  get firstSequence(): number {
    return this.#archive?.gap === undefined ? 1 : firstSequenceOf(this.#tail);
  }

  get lastSequence(): number {
    return this.#tail.end.nextSequence - 1;
  }

  get lastTimestampMs(): number {
    return this.#tail.end.lastTimestampMs;
  }

  get identity(): number {
    return this.#tail.identity;
  }

  get term(): number {
    return this.#tail.end.term;
  }

  /** Appends the header of the next term after the stream's present end. */
  async takeOver(): Promise<void> {
    for (;;) {
      const { position, end, segments } = this.#tail;
      this.#requireNotNewer(end.term, segments.at(-1)?.engineVersion);
      const header = {
        salt: segments.length === 0 ? this.#newIdentity : randomSalt(),
        number: end.term + 1,
        chain: end.chain ?? 0,
        firstSequence: end.nextSequence,
        lastTimestampMs: end.lastTimestampMs,
      };
      const data = encodeSegmentHeader(header);
      const engineVersion = this.#engineVersion;
      const subject = this.#subjects.segments;
      const draft = { position: position + 1, subject, data, engineVersion };
      try {
        await this.#settled(draft);
        this.#tail = withSegment(this.#tail, this.#stream, draft);
        const server = this.#connection.info?.server_name;
        this.#log?.info(
          { stream: describeAddress(this.#address), term: header.number, server },
          "took over the journal",
        );
        return;
      } catch (error) {
        if (!(error instanceof JournalFencedError)) throw error;
        this.#tail = await readTail(this.#manager, this.#stream);
      }
    }
  }

  async append(group: RecordGroup): Promise<void> {
    if (this.#refusal !== undefined) throw this.#refusal;
    if (this.#isAppending) throw new Error("the journal is still writing the group before");
    if (group.firstSequence !== this.lastSequence + 1 || group.count < 1) {
      throw new Error("a group follows the last one without a gap");
    }
    if (group.timestampMs < this.lastTimestampMs) throw new Error("time never runs backwards");
    if (group.records.length > this.groupBytesMax) throw new RangeError("the group is too large");
    this.#isAppending = true;
    const tail = this.#tail;
    const data = this.#takeBytes(extentOf(group.records.length));
    const chain = encodeGroup(data, group, tail.end.salt, tail.end.chain ?? 0);
    const next = withGroup(tail, group, chain);
    const { stateHash } = group;
    const subject = this.#subjects.groups;
    await this.#finish({ position: next.position, subject, data, stateHash }, next, false);
  }

  /** Bytes for a message, which nothing else uses. */
  #takeBytes(length: number): Uint8Array {
    const spare = this.#spare;
    this.#spare = NO_BYTES;
    return spare.byteLength < length ? new Uint8Array(length) : new Uint8Array(spare, 0, length);
  }

  async *read(fromSequence: number): AsyncGenerator<RecordGroup> {
    yield* this.#groups(fromSequence, this.#tail.position, this.#closing.signal);
  }

  follow(
    fromSequence: number,
    signal: AbortSignal,
    onTerm?: (term: number, engineVersion: number) => void,
  ): AsyncGenerator<RecordGroup> {
    const until = AbortSignal.any([signal, this.#closing.signal]);
    return this.#groups(fromSequence, Number.POSITIVE_INFINITY, until, onTerm);
  }

  async close(): Promise<void> {
    this.#refusal ??= new Error("the journal is closed");
    this.#closing.abort();
    await this.#connection.close();
  }

  async *#groups(
    fromSequence: number,
    untilPosition: number,
    signal: AbortSignal,
    onTerm?: (term: number, engineVersion: number) => void,
  ): AsyncGenerator<RecordGroup> {
    const first = firstSequenceOf(this.#tail);
    if (fromSequence < first) yield* this.#archived(fromSequence);
    const from = Math.max(first, fromSequence);
    const start = await positionOf(this.#manager, this.#stream, this.#tail, from);
    if (start.position > untilPosition) return;
    const verifier = new MessageVerifier(this.#stream, this.#subjects, start.end);
    const messages = streamMessages(
      { jetstream: this.#jetstream, stream: this.#stream, server: this.#server },
      start.position,
      signal,
    );
    const announce = (engineVersion = 0) => {
      this.#requireNotNewer(verifier.end.term, engineVersion);
      onTerm?.(verifier.end.term, engineVersion);
    };
    announce(start.engineVersion);
    for await (const message of messages) {
      const group = verifier.take(message);
      if (group === undefined) announce(message.engineVersion);
      if (group !== undefined && group.firstSequence + group.count > fromSequence) yield group;
      if (message.position >= untilPosition) return;
    }
  }

  /** @throws JournalNewerError */
  #requireNotNewer(term: number, engineVersion = 0): void {
    const own = this.#engineVersion ?? Number.POSITIVE_INFINITY;
    if (engineVersion > own) throw new JournalNewerError(term, engineVersion, own);
  }

  /** The groups that the stream has no more. */
  *#archived(fromSequence: number): Generator<RecordGroup> {
    const archive = this.#archive;
    if (archive === undefined) return;
    if (archive.gap !== undefined) {
      const place = describeAddress(this.#address);
      throw new JournalShortenedError(place, firstSequenceOf(this.#tail), archive.gap);
    }
    yield* archive.read(fromSequence);
  }

  /**
   * @param next the tail once the draft is stored
   * @param isRepeat whether the draft was sent before and its answer lost
   */
  async #finish(draft: Draft, next: StreamTail, isRepeat: boolean): Promise<void> {
    try {
      if (isRepeat) await delay(RETRY_AFTER_MS);
      await this.#publish(draft);
    } catch (error) {
      const final = this.#finalError(error);
      if (final !== undefined) {
        this.#refusal ??= final;
        throw final;
      }
      throw new JournalOutcomeUnknownError(error, () => this.#finish(draft, next, true));
    }
    // The client may still hold what it was to send before a connection was lost.
    if (!isRepeat) this.#spare = draft.data.buffer;
    this.#tail = next;
    this.#isAppending = false;
  }

  /** The error if retrying cannot help, as on a closed connection or after a refused password; else undefined. */
  #finalError(error: unknown): Error | undefined {
    if (error instanceof JournalFencedError || error instanceof JournalDamagedError) return error;
    return this.#connection.isClosed() ? new JournalWriteError("reach NATS", error) : undefined;
  }

  /** Retries until there is an answer; for messages that everything later depends on. */
  async #settled(draft: Draft): Promise<void> {
    for (;;) {
      try {
        return await this.#publish(draft);
      } catch (error) {
        const final = this.#finalError(error);
        if (final !== undefined) throw final;
        const reason = error instanceof Error ? error.message : String(error);
        this.#log?.warn({ reason }, "the start waits for the journal");
        await delay(RETRY_AFTER_MS);
      }
    }
  }

  /**
   * Resolves once the draft is stored at its position.
   * @throws JournalFencedError if another message is stored there; any other error leaves the outcome open
   */
  async #publish({ position, subject, data, stateHash, engineVersion }: Draft): Promise<void> {
    const own = headers();
    own.set(WRITER_HEADER, this.#writer);
    if (stateHash !== undefined) own.set(STATE_HASH_HEADER, stateHash);
    if (engineVersion !== undefined) own.set(ENGINE_VERSION_HEADER, String(engineVersion));
    let taken: number;
    try {
      const answer = await this.#jetstream.publish(subject, data, {
        headers: own,
        timeout: ANSWER_MS_MAX,
        expect: { streamName: this.#stream, lastSequence: position - 1 },
      });
      taken = answer.seq;
    } catch (error) {
      if (isWrongLastSequence(error)) return this.#requireOwn(position, data);
      this.#server.onSilence();
      throw error;
    }
    this.#server.onAnswer();
    if (taken === position) return;
    throw new JournalDamagedError(
      `stream ${this.#stream}`,
      taken,
      this.#tail.end.nextSequence,
      `message ${position} was taken as message ${taken}`,
    );
  }

  /** Throws unless the message already stored at the position is this writer's draft. */
  async #requireOwn(position: number, data: Uint8Array): Promise<void> {
    const found = await this.#manager.streams.getMessage(this.#stream, { seq: position });
    if (found === null) {
      throw new Error(`the stream ends before message ${position - 1}, which was acknowledged`);
    }
    const isOwn = found.header.get(WRITER_HEADER) === this.#writer;
    if (isOwn && Buffer.compare(found.data, data) === 0) return;
    throw new JournalFencedError(`message ${position} of the stream ${this.#stream}`);
  }
}

/** Never 0, the identity of an empty journal. */
function randomSalt(): number {
  return randomInt(1, 2 ** 32);
}
