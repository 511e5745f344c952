/**
 * Replays the journal of an exchange through a separate engine for its events. Read-only, also while
 * the exchange runs, in which case it replays up to the last command that was durable when it began.
 */
import { existsSync } from "node:fs";
import { createEngine, type Engine } from "#engine/engine.ts";
import { decodeEvents } from "#engine/event-buffer.ts";
import type { ExchangeEvent } from "#engine/events.ts";
import type { Journal } from "#journal/journal.ts";
import { isStream, type JournalPlace, nameOfPlace, openJournal } from "#journal/open-journal.ts";
import { engineOptions } from "../exchange/engine-options.ts";
import { journalDirectoryOf } from "../exchange/open-exchange.ts";
import { replayJournal } from "../exchange/replay.ts";

/** The exchange whose journal is read. */
export interface JournalSource {
  readonly dataDir: string;
  /** The location of the journal; the data directory if omitted. */
  readonly journal?: JournalPlace;
}

/** @throws Error if there is no journal, JournalDamagedError if it cannot be trusted */
export async function openJournalToRead(source: JournalSource): Promise<Journal> {
  const place = source.journal ?? journalDirectoryOf(source.dataDir);
  if (!isStream(place) && !existsSync(place)) {
    throw new Error(`there is no journal in ${source.dataDir}`);
  }
  const journal = await openJournal(place, { readOnly: true, besideWriter: {} });
  if (journal.identity !== 0 || !isStream(place)) return journal;
  await journal.close();
  throw new Error(`there is no journal in ${nameOfPlace(place)}`);
}

/** Every event up to a sequence, in batches of complete commands, and the engine that produced them. */
export async function* eventsUntil(
  source: JournalSource,
  until: number,
  engine: Engine = createEngine(engineOptions),
): AsyncGenerator<ExchangeEvent[]> {
  const journal = await openJournalToRead(source);
  try {
    for await (const { batch } of replayJournal(journal, engine, until)) yield decodeEvents(batch);
  } finally {
    await journal.close();
  }
}
