/** Finds the end of a stream, and records in it. */
import type { JetStreamManager } from "@nats-io/jetstream";
import { assert } from "#engine/assert.ts";
import { decodeGroupHeader, type SegmentHeader } from "../format.ts";
import { JournalDamagedError } from "../journal.ts";
import {
  BEGINNING,
  endAfter,
  MessageVerifier,
  segmentOf,
  type StoredMessage,
  type VerifiedEnd,
} from "./message-verifier.ts";
import { subjectsOf } from "./stream-rules.ts";
import { untilReady } from "./until-ready.ts";

export interface StreamSegment {
  /** The position of the message with the segment's header. */
  readonly position: number;
  readonly header: SegmentHeader;
}

export interface StreamTail {
  /** The position of the last message; 0 in an empty stream. */
  readonly position: number;
  readonly segments: readonly StreamSegment[];
  readonly end: VerifiedEnd;
}

/** A position, and the state that its message must continue. */
export interface StreamPosition {
  readonly position: number;
  readonly end: VerifiedEnd;
}

export const EMPTY_TAIL: StreamTail = { position: 0, segments: [], end: BEGINNING };

/** @throws JournalDamagedError if the end, or the header of a segment, cannot be trusted */
export async function readTail(manager: JetStreamManager, stream: string): Promise<StreamTail> {
  const { state } = await untilReady(() => manager.streams.info(stream));
  const position = state.last_seq;
  if (position === 0) return EMPTY_TAIL;
  const segments = await readSegments(manager, stream, position);
  const newest = segments.at(-1) as StreamSegment;
  if (newest.position === position) return { position, segments, end: endAfter(newest.header) };
  const last = await load(manager, stream, position);
  const verifier = new MessageVerifier(stream, subjectsOf(stream), endBefore(newest, last));
  verifier.take(last);
  return { position, segments, end: verifier.end };
}

/**
 * The tail, extended by one more message.
 * @throws JournalDamagedError if the message does not continue the tail
 */
export function extendTail(tail: StreamTail, stream: string, message: StoredMessage): StreamTail {
  assert(message.position === tail.position + 1, "a stream has no gaps");
  const verifier = new MessageVerifier(stream, subjectsOf(stream), tail.end);
  const isSegment = verifier.take(message) === undefined;
  const header = isSegment ? segmentOf(message) : undefined;
  const { position } = message;
  const segments = header === undefined ? tail.segments : [...tail.segments, { position, header }];
  return { position, segments, end: verifier.end };
}

/** The position of the message with the record of this sequence, or of the next message. */
export async function positionOf(
  manager: JetStreamManager,
  stream: string,
  tail: StreamTail,
  sequence: number,
): Promise<StreamPosition> {
  const { segments } = tail;
  if (sequence >= tail.end.nextSequence) return { position: tail.position + 1, end: tail.end };
  const index = segments.findLastIndex(
    ({ header }) => header.firstSequence <= Math.max(1, sequence),
  );
  const segment = segments[index];
  let low = segment.position + 1;
  let found: StreamPosition = { position: low, end: endAfter(segment.header) };
  let high = (segments[index + 1]?.position ?? tail.position + 1) - 1;
  if (sequence <= segment.header.firstSequence) return found;
  while (low <= high) {
    const middle = Math.floor((low + high) / 2);
    const end = endBefore(segment, await load(manager, stream, middle));
    if (end.nextSequence <= sequence) {
      found = { position: middle, end };
      low = middle + 1;
    } else {
      high = middle - 1;
    }
  }
  return found;
}

/** The headers of all writers' segments: few, since only a start or a takeover creates one. */
async function readSegments(
  manager: JetStreamManager,
  stream: string,
  last: number,
): Promise<StreamSegment[]> {
  const { segments: subject } = subjectsOf(stream);
  const segments: StreamSegment[] = [];
  for (let from = 1; from <= last;) {
    const query = { seq: from, next_by_subj: subject };
    const message = await untilReady(() => manager.streams.getMessage(stream, query));
    if (message === null || message.seq > last) break;
    const { seq: position, data } = message;
    const refuse = (finding: string): never => {
      const sequence = segments.at(-1)?.header.firstSequence ?? 1;
      throw new JournalDamagedError(`stream ${stream}`, position, sequence, finding);
    };
    const header = segmentOf({ position, subject, data });
    if (header === undefined) return refuse("the header of a segment is damaged");
    if (header.number !== segments.length + 1) {
      refuse(`segment ${header.number} follows segment ${segments.length}`);
    }
    segments.push({ position, header });
    from = position + 1;
  }
  if (segments[0]?.position !== 1) {
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

async function load(
  manager: JetStreamManager,
  stream: string,
  position: number,
): Promise<StoredMessage> {
  const message = await untilReady(() => manager.streams.getMessage(stream, { seq: position }));
  if (message === null) {
    throw new JournalDamagedError(`stream ${stream}`, position, 0, "a message is missing");
  }
  return { position, subject: message.subject, data: message.data };
}
