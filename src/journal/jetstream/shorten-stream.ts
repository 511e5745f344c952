/**
 * Moves the oldest messages of a stream to an archive, while the exchange runs. The leader does this, in
 * four steps, each of which may be the last before a crash:
 *
 *   1  seal    messages of a certain age are written as segments of the archive, read back, compared, flushed
 *   2  check   the segments that the stream is to lose are read back whole, and must lead to its next message;
 *              a snapshot that includes them must have been restored
 *   3  begin   what the stream begins with from then on is written (stream-beginning.ts)
 *   4  purge   JetStream removes what is before
 *
 * The third is the decision, the fourth only carries it out: a leader that does so later, however late,
 * removes nothing that is not in the archive. A leader that was paused, and has a successor, cannot decide.
 */
import { resolve } from "node:path";
import type { StreamAPI } from "@nats-io/jetstream";
import { archiveOf, type ArchivedSegments } from "../archive-segments.ts";
import { compress, removePartial } from "../compress-segments.ts";
import { type JournalFileSystem, nodeFileSystem } from "../file-system.ts";
import { FORMAT_VERSION, type SegmentHeader } from "../format.ts";
import { GroupReader } from "../group-reader.ts";
import { JournalDamagedError } from "../journal.ts";
import { openToRead, type Segment, segmentPath, verifyEnd } from "../segments.ts";
import {
  BEGINNING,
  endAfter,
  MessageVerifier,
  type StoredMessage,
  type VerifiedEnd,
} from "./message-verifier.ts";
import { SegmentDraft } from "./segment-draft.ts";
import { groupsOf, segmentsIn } from "./stream-archive.ts";
import { BeginningClaim, type BeginningStore, type StreamBeginning } from "./stream-beginning.ts";
import { subjectsOf } from "./stream-rules.ts";
import { load, positionOf, readTail, type StreamTail } from "./stream-tail.ts";

/** A stream that may be shortened. */
export interface ShortenableStream {
  readonly name: string;
  readonly manager: { readonly streams: Pick<StreamAPI, "info" | "getMessage" | "purge"> };
  readonly beginnings: BeginningStore;
  /** The messages from a position on. */
  readonly messages: (fromPosition: number) => AsyncIterable<StoredMessage>;
}

export interface ShortenOptions {
  /** The directory of all archives. */
  readonly archive: string;
  /** The term of the leader that does this. */
  readonly term: number;
  /** Exchange time before which a segment must have ended. */
  readonly endedBeforeMs: number;
  /** The last sequence that may leave the stream: snapshots that the nodes share include it. */
  readonly proven: number;
  /** Proves that by restoring one; rejects if it cannot be. */
  readonly prove: () => Promise<void>;
  /** The most segments to write. */
  readonly segmentsMax: number;
  /** Of plain content; never changed, so that every node ends segments at the same messages. */
  readonly segmentBytes?: number;
  readonly fileSystem?: JournalFileSystem;
}

export interface ShortenedStream extends ArchivedSegments {
  /** The sequence with which the stream begins. */
  readonly firstSequence: number;
}

const SEGMENT_BYTES = 64 * 1024 * 1024;

/** Where the archive ends, and what follows it in the stream. */
interface ArchiveEnd {
  readonly segments: readonly Segment[];
  /** The position of the first message that the archive does not have. */
  readonly position: number;
  /** What that message continues. */
  readonly end: VerifiedEnd;
}

/**
 * Shortens the stream as far as its archive, its age and the snapshots allow.
 * @throws JournalFencedError if the leader of a later term archives, JournalDamagedError if the archive is
 * not of this stream, the system's error if a disk is full or fails
 */
