/** Reads the groups of one segment through a bounded window, checking each before it is returned. */
import { CompressedSegmentError } from "./frame-table.ts";
import type { JournalFile } from "./file-system.ts";
import {
  decodeGroupHeader,
  extentOf,
  HEADER_BYTES,
  isBodyIntact,
  type SegmentHeader,
} from "./format.ts";
import { JournalDamagedError, type RecordGroup } from "./journal.ts";
import { usedBytes } from "./torn-tail.ts";

const WINDOW_BYTES = 1 << 20;

export class GroupReader {
  readonly #file: JournalFile;
  readonly #path: string;
  readonly #salt: number;
  #window: Uint8Array;
  #windowPosition = 0;
  #windowLength = 0;
  #position = HEADER_BYTES;
  #nextSequence: number;
  #lastTimestampMs: number;
  #chain: number;

  constructor(file: JournalFile, path: string, header: SegmentHeader) {
    this.#file = file;
    this.#path = path;
    this.#window = new Uint8Array(Math.min(WINDOW_BYTES, file.size()));
    this.#salt = header.salt;
    this.#nextSequence = header.firstSequence;
    this.#lastTimestampMs = header.lastTimestampMs;
    this.#chain = header.chain;
  }

  /** The offset at which the next group begins, or would begin. */
  get position(): number {
    return this.#position;
  }

  get nextSequence(): number {
    return this.#nextSequence;
  }

  get lastTimestampMs(): number {
    return this.#lastTimestampMs;
  }

  get chain(): number {
    return this.#chain;
  }

  /**
   * The next group, valid until the next call; undefined if no intact group follows, either at the end
   * or at data that the caller must classify. Throws JournalDamagedError for an intact group that does
   * not belong here.
   */
  next(): RecordGroup | undefined {
    const headerBytes = this.#bytes(HEADER_BYTES);
    const header = headerBytes && decodeGroupHeader(headerBytes, 0, this.#salt);
    if (header === undefined) return undefined;
    const extent = extentOf(header.recordBytes);
    const bytes = this.#bytes(extent);
    if (bytes === undefined || !isBodyIntact(bytes, header, this.#salt)) return undefined;
    if (header.firstSequence !== this.#nextSequence) {
      this.#refuse(`the group of sequence ${header.firstSequence} stands in place of another`);
    }
    if (header.chain !== this.#chain) this.#refuse("a group does not follow the one before it");
    if (header.timestampMs < this.#lastTimestampMs) this.#refuse("time runs backwards");
    this.#position += extent;
    this.#nextSequence += header.count;
    this.#lastTimestampMs = header.timestampMs;
    this.#chain = header.crc;
    return {
      firstSequence: header.firstSequence,
      count: header.count,
      timestampMs: header.timestampMs,
      records: bytes.subarray(HEADER_BYTES, HEADER_BYTES + header.recordBytes),
    };
  }

  /** Discards the read-ahead buffer, for a file that another process is writing. */
  refresh(): void {
    this.#windowLength = 0;
  }

  /**
   * A copy of the data from the current position on, without most of the zeros at the end of the
   * file: a new segment consists almost entirely of zeros, which would take tens of megabytes.
   */
  rest(): Uint8Array {
    let end = this.#file.size();
    const window = new Uint8Array(Math.min(WINDOW_BYTES, Math.max(0, end - this.#position)));
    while (end - this.#position > window.length) {
      if (!this.#isZero(window, end - window.length)) break;
      end -= window.length;
    }
    const rest = new Uint8Array(Math.max(0, end - this.#position));
    return rest.subarray(0, this.#read(rest, this.#position));
  }

  #isZero(window: Uint8Array, position: number): boolean {
    return usedBytes(window.subarray(0, this.#read(window, position))) === 0;
  }

  #read(target: Uint8Array, position: number): number {
    try {
      return this.#file.read(target, position);
    } catch (error) {
      if (error instanceof CompressedSegmentError) return this.#refuse(error.message);
      throw error;
    }
  }

  #refuse(finding: string): never {
    throw new JournalDamagedError(this.#path, this.#position, this.#nextSequence, finding);
  }

  /** Reads this many bytes from the current position on; undefined if the file ends before. */
  #bytes(length: number): Uint8Array | undefined {
    let from = this.#position - this.#windowPosition;
    if (from + length > this.#windowLength) {
      // A wrong length in a damaged header must not cause a huge allocation.
      if (this.#position + length > this.#file.size()) return undefined;
      if (length > this.#window.length) this.#window = new Uint8Array(length);
      this.#windowPosition = this.#position;
      this.#windowLength = this.#read(this.#window, this.#position);
      from = 0;
      if (length > this.#windowLength) return undefined;
    }
    return this.#window.subarray(from, from + length);
  }
}
