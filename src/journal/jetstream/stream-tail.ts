/** Finds the beginning and the end of a stream, and records in it. */
import type { StreamAPI } from "@nats-io/jetstream";
import { assert } from "#engine/assert.ts";
import { decodeGroupHeader, type SegmentHeader } from "../format.ts";
import { JournalDamagedError, JournalShortenedError, type RecordGroup } from "../journal.ts";
import {
  BEGINNING,
  endAfter,
  MessageVerifier,
  segmentOf,
  type StoredMessage,
  type VerifiedEnd,
} from "./message-verifier.ts";
import { engineVersionIn } from "./message-headers.ts";
import { readBeginning, type StreamBeginning } from "./stream-beginning.ts";
import { subjectsOf } from "./stream-rules.ts";
import { untilReady } from "./until-ready.ts";

/** The requests to JetStream that reading a stream needs. */
export interface StreamReads {
  readonly streams: Pick<StreamAPI, "info" | "getMessage">;
}

export interface StreamSegment {
  /**
   * The position of the message with the segment's header; of a shortened stream's first segment, whose
   * header is not in it, the one before the first message.
   */
  readonly position: number;
  readonly header: SegmentHeader;
  /** The writer's engine version; 0 if unknown. */
  readonly engineVersion: number;
}

export interface StreamTail {
  /** The position of the last message; 0 in an empty stream. */
  readonly position: number;
  /** The journal's identity; 0 if it is empty. */
  readonly identity: number;
  /** Undefined if nothing was removed from the stream. */
  readonly beginning: StreamBeginning | undefined;
  readonly segments: readonly StreamSegment[];
  readonly end: VerifiedEnd;
}

/** A position, and the state that its message must continue. */
export interface StreamPosition {
  readonly position: number;
  readonly end: VerifiedEnd;
  /** The engine version of the writer of the segment that contains it. */
  readonly engineVersion: number;
}

export const EMPTY_TAIL: StreamTail = {
  position: 0,
  identity: 0,
  beginning: undefined,
  segments: [],
  end: BEGINNING,
};

/** @throws JournalDamagedError if the beginning, the end, or the header of a segment cannot be trusted */
export async function readTail({ streams }: StreamReads, stream: string): Promise<StreamTail> {
  for (;;) {
    const { state } = await untilReady(() => streams.info(stream));
    try {
      return await readBetween({ streams }, stream, state.first_seq, state.last_seq);
    } catch (error) {
      if (!(error instanceof JournalDamagedError)) throw error;
      // What was there a moment ago may be in the archive now.
      const { state: later } = await untilReady(() => streams.info(stream));
      if (later.first_seq === state.first_seq) throw error;
    }
  }
}

async function readBetween(
  { streams }: StreamReads,
  stream: string,
  first: number,
  position: number,
): Promise<StreamTail> {
  if (position === 0) return EMPTY_TAIL;
  const beginning = first > 1 ? await readBeginning(streams, stream) : undefined;
  if (first > 1 && (beginning?.position ?? 0) < first) {
    const finding = "messages were removed from its beginning that are in no archive";
    const sequence = beginning?.header.firstSequence ?? 1;
    throw new JournalDamagedError(`stream ${stream}`, first, sequence, finding);
  }
  const segments = await readSegments({ streams }, stream, beginning, position);
  const newest = segments.at(-1) as StreamSegment;
  const identity = beginning?.identity ?? segments[0].header.salt;
  const found = { position, identity, beginning, segments };
  if (newest.position === position) return { ...found, end: endAfter(newest.header) };
  const last = await load({ streams }, stream, position);
  const verifier = new MessageVerifier(stream, subjectsOf(stream), endBefore(newest, last));
  verifier.take(last);
  return { ...found, end: verifier.end };
}

/**
 * The tail, extended by the header of a writer's segment.
 * @throws JournalDamagedError if the message does not continue the tail
 */
export function withSegment(tail: StreamTail, stream: string, message: StoredMessage): StreamTail {
  const { engineVersion = 0, position } = message;
  assert(position === tail.position + 1, "a stream has no gaps");
  const verifier = new MessageVerifier(stream, subjectsOf(stream), tail.end);
  verifier.take(message);
  const header = segmentOf(message);
  assert(header !== undefined, "a writer begins with the header of its segment");
  const segments = [...tail.segments, { position, header, engineVersion }];
  const identity = tail.identity === 0 ? header.salt : tail.identity;
  return { ...tail, position, identity, segments, end: verifier.end };
}

/**
 * The tail, extended by a group of its writer.
 * @param chain the checksum of the group's header
 */
export function withGroup(tail: StreamTail, group: RecordGroup, chain: number): StreamTail {
  const { count, firstSequence, timestampMs } = group;
  const nextSequence = firstSequence + count;
  const end = { ...tail.end, nextSequence, lastTimestampMs: timestampMs, chain };
  return { ...tail, position: tail.position + 1, end };
}

