/**
 * The table at the end of a compressed segment, which says where its frames are: that of Zstandard's
 * seekable format (github.com/facebook/zstd, contrib/seekable_format).
 *
 *   frames · skippable frame: magic · bytes that follow · for each frame its compressed and plain
 *   bytes · number of frames · 0 · magic of the format
 *
 * Integers are little-endian uint32, the 0 one byte.
 */
import { FRAME_BYTES } from "./columns/frame.ts";
import type { JournalFile } from "./file-system.ts";

const SKIPPABLE_MAGIC = 0x184d2a5e;
const SEEKABLE_MAGIC = 0x8f92eab1;
const PREFIX_BYTES = 8;
const ENTRY_BYTES = 8;
const FOOTER_BYTES = 9;

/** The file cannot be read as a compressed segment, from this offset of the plain segment on. */
export class CompressedSegmentError extends Error {
  override readonly name = "CompressedSegmentError";
}

export interface Frame {
  /** Where the frame begins in the compressed file and in the plain segment. */
  readonly position: number;
  readonly plainPosition: number;
  readonly bytes: number;
  readonly plainBytes: number;
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

/** @throws CompressedSegmentError */
export function readFrameTable(file: JournalFile): Frame[] {
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