export async function shortenStream(
  stream: ShortenableStream,
  options: ShortenOptions,
): Promise<ShortenedStream> {
  const { name, manager, beginnings } = stream;
  const { archive, fileSystem = nodeFileSystem, prove, proven, term } = options;
  const claim = await BeginningClaim.of(beginnings, term);
  const tail = await readTail(manager, name);
  const files = { fileSystem, directory: archiveOf(archive, "stream", tail.identity) };
  const before = await endOfArchive(stream, tail, files);
  const sealed = await seal(stream, tail, before, files, options);
  let beginning = await whereItBegins(stream, tail, claim);
  const { position, end, segments } = sealed;
  const isLonger = position > (beginning?.position ?? 1);
  if (isLonger && end.nextSequence - 1 <= proven) {
    const header = headerAt(end, end.term);
    await check(files, segments, beginning?.segments ?? 0, header);
    await requireContinues(stream, position, end);
    await prove();
    const { identity } = tail;
    const begun = tail.segments.find((segment) => segment.header.number === end.term);
    const engineVersion = begun?.engineVersion ?? 0;
    beginning = { position, identity, segments: segments.length, header, engineVersion };
    await claim.move(beginning);
  }
  const { position: first = 1, header, segments: needed = 0 } = beginning ?? {};
  const { state } = await manager.streams.info(name);
  // Also for a decision of another leader: an archive that has been moved away since removes nothing.
  const isArchived = segments.length >= needed;
  if (state.first_seq < first && isArchived) await manager.streams.purge(name, { seq: first });
  return {
    segments: segments.length - before.segments.length,
    bytes: sealed.bytes,
    firstSequence: header?.firstSequence ?? 1,
  };
}

/** The decided beginning; undefined if it is of a stream of this name that was removed since. */
async function whereItBegins(
  stream: ShortenableStream,
  tail: StreamTail,
  { beginning }: BeginningClaim,
): Promise<StreamBeginning | undefined> {
  if (beginning === undefined || tail.beginning !== undefined) return beginning;
  if (beginning.identity !== tail.identity || beginning.position > tail.position) return undefined;
  try {
    await requireContinues(stream, beginning.position, endAfter(beginning.header));
    return beginning;
  } catch (error) {
    if (error instanceof JournalDamagedError) return undefined;
    throw error;
  }
}

/** The archive of the stream. */
interface ArchiveFiles {
  readonly fileSystem: JournalFileSystem;
  readonly directory: string;
}

/** @throws JournalDamagedError if what it ends with is not in the stream */
async function endOfArchive(
  { name, manager }: ShortenableStream,
  tail: StreamTail,
  { fileSystem, directory }: ArchiveFiles,
): Promise<ArchiveEnd> {
  const segments = segmentsIn(fileSystem, directory);
  const newest = segments.at(-1);
  const foreign = (sequence: number): JournalDamagedError => {
    const finding =
      "the stream does not continue this archive, which is of another copy of the journal, or lacks " +
      "segments that another node has";
    return new JournalDamagedError(directory, 0, sequence, finding);
  };
  if (newest === undefined) {
    if (tail.beginning !== undefined) throw foreign(1);
    return { segments, position: 1, end: BEGINNING };
  }
  const { salt } = newest.header;
  const index = tail.segments.findLastIndex(({ header }) => header.salt === salt);
  const ofTerm = tail.segments[index];
  const { nextSequence, lastTimestampMs, chain } = readWhole(fileSystem, newest);
  if (ofTerm === undefined || nextSequence < ofTerm.header.firstSequence) {
    throw foreign(nextSequence);
  }
  const end = { term: ofTerm.header.number, salt, nextSequence, lastTimestampMs, chain };
  const next = tail.segments[index + 1];
  if (next !== undefined && next.header.firstSequence <= nextSequence) {
    return { segments, position: next.position, end };
  }
  const { position } = await positionOf(manager, name, tail, nextSequence);
  return { segments, position, end };
}

