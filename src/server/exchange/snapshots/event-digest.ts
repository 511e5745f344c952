/**
 * A checksum over all events of the engine, independent of how they were batched. The live engine
 * keeps one and a replay another: equal digests mean that both produced the same events, byte by
 * byte, at a cost that is affordable per command, unlike a hash over the whole state.
 */
import { crc32 } from "node:zlib";
import type { EventBatch } from "#engine/event-buffer.ts";

export interface EventDigest {
  readonly rows: number;
  readonly texts: number;
}

export const EMPTY_DIGEST: EventDigest = { rows: 0, texts: 0 };

/** The digest of all events so far, extended by the next batch. */
export function extendDigest(digest: EventDigest, { rows, texts }: EventBatch): EventDigest {
  const bytes = new Uint8Array(rows.buffer, rows.byteOffset, rows.byteLength);
  return {
    rows: crc32(bytes, digest.rows),
    // Each text ends with a separator, so that two sequences of texts never concatenate to the same
    // bytes.
    texts: texts.length === 0 ? digest.texts : crc32(`${texts.join("\0")}\0`, digest.texts),
  };
}

export function isSameDigest(a: EventDigest, b: EventDigest): boolean {
  return a.rows === b.rows && a.texts === b.texts;
}
