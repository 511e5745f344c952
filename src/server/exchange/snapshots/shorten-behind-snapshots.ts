/**
 * Moves the oldest messages of a stream to its archive, never more than the two shared snapshots include: a new node
 * begins from either. The older one is restored before anything is removed.
 */
import { mkdtempSync, rmSync } from "node:fs";
import { tmpdir } from "node:os";
import { join } from "node:path";
import { restoreEngine } from "#engine/engine.ts";
import { identityOf, type JournalPlace } from "#journal/open-journal.ts";
import {
  openSharedSnapshots,
  type SharedSnapshot,
  type SharedSnapshots,
} from "#journal/shared-snapshots.ts";
import { type ShortenedStream, shortenJournal } from "#journal/shorten-journal.ts";
import { SnapshotFiles } from "#journal/snapshot-files.ts";
import { engineOptions } from "../engine-options.ts";

/** The store keeps two. */
const SHARED_MIN = 2;
/** Another node may replace the snapshot that is being read by a newer one. */
const ATTEMPTS = 3;

/** @returns undefined if there are too few snapshots. @throws as `shortenJournal` */
export async function shortenBehindSnapshots(options: {
  readonly journal: JournalPlace;
  readonly formats: string;
  readonly term: number;
  readonly endedBeforeMs: number;
  readonly segmentsMax: number;
  readonly segmentBytes: number | undefined;
}): Promise<ShortenedStream | undefined> {
  const { journal: place, formats, ...how } = options;
  const shared = await openSharedSnapshots(place);
  try {
    const identity = await identityOf(place);
    const usable = async () => {
      const whole = await shared.listWhole();
      return whole.filter((each) => each.journal === identity && each.formats === formats);
    };
    const found = await usable();
    if (found.length < SHARED_MIN) return undefined;
    const { sequence: proven } = found[found.length - 1];
    return await shortenJournal(place, {
      ...how,
      proven,
      prove: () => proveOldest(shared, usable),
    });
  } finally {
    await shared.close();
  }
}

/** @param usable those that may be there by now: they only become newer */
async function proveOldest(
  shared: SharedSnapshots,
  usable: () => Promise<SharedSnapshot[]>,
): Promise<void> {
  for (let attempt = 1; ; attempt++) {
    const found = await usable();
    const oldest = found.at(-1);
    if (oldest === undefined || found.length < SHARED_MIN) {
      throw new Error("the snapshots that the nodes share are gone");
    }
    try {
      return await prove(shared, oldest);
    } catch (error) {
      if (attempt === ATTEMPTS) throw error;
    }
  }
}

/** Restores a shared snapshot as a new node would. @throws Error if it does not lead to its state hash */
async function prove(shared: SharedSnapshots, snapshot: SharedSnapshot): Promise<void> {
  const { sequence } = snapshot;
  const directory = mkdtempSync(join(tmpdir(), "openbell-snapshot-"));
  try {
    const files = new SnapshotFiles(directory);
    await files.receive(sequence, shared.read(snapshot));
    const engine = restoreEngine(files.read(sequence).engine, engineOptions);
    if (engine.sequence !== sequence)
      throw new Error(`the snapshot is not of sequence ${sequence}`);
  } finally {
    rmSync(directory, { recursive: true, force: true });
  }
}