/** The sequence of the oldest record in the stream, or of the next one. */
export function firstSequenceOf({ segments }: StreamTail): number {
  return segments[0]?.header.firstSequence ?? 1;
}

/**
 * The position of the message with the record of this sequence, or of the next message.
 * @throws JournalShortenedError if it is in the archive
 */
export async function positionOf(
  manager: StreamReads,
  stream: string,
  tail: StreamTail,
  sequence: number,
): Promise<StreamPosition> {
  const { segments } = tail;
  if (sequence >= tail.end.nextSequence) {
    const { engineVersion = 0 } = segments.at(-1) ?? {};
    return { position: tail.position + 1, end: tail.end, engineVersion };
  }
  const index = segments.findLastIndex(
    ({ header }) => header.firstSequence <= Math.max(1, sequence),
  );
  if (index === -1) throw shortenedTo(stream, firstSequenceOf(tail));
  const segment = segments[index];
  const { engineVersion } = segment;
  let low = segment.position + 1;
  let found: StreamPosition = { position: low, end: endAfter(segment.header), engineVersion };
  let high = (segments[index + 1]?.position ?? tail.position + 1) - 1;
  if (sequence <= segment.header.firstSequence) return found;
  /** Why a message was not there: the stream was shortened since its tail was read. */
  let removed: JournalShortenedError | undefined;
  while (low <= high) {
    const middle = Math.floor((low + high) / 2);
    const message = await load(manager, stream, middle).catch((error: unknown) => {
      if (!(error instanceof JournalShortenedError)) throw error;
      removed = error;
    });
    if (message === undefined) {
      low = middle + 1;
      continue;
    }
    const end = endBefore(segment, message);
    if (end.nextSequence <= sequence) {
      removed = undefined;
      found = { position: middle, end, engineVersion };
      low = middle + 1;
    } else {
      high = middle - 1;
    }
  }
  if (removed !== undefined) throw removed;
  return found;
}

/** Says that what a reader needs has left the stream for the archive. */
export function shortenedTo(stream: string, firstSequence: number): JournalShortenedError {
  return new JournalShortenedError(`the stream ${stream}`, firstSequence, "none is named");
}

/** The headers of all writers' segments: few, since only a start or a takeover creates one. */
async function readSegments(
  { streams }: StreamReads,
  stream: string,
  beginning: StreamBeginning | undefined,
  last: number,
): Promise<StreamSegment[]> {
  const { segments: subject } = subjectsOf(stream);
  const segments: StreamSegment[] = [];
  const { position: first = 1, header: begun, engineVersion = 0 } = beginning ?? {};
  if (begun !== undefined) segments.push({ position: first - 1, header: begun, engineVersion });
  for (let from = first; from <= last;) {
    const query = { seq: from, next_by_subj: subject };
    const message = await untilReady(() => streams.getMessage(stream, query));
    if (message === null || message.seq > last) break;
    const { seq: position, data } = message;
    const refuse = (finding: string): never => {
      const sequence = segments.at(-1)?.header.firstSequence ?? 1;
      throw new JournalDamagedError(`stream ${stream}`, position, sequence, finding);
    };
    const header = segmentOf({ position, subject, data });
    if (header === undefined) return refuse("the header of a segment is damaged");
    const before = segments.at(-1)?.header.number ?? 0;
    if (header.number !== before + 1) {
      refuse(`segment ${header.number} follows segment ${before}`);
    }
    segments.push({ position, header, engineVersion: engineVersionIn(message.header) ?? 0 });
    from = position + 1;
  }
  if (beginning === undefined && segments[0]?.position !== 1) {
    throw new JournalDamagedError(`stream ${stream}`, 1, 1, "it does not begin with a segment");
  }
  return segments;
}

/** The state that a group within a segment continues, as far as the group itself contains it. */
function endBefore({ header }: StreamSegment, { data }: StoredMessage): VerifiedEnd {
  const group = decodeGroupHeader(data, 0, header.salt);
  const nextSequence = Math.max(header.firstSequence, group?.firstSequence ?? 0);
  return { ...endAfter(header), nextSequence, chain: undefined };
}

/** @throws JournalDamagedError, or JournalShortenedError if it has been removed since the tail was read */
export async function load(
  { streams }: StreamReads,
  stream: string,
  position: number,
): Promise<StoredMessage> {
  const message = await untilReady(() => streams.getMessage(stream, { seq: position }));
  if (message !== null) return { position, subject: message.subject, data: message.data };
  const { state } = await untilReady(() => streams.info(stream));
  if (state.first_seq <= position) {
    throw new JournalDamagedError(`stream ${stream}`, position, 0, "a message is missing");
  }
  const beginning = await readBeginning(streams, stream);
  throw shortenedTo(stream, beginning?.header.firstSequence ?? 0);
}
