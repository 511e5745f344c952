/** Opens a journal at a place: a directory of files, or a stream of NATS JetStream. */
import { type FileJournalOptions, journalIdentity, openFileJournal } from "./file-journal.ts";
// oxlint-disable-next-line no-restricted-imports -- a text is parsed: this loads nothing of NATS
import { parseStreamAddress, withArchive } from "./jetstream/stream-address.ts";
import type { Journal } from "./journal.ts";

/** A directory, or the address of a stream as in jetstream/stream-address.ts. */
export type JournalPlace = string;

export type JournalOptions = Omit<FileJournalOptions, "directory" | "fileSystem">;

export function isStream(place: JournalPlace): boolean {
  return /^(nats|tls):\/\//.test(place);
}

/** The place as shown to people, without a password. */
export function nameOfPlace(place: JournalPlace): string {
  return isStream(place) ? place.replace(/\/\/[^@/]*@/, "//").replace(/\?.*/, "") : place;
}

/** The name of the stream at a place, whichever of its servers that names. */
export function streamOfPlace(place: JournalPlace): string {
  return parseStreamAddress(place).stream;
}

/** The place of a stream, which names the directory of archives; a directory has its archive in links. */
export function placeWithArchive(place: JournalPlace, archive: string | undefined): JournalPlace {
  return isStream(place) ? withArchive(place, archive) : place;
}

/** The identity of the journal at a place, as in `Journal.identity`; 0 if there is none. */
export async function identityOf(place: JournalPlace): Promise<number> {
  if (!isStream(place)) return journalIdentity(place);
  const journal = await openJournal(place, { readOnly: true });
  await journal.close();
  return journal.identity;
}

/**
 * Opens the journal for writing, or to read it with `readOnly`. Loads NATS only for a stream. A stream
 * ignores `segmentBytes`, and read-only ends where it ended when opened.
 * @throws JournalDamagedError if its end cannot be trusted, Error with a sentence if it cannot be
 * reached or must not keep a journal
 */
export async function openJournal(place: JournalPlace, options: JournalOptions): Promise<Journal> {
  if (!isStream(place)) return openFileJournal({ ...options, directory: place });
  // oxlint-disable-next-line no-restricted-imports -- only here, and only when it is needed
  const { openJetStreamJournal } = await import("./jetstream/jetstream-journal.ts");
  return openJetStreamJournal({ ...options, address: place });
}
