/** A segment in memory: its header, and groups that are added until it is full. */
import type { JournalFile } from "../file-system.ts";
import { encodeSegmentHeader, HEADER_BYTES, type SegmentHeader } from "../format.ts";

const INITIAL_BYTES = 1 << 20;

export class SegmentDraft implements JournalFile {
  readonly header: SegmentHeader;
  #bytes = new Uint8Array(INITIAL_BYTES);
  #length = HEADER_BYTES;

  constructor(header: SegmentHeader) {
    this.header = header;
    this.#bytes.set(encodeSegmentHeader(header));
  }

  /** Whether a group of this many bytes may be added; the first one always, so that each segment has one. */
  hasRoomFor(extent: number, bytesMax: number): boolean {
    const isFirst = this.#length === HEADER_BYTES && Number.isFinite(extent);
    return isFirst || this.#length + extent <= bytesMax;
  }

  add(group: Uint8Array): void {
    const length = this.#length + group.length;
    if (length > this.#bytes.length) {
      const grown = new Uint8Array(Math.max(length, this.#bytes.length * 2));
      grown.set(this.#bytes.subarray(0, this.#length));
      this.#bytes = grown;
    }
    this.#bytes.set(group, this.#length);
    this.#length = length;
  }

  size(): number {
    return this.#length;
  }

  read(target: Uint8Array, position: number): number {
    const part = this.#bytes.subarray(position, Math.min(position + target.length, this.#length));
    target.set(part);
    return part.length;
  }

  write(): never {
    throw new Error("a draft only grows");
  }

  flush(): Promise<void> {
    return Promise.resolve();
  }

  close(): void {
    // Nothing is open.
  }
}
