/** Writes large files without delaying the journal, which flushes to the same disk. */
import { setTimeout as delay } from "node:timers/promises";
import type { JournalFile } from "./file-system.ts";

/**
 * The size of a chunk that is flushed on its own, so that a flush of the journal waits for one chunk
 * at most: 4 MB at once made a flush ten times as long, a quarter of a megabyte is hardly noticeable.
 */
const PIECE_BYTES = 1 << 18;

/**
 * Writes the bytes in chunks and flushes each. Pauses half of the time, to leave the disk to the
 * journal, unless something waits for it.
 * @throws Error if the disk takes only some of the bytes.
 */
export async function writePieces(
  file: JournalFile,
  path: string,
  bytes: Uint8Array,
  position: number,
  isAwaited = false,
): Promise<void> {
  for (let from = 0; from < bytes.length; from += PIECE_BYTES) {
    const piece = bytes.subarray(from, from + PIECE_BYTES);
    const written = file.write(piece, position + from);
    if (written !== piece.length) {
      throw new Error(`the disk took ${written} of ${piece.length} bytes of ${path}`);
    }
    const startedMs = performance.now();
    await file.flush();
    if (!isAwaited) await delay(performance.now() - startedMs);
  }
}
