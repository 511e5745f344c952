/** A snapshot of a stopped exchange, as the exchange itself would take it after many more commands. */
import { serialize } from "node:v8";
import { createEngine } from "#engine/engine.ts";
import { decodeEvents } from "#engine/event-buffer.ts";
import { openJournal } from "#journal/open-journal.ts";
import { SnapshotFiles } from "#journal/snapshot-files.ts";
import { engineOptions } from "#server/exchange/engine-options.ts";
import { journalDirectoryOf, snapshotDirectoryOf } from "#server/exchange/open-exchange.ts";
import { replayJournal } from "#server/exchange/replay.ts";
import { buildId } from "#server/exchange/snapshots/build-id.ts";
import { snapshotFormats } from "#server/exchange/snapshots/snapshot-formats.ts";
import { createSilentLog } from "#server/log.ts";
import { createReadModels, READ_MODELS_VERSION } from "#server/read-models.ts";

export async function writeSnapshot(dataDir: string): Promise<void> {
  const journal = await openJournal(journalDirectoryOf(dataDir), {
    log: createSilentLog(),
    readOnly: true,
  });
  const engine = createEngine(engineOptions);
  const readModels = createReadModels();
  for await (const { batch } of replayJournal(journal, engine))
    readModels.fold(decodeEvents(batch));
  await journal.close();
  const files = new SnapshotFiles(snapshotDirectoryOf(dataDir));
  files.createDirectory();
  await files.write(
    {
      sequence: engine.sequence,
      timestampMs: engine.timestampMs,
      journal: journal.identity,
      program: buildId(),
      formats: snapshotFormats(READ_MODELS_VERSION),
      engine: engine.snapshot(),
      readModels: serialize(readModels.state()),
    },
    // Its tests are elsewhere.
    () => undefined,
  );
}
