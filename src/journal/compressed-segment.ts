/**
 * A segment that is no longer written, compressed: its bytes in frames that are read one by one, with a
 * table at the end (frame-table.ts). There are two forms, distinguished by the file's name:
 *
 *   columns  frames of groups in columns (columns/), after a frame of the segment's header alone, so
 *            that reading a header decompresses nothing else
 *   zst      plain bytes in Zstandard, written by earlier versions and still read
 */
import { zstdDecompressSync } from "node:zlib";
import { decodeFrame } from "./columns/frame.ts";
import type { JournalFile } from "./file-system.ts";
import { CompressedSegmentError, type Frame, readFrameTable } from "./frame-table.ts";

export type CompressedForm = "columns" | "zst";

/** Returns the plain bytes of a frame; throws any error if it is damaged. */
type FrameDecoder = (frame: Uint8Array, plainBytes: number) => Uint8Array;

const DECODERS: Readonly<Record<CompressedForm, FrameDecoder>> = {
  columns: decodeFrame,
  zst: (frame, plainBytes) => zstdDecompressSync(frame, { maxOutputLength: plainBytes }),
};

/** Reads a plain segment from its compressed file. */
export class CompressedSegment implements JournalFile {
  readonly #file: JournalFile;
  readonly #decode: FrameDecoder;
  readonly #frames: readonly Frame[];
  /** The frame read last: most reads are sequential. */
  #current: { readonly frame: Frame; readonly plain: Uint8Array } | undefined;

  /** @throws CompressedSegmentError */
  constructor(file: JournalFile, form: CompressedForm) {
    this.#file = file;
    this.#decode = DECODERS[form];
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
      plain = this.#decode(compressed, plainBytes);
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
