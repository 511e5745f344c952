/**
 * Moves the oldest commands of a journal in a stream to its archive. Files need none of this: each segment
 * moves by itself (archive-segments.ts).
 */
// oxlint-disable-next-line no-restricted-imports -- types only: this loads nothing of NATS
import type { ShortenedStream, ShortenOptions } from "./jetstream/shorten-stream.ts";
import type { JournalPlace } from "./open-journal.ts";

export type { ShortenedStream };

/** Loads NATS. @throws as jetstream/shorten-at.ts */
export async function shortenJournal(
  stream: JournalPlace,
  options: Omit<ShortenOptions, "archive">,
): Promise<ShortenedStream> {
  // oxlint-disable-next-line no-restricted-imports -- only here, and only when it is needed
  const { shortenAt } = await import("./jetstream/shorten-at.ts");
  return shortenAt(stream, options);
}