/** Writes full segments, and those of terms that have ended. */
async function seal(
  { name, messages }: ShortenableStream,
  tail: StreamTail,
  before: ArchiveEnd,
  { fileSystem, directory }: ArchiveFiles,
  options: ShortenOptions,
): Promise<ArchiveEnd & { readonly bytes: number }> {
  const { archive, endedBeforeMs, proven, segmentBytes = SEGMENT_BYTES, segmentsMax } = options;
  const verifier = new MessageVerifier(name, subjectsOf(name), before.end);
  const segments = [...before.segments];
  let { position, end } = before;
  let draft: SegmentDraft | undefined;
  let bytes = 0;
  const isFull = () => segments.length - before.segments.length === segmentsMax;
  const begin = (state: VerifiedEnd) => new SegmentDraft(headerAt(state, segments.length + 1));
  const write = async (content: SegmentDraft, ended: VerifiedEnd, next: number) => {
    if (bytes === 0) {
      fileSystem.createDirectory(directory);
      await fileSystem.flushDirectory(resolve(archive));
      removePartial(fileSystem, directory);
    }
    const at = (number: number) => segmentPath(directory, number);
    const { number } = content.header;
    const segment = { path: at(number), header: content.header };
    const successor = { path: at(number + 1), header: headerAt(ended, number + 1) };
    bytes += await compress(fileSystem, directory, content, segment, successor);
    segments.push(segment);
    position = next;
    end = ended;
  };
  for await (const message of messages(before.position)) {
    const ended = verifier.end;
    const group = verifier.take(message);
    const isNew = verifier.end.lastTimestampMs >= endedBeforeMs;
    if (isNew || verifier.end.nextSequence - 1 > proven) break;
    const extent = group === undefined ? Number.POSITIVE_INFINITY : message.data.length;
    if (draft !== undefined && !draft.hasRoomFor(extent, segmentBytes)) {
      await write(draft, ended, message.position);
      draft = undefined;
      if (isFull()) break;
    }
    if (group === undefined) draft = begin(verifier.end);
    else (draft ??= begin(ended)).add(message.data);
    if (message.position >= tail.position) break;
  }
  return { segments, position, end, bytes };
}

/** Reads back what the stream is to lose: each segment whole, and the last one leads to the stream. */
async function check(
  { fileSystem, directory }: ArchiveFiles,
  segments: readonly Segment[],
  from: number,
  stream: SegmentHeader,
): Promise<void> {
  for (let index = from; index < segments.length; index++) {
    const successor = segments[index + 1] ?? { path: "the stream", header: stream };
    for (const group of groupsOf(fileSystem, segments[index], successor)) void group;
  }
  // A segment that a killed process had just named is there, and its name perhaps not on the disk.
  await fileSystem.flushDirectory(directory);
  await fileSystem.flushDirectory(resolve(directory, ".."));
}

/** The stream's next message must continue the archive. @throws JournalDamagedError */
async function requireContinues(
  { name, manager }: ShortenableStream,
  position: number,
  end: VerifiedEnd,
): Promise<void> {
  const message = await load(manager, name, position);
  new MessageVerifier(name, subjectsOf(name), end).take(message);
}

/** Where the newest segment ends, whose successor is in the stream. */
function readWhole(fileSystem: JournalFileSystem, segment: Segment): GroupReader {
  const { file, path } = openToRead(fileSystem, segment.path, segment.header.firstSequence);
  try {
    const reader = new GroupReader(file, path, segment.header);
    while (reader.next() !== undefined);
    const { nextSequence: firstSequence, chain } = reader;
    verifyEnd(reader, path, { path, header: { ...segment.header, firstSequence, chain } });
    return reader;
  } finally {
    file.close();
  }
}

/** The header of a segment that begins with this state. */
function headerAt(state: VerifiedEnd, number: number): SegmentHeader {
  const { salt, chain = 0, nextSequence, lastTimestampMs } = state;
  return {
    version: FORMAT_VERSION,
    salt,
    number,
    chain,
    firstSequence: nextSequence,
    lastTimestampMs,
  };
}
