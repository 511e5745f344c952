/**
 * The events of a data directory's journal, replayed through a separate engine. Read-only, also
 * while the exchange runs: then up to what was on disk at the beginning.
 */
import { existsSync } from "node:fs";
import { createEngine, type Engine } from "#engine/engine.ts";
import { decodeEvents } from "#engine/event-buffer.ts";
import type { ExchangeEvent } from "#engine/events.ts";
import { openFileJournal } from "#journal/file-journal.ts";
import type { Journal } from "#journal/journal.ts";
import { engineOptions } from "../exchange/engine-options.ts";
import { journalDirectoryOf } from "../exchange/open-exchange.ts";
import { replayJournal } from "../exchange/replay.ts";

/** @throws Error if there is no journal, JournalDamagedError if it cannot be trusted */
export async function openJournalToRead(dataDir: string): Promise<Journal> {
  const directory = journalDirectoryOf(dataDir);
  if (!existsSync(directory)) throw new Error(`there is no journal in ${dataDir}`);
  return openFileJournal({ directory, readOnly: true, besideWriter: {} });
}

/** Every event up to a sequence, in batches of whole commands, and the engine that produced them. */
export async function* eventsUntil(
  dataDir: string,
  until: number,
  engine: Engine = createEngine(engineOptions),
): AsyncGenerator<ExchangeEvent[]> {
  const journal = await openJournalToRead(dataDir);
  try {
    for await (const { batch } of replayJournal(journal, engine, until)) yield decodeEvents(batch);
  } finally {
    await journal.close();
  }
}
