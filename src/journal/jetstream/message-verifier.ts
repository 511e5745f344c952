/**
 * Verifies the messages of a stream in order. Each contains one group, or the header with which a
 * writer begins its segment, in the format of the files (../format.ts) and nothing more. A segment's
 * number is the writer's term, and its salt seeds the checksums of its groups, so that no group of an
 * earlier writer is valid in the segment of a later one.
 */
import {
  decodeGroupHeader,
  decodeSegmentHeader,
  extentOf,
  FORMAT_VERSION,
  HEADER_BYTES,
  isBodyIntact,
  type SegmentHeader,
} from "../format.ts";
import { JournalDamagedError, type RecordGroup } from "../journal.ts";
import type { Subjects } from "./stream-rules.ts";

export interface StoredMessage {
  /**
   * The message's sequence in the stream, from 1 and gap-free. Differs from the sequences of records,
   * since a group has many.
   */
  readonly position: number;
  readonly subject: string;
  readonly data: Uint8Array;
  /** See `RecordGroup`. */
  readonly stateHash?: string;
  /** Of a segment's header: the version of its writer's engine; undefined if of an earlier program. */
  readonly engineVersion?: number;
}

/** The state that the next message must continue. */
export interface VerifiedEnd {
  /** The term of the writer's segment; 0 before the first. */
  readonly term: number;
  readonly salt: number;
  readonly nextSequence: number;
  readonly lastTimestampMs: number;
  /** Undefined if reading begins within a segment: the first group then sets it. */
  readonly chain: number | undefined;
}

export const BEGINNING: VerifiedEnd = {
  term: 0,
  salt: 0,
  nextSequence: 1,
  lastTimestampMs: 0,
  chain: 0,
};

export class MessageVerifier {
  readonly #stream: string;
  readonly #subjects: Subjects;
  #end: VerifiedEnd;

  constructor(stream: string, subjects: Subjects, end: VerifiedEnd) {
    this.#stream = stream;
    this.#subjects = subjects;
    this.#end = end;
  }

  get end(): VerifiedEnd {
    return this.#end;
  }

  /**
   * The group in the message, a view of its data; undefined for the header of a segment.
   * @throws JournalDamagedError if the message does not continue the previous ones
   */
  take(message: StoredMessage): RecordGroup | undefined {
    if (message.subject === this.#subjects.groups) return this.#takeGroup(message);
    if (message.subject === this.#subjects.segments) this.#takeSegment(message);
    else this.#refuse(message, `a message of the subject ${message.subject} does not belong here`);
    return undefined;
  }

  #takeSegment(message: StoredMessage): void {
    const header = segmentOf(message);
    if (header === undefined) return this.#refuse(message, "the header of a segment is damaged");
    if (header.version !== FORMAT_VERSION) {
      this.#refuse(
        message,
        `its format version ${header.version} is not known to this version of the program`,
      );
    }
    const { term, nextSequence, lastTimestampMs, chain } = this.#end;
    if (header.number !== term + 1) {
      this.#refuse(message, `segment ${header.number} follows segment ${term}`);
    }
    if (header.firstSequence !== nextSequence || header.lastTimestampMs !== lastTimestampMs) {
      this.#refuse(message, `the segment begins at sequence ${header.firstSequence}`);
    }
    if (chain !== undefined && header.chain !== chain) {
      this.#refuse(message, "the segment does not follow the group before it");
    }
    this.#end = endAfter(header);
  }

  #takeGroup(message: StoredMessage): RecordGroup {
    const { data, stateHash } = message;
    const { salt, nextSequence, lastTimestampMs, chain } = this.#end;
    const header = decodeGroupHeader(data, 0, salt);
    if (
      header === undefined ||
      data.length !== extentOf(header.recordBytes) ||
      !isBodyIntact(data, header, salt)
    ) {
      return this.#refuse(message, "a group is damaged or of another writer");
    }
    const { firstSequence, count, timestampMs } = header;
    if (firstSequence !== nextSequence || count < 1) {
      this.#refuse(message, `the group of sequence ${firstSequence} stands in place of another`);
    }
    if (chain !== undefined && header.chain !== chain) {
      this.#refuse(message, "a group does not follow the one before it");
    }
    if (timestampMs < lastTimestampMs) this.#refuse(message, "time runs backwards");
    this.#end = {
      ...this.#end,
      nextSequence: firstSequence + count,
      lastTimestampMs: timestampMs,
      chain: header.crc,
    };
    const records = data.subarray(HEADER_BYTES, HEADER_BYTES + header.recordBytes);
    return { firstSequence, count, timestampMs, records, stateHash };
  }

  #refuse({ position }: StoredMessage, finding: string): never {
    throw new JournalDamagedError(
      `stream ${this.#stream}`,
      position,
      this.#end.nextSequence,
      finding,
    );
  }
}

/** The header, if the message contains nothing else. */
export function segmentOf({ data }: StoredMessage): SegmentHeader | undefined {
  return data.length === HEADER_BYTES ? decodeSegmentHeader(data) : undefined;
}

/** The state that the first message of a segment must continue. */
export function endAfter(header: SegmentHeader): VerifiedEnd {
  return {
    term: header.number,
    salt: header.salt,
    nextSequence: header.firstSequence,
    lastTimestampMs: header.lastTimestampMs,
    chain: header.chain,
  };
}
