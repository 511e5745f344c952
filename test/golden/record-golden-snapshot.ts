/**
 * Records the golden snapshot and what its versions stand for:
 *
 *   node test/golden/record-golden-snapshot.ts
 *
 * Refused while something leads elsewhere under a version that is recorded: raise it first.
 */
import { existsSync, mkdirSync, rmSync, writeFileSync } from "node:fs";
import { join } from "node:path";
import { serialize } from "node:v8";
import { SnapshotFiles } from "#journal/snapshot-files.ts";
import { buildId } from "#server/exchange/snapshots/build-id.ts";
import { snapshotFormats } from "#server/exchange/snapshots/snapshot-formats.ts";
import { READ_MODELS_VERSION } from "#server/read-models.ts";
import {
  continueTo,
  currentVersions,
  DIRECTORY,
  HOMES,
  KINDS,
  openGoldenJournal,
  recordedVersions,
  snapshotName,
  VERSIONS_PATH,
} from "./golden-snapshot.ts";

const current = await currentVersions();
if (existsSync(VERSIONS_PATH)) {
  const recorded = recordedVersions();
  for (const kind of KINDS) {
    const isSame = recorded[kind].digest === current[kind].digest;
    if (!isSame && current[kind].version <= recorded[kind].version) {
      throw new Error(`raise ${HOMES[kind]} above ${recorded[kind].version} first`);
    }
  }
  rmSync(join(DIRECTORY, snapshotName()));
}
mkdirSync(DIRECTORY, { recursive: true });
writeFileSync(VERSIONS_PATH, `${JSON.stringify(current, null, 2)}\n`);
const journal = await openGoldenJournal();
const half = Math.floor(journal.lastSequence / 2);
await journal.close();
const { engine, readModels, identity } = await continueTo(half);
const bytes = await new SnapshotFiles(DIRECTORY).write(
  {
    sequence: engine.sequence,
    timestampMs: engine.timestampMs,
    journal: identity,
    program: buildId(),
    formats: snapshotFormats(READ_MODELS_VERSION),
    engine: engine.snapshot(),
    readModels: serialize(readModels.state()),
  },
  () => undefined,
);
process.stdout.write(`recorded a snapshot of ${bytes} bytes at sequence ${half}\n`);
