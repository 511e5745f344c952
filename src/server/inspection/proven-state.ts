/**
 * The state from which a journal is verified that has lost its beginning to an archive which is not
 * here: that of a snapshot whose content leads to the state hash in it. The oldest suitable one, so
 * that as much as possible is verified.
 */
import { existsSync, mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { type Engine, restoreEngine } from "#engine/engine.ts";
import { SnapshotFormatError } from "#engine/formats/snapshot.ts";
import type { Journal } from "#journal/journal.ts";
import { isStream } from "#journal/open-journal.ts";
import { openSharedSnapshots } from "#journal/shared-snapshots.ts";
import { SnapshotDamagedError, SnapshotFiles } from "#journal/snapshot-files.ts";
import { engineOptions } from "../exchange/engine-options.ts";
import { snapshotDirectoryOf } from "../exchange/open-exchange.ts";
import { messageOf } from "../log.ts";
import type { JournalSource } from "./journal-events.ts";

export interface ProvenState {
  readonly engine: Engine;
  /** The place of the difference, for human readers. */
  readonly place: string;
}

/** @throws Error with a sentence if there is none */
export async function findProvenState(
  journal: Journal,
  source: JournalSource,
): Promise<ProvenState> {
  const passedOver: string[] = [];
  const files = new SnapshotFiles(snapshotDirectoryOf(source.dataDir));
  const own = existsSync(snapshotDirectoryOf(source.dataDir)) ? files.sequences() : [];
  for (const sequence of own.toReversed()) {
    if (!isWithin(journal, sequence)) continue;
    const engine = restored(files, sequence, journal.identity, passedOver);
    if (engine !== undefined) return { engine, place: files.pathOf(sequence) };
  }
  const shared = await findShared(journal, source, passedOver);
  if (shared !== undefined) return shared;
  const { firstSequence } = journal;
  throw new Error(
    `The journal begins at sequence ${firstSequence}, and neither the archive with the commands before is ` +
      `here nor a snapshot to begin from. Set ARCHIVE_DIR to the directory with the archive. ` +
      passedOver.join(" "),
  );
}

/** A snapshot that the nodes share. */
async function findShared(
  journal: Journal,
  { journal: place }: JournalSource,
  passedOver: string[],
): Promise<ProvenState | undefined> {
  if (place === undefined || !isStream(place)) return undefined;
  const shared = await openSharedSnapshots(place);
  const directory = mkdtempSync(join(tmpdir(), "openbell-verify-"));
  try {
    const files = new SnapshotFiles(directory);
    for (const snapshot of (await shared.listWhole()).toReversed()) {
      const { sequence } = snapshot;
      if (!isWithin(journal, sequence) || snapshot.journal !== journal.identity) continue;
      try {
        await files.receive(sequence, shared.read(snapshot));
      } catch (error) {
        passedOver.push(`The shared snapshot of sequence ${sequence}: ${messageOf(error)}.`);
        continue;
      }
      const engine = restored(files, sequence, journal.identity, passedOver);
      if (engine !== undefined) return { engine, place: "those that the nodes share" };
    }
    return undefined;
  } finally {
    rmSync(directory, { recursive: true, force: true });
    await shared.close();
  }
}

function isWithin({ firstSequence, lastSequence }: Journal, sequence: number): boolean {
  return sequence >= firstSequence - 1 && sequence <= lastSequence;
}

function restored(
  files: SnapshotFiles,
  sequence: number,
  identity: number,
  passedOver: string[],
): Engine | undefined {
  try {
    const snapshot = files.read(sequence);
    if (snapshot.journal !== identity) return undefined;
    return restoreEngine(snapshot.engine, engineOptions);
  } catch (error) {
    if (!(error instanceof SnapshotDamagedError || error instanceof SnapshotFormatError))
      throw error;
    passedOver.push(`${files.pathOf(sequence)}: ${messageOf(error)}.`);
    return undefined;
  }
}
