/**
 * `openbell rebuild-history`: drops the SQL history and rebuilds it from the journal. The
 * exchange must be stopped; accounts and sign-in are not touched.
 */
import { createEngine } from "#engine/engine.ts";
import { decodeEvents } from "#engine/event-buffer.ts";
import type { ExchangeEvent } from "#engine/events.ts";
import { lockDirectory } from "#journal/directory-lock.ts";
import type { Journal } from "#journal/journal.ts";
import { openJournal } from "#journal/open-journal.ts";
import { readConfig } from "#server/settings/config.ts";
import { openDatabase } from "#server/database/open-database.ts";
import { journalPlaceOf } from "#server/exchange/open-exchange.ts";
import { replayJournal } from "#server/exchange/replay.ts";
import { rebuildHistory } from "#server/history/rebuild-history.ts";
import {
  readDirectoryRecord,
  writeDirectoryRecord,
} from "#server/installation/directory-record.ts";
import { createLog } from "#server/log.ts";
import { simulatedCandles } from "#server/simulator/candle-history.ts";

/** @throws Error with a sentence for the operator */
export async function rebuildFromJournal(): Promise<void> {
  const config = readConfig(process.env);
  const log = createLog({ level: config.LOG_LEVEL });
  const lock = lockDirectory(config.DATA_DIR);
  const place = journalPlaceOf(config);
  const journal = await openJournal(place, { log, readOnly: true });
  const database = await openDatabase({
    databaseUrl: config.DATABASE_URL,
    dataDir: config.DATA_DIR,
    log,
  });
  try {
    await database.migrate();
    // If interrupted, the history ends before the point that the directory records.
    const record = readDirectoryRecord(config.DATA_DIR);
    if (record !== undefined) {
      writeDirectoryRecord(config.DATA_DIR, { ...record, databaseSequence: 0 });
    }
    const events = replayed(journal);
    const sequence = await rebuildHistory({ database, events, simulatedCandles, log });
    process.stdout.write(`The history is rebuilt up to sequence ${sequence}.\n`);
  } finally {
    await database.close();
    await journal.close();
    lock.release();
  }
}

async function* replayed(journal: Journal): AsyncGenerator<readonly ExchangeEvent[]> {
  for await (const slice of replayJournal(journal, createEngine())) yield decodeEvents(slice.batch);
}
