/** Writing much without getting in the way of the journal, which flushes to the same disk. */
import { setTimeout as delay } from "node:timers/promises";
import type { JournalFile } from "./file-system.ts";

/**
 * Flushed in pieces, so that a flush of the journal waits for one piece at most: 4 MB at once made
 * it ten times as long, a quarter of a megabyte is hardly noticeable.
 */
const PIECE_BYTES = 1 << 18;

/**
 * Writes the bytes and flushes them. Leaves the disk to the journal half of the time.
 * @throws Error if the disk takes only some of them.
 */
export async function writePieces(
  file: JournalFile,
  path: string,
  bytes: Uint8Array,
  position: number,
): Promise<void> {
  for (let from = 0; from < bytes.length; from += PIECE_BYTES) {
    const piece = bytes.subarray(from, from + PIECE_BYTES);
    const written = file.write(piece, position + from);
    if (written !== piece.length) {
      throw new Error(`the disk took ${written} of ${piece.length} bytes of ${path}`);
    }
    const startedMs = performance.now();
    await file.flush();
    await delay(performance.now() - startedMs);
  }
}
