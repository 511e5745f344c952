/**
 * An upgrade continues from the snapshots of the release before, unless it says that it cannot. A
 * change of the engine's state, its rules or the read models' state without a new version fails here;
 * then raise the version that is named and run `npx node test/golden/record-golden-snapshot.ts`.
 */
import { deserialize } from "node:v8";
import { expect, test } from "vitest";
import { SnapshotFiles } from "#journal/snapshot-files.ts";
import { restoreNewest } from "#server/exchange/snapshots/restore-snapshot.ts";
import { snapshotFormats } from "#server/exchange/snapshots/snapshot-formats.ts";
import { createReadModels, READ_MODELS_VERSION } from "#server/read-models.ts";
import { expectedHashes } from "./golden-journal.ts";
import {
  continueTo,
  currentVersions,
  DIRECTORY,
  HOMES,
  JOURNAL,
  KINDS,
  openGoldenJournal,
  recordedVersions,
} from "./golden-snapshot.ts";

test.each(KINDS)("nothing changes without a new version: %s", async (kind) => {
  const recorded = recordedVersions()[kind];
  const current = (await currentVersions())[kind];
  const advice = `raise ${HOMES[kind]}, then run test/golden/record-golden-snapshot.ts`;
  expect(current, advice).toEqual(recorded);
});

test("a program of another release restores it, and reaches what a whole replay leads to", async () => {
  const journal = await openGoldenJournal();
  const restored = restoreNewest({
    files: new SnapshotFiles(DIRECTORY),
    journal,
    isJournalWhole: true,
    program: "another release",
    formats: snapshotFormats(READ_MODELS_VERSION),
    sequenceMax: Number.POSITIVE_INFINITY,
    log: { info: () => undefined, warn: () => undefined },
  });
  await journal.close();
  if (restored === undefined) throw new Error("the golden snapshot was passed over");
  const readModels = createReadModels();
  readModels.restore(deserialize(restored.readModels));
  expect(readModels.contradictionWith(restored.engine.read)).toBeUndefined();

  const end = await continueTo(Number.POSITIVE_INFINITY, restored.engine, readModels);
  const whole = await continueTo(Number.POSITIVE_INFINITY);
  expect(end.engine.sequence).toBe(whole.lastSequence);
  expect(end.engine.stateHash()).toBe(expectedHashes(JOURNAL).at(-1)?.hash);
  expect(end.readModels.state()).toEqual(whole.readModels.state());
});
