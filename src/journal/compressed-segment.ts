/**
 * A segment that is no longer written, compressed: its bytes in frames of Zstandard that are read
 * one by one, in the seekable format (github.com/facebook/zstd, contrib/seekable_format), so that
 * `zstd -d` of any system makes the plain segment again.
 *
 *   frames · skippable frame: magic · bytes that follow · for each frame its compressed and plain
 *   bytes · number of frames · 0 · magic of the format
 *
 * Integers are little-endian uint32, the 0 one byte. Each frame has its own checksum, and the
 * groups inside theirs.
 */
import { constants, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import type { JournalFile } from "./file-system.ts";

/** The most bytes that one read decompresses beyond those that it needs. */
export const FRAME_BYTES = 1 << 20;
/**
 * Zstandard's default compression level: higher levels take several times as long for a few
 * percent.
 */
const LEVEL = 3;

const SKIPPABLE_MAGIC = 0x184d2a5e;
const SEEKABLE_MAGIC = 0x8f92eab1;
const PREFIX_BYTES = 8;
const ENTRY_BYTES = 8;
const FOOTER_BYTES = 9;

/** The file cannot be read as a compressed segment, from this offset of the plain segment on. */
export class CompressedSegmentError extends Error {
  override readonly name = "CompressedSegmentError";
}

interface Frame {
  /** Where the frame begins in the compressed file and in the plain segment. */
  readonly position: number;
  readonly plainPosition: number;
  readonly bytes: number;
  readonly plainBytes: number;
}

/** Compresses one part of a plain segment, of `FRAME_BYTES` at most, into a frame. */
export function compressFrame(plain: Uint8Array): Uint8Array {
  return zstdCompressSync(plain, {
    params: {
      [constants.ZSTD_c_compressionLevel]: LEVEL,
      [constants.ZSTD_c_checksumFlag]: 1,
    },
  });
}

/** Encodes the seek table that follows the frames. */
export function encodeFrameTable(
  frames: readonly { readonly bytes: number; readonly plainBytes: number }[],
): Uint8Array {
  const content = frames.length * ENTRY_BYTES + FOOTER_BYTES;
  const bytes = new Uint8Array(PREFIX_BYTES + content);
  const view = new DataView(bytes.buffer);
  view.setUint32(0, SKIPPABLE_MAGIC, true);
  view.setUint32(4, content, true);
  let offset = PREFIX_BYTES;
  for (const frame of frames) {
    view.setUint32(offset, frame.bytes, true);
    view.setUint32(offset + 4, frame.plainBytes, true);
    offset += ENTRY_BYTES;
  }
  view.setUint32(offset, frames.length, true);
  view.setUint32(offset + 5, SEEKABLE_MAGIC, true);
  return bytes;
}

/** Reads a plain segment from its compressed file. */
export class CompressedSegment implements JournalFile {
  readonly #file: JournalFile;
  readonly #frames: readonly Frame[];
  /** The frame read last: most reads are sequential. */
  #current: { readonly frame: Frame; readonly plain: Uint8Array } | undefined;

  /** @throws CompressedSegmentError */
  constructor(file: JournalFile) {
    this.#file = file;
    this.#frames = readFrameTable(file);
  }

  size(): number {
    const last = this.#frames.at(-1);
    return last === undefined ? 0 : last.plainPosition + last.plainBytes;
  }

  /** @throws CompressedSegmentError */
  read(target: Uint8Array, position: number): number {
    let filled = 0;
    while (filled < target.length) {
      const at = position + filled;
      const plain = this.#frameAt(at);
      if (plain === undefined) break;
      const part = plain.subarray(0, target.length - filled);
      target.set(part, filled);
      filled += part.length;
    }
    return filled;
  }

  write(): never {
    throw new Error("a compressed segment is never written to");
  }

  flush(): Promise<void> {
    return this.#file.flush();
  }

  close(): void {
    this.#file.close();
  }

  /** The plain bytes from a position to the end of its frame; undefined after the last frame. */
  #frameAt(position: number): Uint8Array | undefined {
    let current = this.#current;
    if (current === undefined || !isInside(current.frame, position)) {
      const frame = this.#frames.find((candidate) => isInside(candidate, position));
      if (frame === undefined) return undefined;
      current = { frame, plain: this.#decompress(frame) };
      this.#current = current;
    }
    return current.plain.subarray(position - current.frame.plainPosition);
  }

  #decompress({ position, bytes, plainBytes, plainPosition }: Frame): Uint8Array {
    const compressed = new Uint8Array(bytes);
    const damaged = (cause?: unknown) =>
      new CompressedSegmentError(
        `the compressed bytes of offset ${plainPosition} and later cannot be read`,
        { cause },
      );
    if (this.#file.read(compressed, position) !== bytes) throw damaged();
    let plain: Uint8Array;
    try {
      plain = zstdDecompressSync(compressed, { maxOutputLength: plainBytes });
    } catch (error) {
      throw damaged(error);
    }
    if (plain.length !== plainBytes) throw damaged();
    return plain;
  }
}

function isInside({ plainPosition, plainBytes }: Frame, position: number): boolean {
  return position >= plainPosition && position < plainPosition + plainBytes;
}

function readFrameTable(file: JournalFile): Frame[] {
  const size = file.size();
  const refuse = (): never => {
    throw new CompressedSegmentError("the table of a compressed segment cannot be read");
  };
  const read = (length: number, position: number): DataView => {
    // A wrong length in a damaged table must not cause a huge allocation.
    if (position < 0) refuse();
    const bytes = new Uint8Array(length);
    if (file.read(bytes, position) !== length) refuse();
    return new DataView(bytes.buffer);
  };
  const footer = read(FOOTER_BYTES, size - FOOTER_BYTES);
  if (footer.getUint32(5, true) !== SEEKABLE_MAGIC || footer.getUint8(4) !== 0) refuse();
  const count = footer.getUint32(0, true);
  const content = count * ENTRY_BYTES + FOOTER_BYTES;
  const tablePosition = size - content - PREFIX_BYTES;
  const table = read(size - Math.max(0, tablePosition), tablePosition);
  if (table.getUint32(0, true) !== SKIPPABLE_MAGIC || table.getUint32(4, true) !== content) {
    refuse();
  }
  const frames: Frame[] = [];
  let position = 0;
  let plainPosition = 0;
  for (let index = 0; index < count; index++) {
    const bytes = table.getUint32(PREFIX_BYTES + index * ENTRY_BYTES, true);
    const plainBytes = table.getUint32(PREFIX_BYTES + index * ENTRY_BYTES + 4, true);
    if (plainBytes > FRAME_BYTES) refuse();
    frames.push({ position, plainPosition, bytes, plainBytes });
    position += bytes;
    plainPosition += plainBytes;
  }
  if (position !== tablePosition) refuse();
  return frames;
}
