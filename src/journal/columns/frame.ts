/**
 * A frame: a part of a plain segment, compressed on its own.
 *
 *   u8 form (0 bytes as they are, 1 groups in columns) · u32 crc of the plain bytes · Zstandard
 */
import { constants, crc32, zstdCompressSync, zstdDecompressSync } from "node:zlib";
import { decodeGroups, encodeGroups } from "./group-columns.ts";

/**
 * Maximum number of plain bytes in a frame, and so of bytes that one read decompresses
 * unnecessarily.
 */
export const FRAME_BYTES = 1 << 22;
const LEVEL = 12;
const HEADER_BYTES = 5;
const BYTES_FORM = 0;
const COLUMNS_FORM = 1;
/** Columns of groups that have nothing in common are somewhat larger than the groups. */
const DECOMPRESSED_BYTES_MAX = 2 * FRAME_BYTES;

export interface EncodedFrame {
  readonly bytes: Uint8Array;
  /** How many of the plain bytes the frame contains. */
  readonly plainBytes: number;
}

/**
 * Compresses the beginning of `plain`, which has `FRAME_BYTES` at most, and begins and ends where a group
 * does, if possible.
 */
export function encodeFrame(plain: Uint8Array, salt: number): EncodedFrame {
  const groups = encodeGroups(plain, salt);
  if (groups !== undefined) {
    const part = plain.subarray(0, groups.plainBytes);
    // Groups that are not made again byte by byte, such as damaged ones, are stored as they are.
    if (Buffer.compare(decodeGroups(groups.columns, part.length), part) === 0) {
      return encoded(COLUMNS_FORM, part, groups.columns);
    }
  }
  return encoded(BYTES_FORM, plain, plain);
}

function encoded(form: number, plain: Uint8Array, content: Uint8Array): EncodedFrame {
  const compressed = zstdCompressSync(content, {
    params: {
      [constants.ZSTD_c_compressionLevel]: LEVEL,
      [constants.ZSTD_c_checksumFlag]: 1,
    },
  });
  const bytes = new Uint8Array(HEADER_BYTES + compressed.length);
  bytes[0] = form;
  new DataView(bytes.buffer).setUint32(1, crc32(plain), true);
  bytes.set(compressed, HEADER_BYTES);
  return { bytes, plainBytes: plain.length };
}

/** The plain bytes of a frame. @throws any error if the frame is damaged */
export function decodeFrame(frame: Uint8Array, plainBytes: number): Uint8Array {
  const content = zstdDecompressSync(frame.subarray(HEADER_BYTES), {
    maxOutputLength: DECOMPRESSED_BYTES_MAX,
  });
  const plain = frame[0] === COLUMNS_FORM ? decodeGroups(content, plainBytes) : content;
  const view = new DataView(frame.buffer, frame.byteOffset);
  if (plain.length !== plainBytes || crc32(plain) !== view.getUint32(1, true)) {
    throw new Error("a frame does not contain the bytes that were written to it");
  }
  return plain;
}
