/** Writes large files without delaying the journal, which flushes to the same disk. */
import { setTimeout as delay } from "node:timers/promises";
import type { JournalFile } from "./file-system.ts";

/**
 * The size of a chunk that is flushed on its own, so that a flush of the journal waits for one chunk
 * at most: 4 MB at once made a flush ten times as long, a quarter of a megabyte is hardly noticeable.
 */
const CHUNK_BYTES = 1 << 18;

/**
 * Writes the bytes in chunks and flushes each. Pauses half of the time, to leave the disk to the
 * journal, unless something waits for it.
 * @throws Error if the disk takes only some of the bytes.
 */
export async function writeInChunks(
  file: JournalFile,
  path: string,
  bytes: Uint8Array,
  position: number,
  isAwaited = false,
): Promise<void> {
  for (let from = 0; from < bytes.length; from += CHUNK_BYTES) {
    const chunk = bytes.subarray(from, from + CHUNK_BYTES);
    const written = file.write(chunk, position + from);
    if (written !== chunk.length) {
      throw new Error(`the disk took ${written} of ${chunk.length} bytes of ${path}`);
    }
    const startedMs = performance.now();
    await file.flush();
    if (!isAwaited) await delay(performance.now() - startedMs);
  }
}
