/**
 * A process that takes one snapshot, compresses the journal before it, and exits. It does not touch the
 * live exchange: it restores the previous snapshot, replays the journal since then, and writes the
 * resulting state. It also verifies that the replay produces the same events that the exchange
 * released.
 *
 * A process and not a thread, because threads share V8's compiler and collector threads, which delayed
 * the exchange while they worked on the snapshot.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import { isDeepStrictEqual } from "node:util";
import { deserialize, serialize } from "node:v8";
import { createEngine, restoreEngine } from "#engine/engine.ts";
import { decodeEvents } from "#engine/event-buffer.ts";
import { archiveSegments } from "#journal/archive-segments.ts";
import { compressSegments } from "#journal/compress-segments.ts";
import { identityOf, isStream, openJournal } from "#journal/open-journal.ts";
import { openSharedSnapshots } from "#journal/shared-snapshots.ts";
import { type Snapshot, SnapshotFiles } from "#journal/snapshot-files.ts";
import { messageOf } from "../../log.ts";
import { engineOptions } from "../engine-options.ts";
import { extendDigest, isSameDigest } from "./event-digest.ts";
import { buildId } from "./build-id.ts";
import { replayJournal } from "../replay.ts";
import { shortenBehindSnapshots } from "./shorten-behind-snapshots.ts";
import { restoreNewest } from "./restore-snapshot.ts";
import type {
  FromSnapshotProcess,
  JournalArchive,
  SnapshotReadModels,
  SnapshotTask,
} from "./snapshot-messages.ts";

/**
 * About a gigabyte of plain segments, so that compressing or moving an old journal does not delay the next
 * snapshot for long.
 */
const SEGMENTS_MAX = 16;

const NO_READ_MODELS: SnapshotReadModels = {
  fold: () => undefined,
  state: () => null,
  restore: () => undefined,
  contradictionWith: () => undefined,
};

async function createReadModels({ readModelsModule }: SnapshotTask): Promise<SnapshotReadModels> {
  if (readModelsModule === undefined) return NO_READ_MODELS;
  const module = (await import(readModelsModule)) as {
    createReadModels(): SnapshotReadModels;
  };
  return module.createReadModels();
}

async function run(task: SnapshotTask): Promise<FromSnapshotProcess> {
  const { from, to, program, formats } = task;
  const startedMs = performance.now();
  const log = {
    info: () => undefined,
    warn: (fields: object, message: string) => void send({ kind: "log", fields, message }),
  };
  const journal = await openJournal(task.journal, {
    log,
    readOnly: true,
    besideWriter: { durable: to.sequence },
  });
  const files = new SnapshotFiles(task.snapshotDirectory);
  files.createDirectory();
  const readModels = await createReadModels(task);
  // All code is loaded by now: it must equal the exchange's code, whose build id labels the snapshot.
  if (buildId() !== program) {
    return {
      kind: "failed",
      reason: "the program's files have changed since the exchange started",
    };
  }
  const base = restoreNewest({
    files,
    journal,
    isJournalWhole: false,
    program,
    formats,
    sequenceMax: from.sequence,
    log,
  });
  const engine = base?.engine ?? createEngine(engineOptions);
  if (base !== undefined) readModels.restore(deserialize(base.readModels));

  // One turn of the event loop after each slice, to notice if the exchange has ended.
  for await (const { batch } of replayJournal(journal, engine, from.sequence)) {
    readModels.fold(decodeEvents(batch));
    await nextTurn();
  }
  let digest = from.digest;
  for await (const { batch } of replayJournal(journal, engine, to.sequence)) {
    digest = extendDigest(digest, batch);
    readModels.fold(decodeEvents(batch));
    await nextTurn();
  }
  await journal.close();
  if (!isSameDigest(digest, to.digest)) return { kind: "differs" };
  const replayedMs = performance.now();
  const again = await createReadModels(task);
  const state = readModels.state();
  const { sequence, timestampMs } = engine;
  const snapshot: Snapshot = {
    sequence,
    timestampMs,
    journal: journal.identity,
    program,
    formats,
    engine: engine.snapshot(),
    readModels: serialize(state),
  };
  const bytes = await files.write(snapshot, (written) => prove(written, again, state));
  return {
    kind: "written",
    timestampMs,
    bytes,
    replayMs: replayedMs - startedMs,
    writeMs: performance.now() - replayedMs,
  };
}

/** Shares the snapshot with other nodes if it is this node's turn. */
async function shareSnapshot(task: SnapshotTask): Promise<void> {
  const { formats, journal: place, sharedEvery, snapshotDirectory, to } = task;
  if (sharedEvery === undefined) return;
  const startedMs = performance.now();
  try {
    const { sequence } = to;
    const snapshot = { sequence, journal: await identityOf(place), formats };
    const shared = await openSharedSnapshots(place);
    try {
      if (!(await shared.takeTurn(snapshot, sharedEvery))) return;
      const path = new SnapshotFiles(snapshotDirectory).pathOf(sequence);
      const bytes = await shared.share(snapshot, path);
      await send({ kind: "shared", bytes, shareMs: performance.now() - startedMs });
    } finally {
      await shared.close();
    }
  } catch (error) {
    const fields = { sequence: to.sequence, reason: messageOf(error) };
    await send({ kind: "log", fields, message: "a snapshot was not shared with the other nodes" });
  }
}

/**
 * Compresses and moves old segments, after the snapshot in the same process, so that both use otherwise
 * idle cores and disks and never overlap. Segments beyond the limit follow after the next snapshot.
 */
async function storeOldSegments(task: SnapshotTask, timestampMs: number): Promise<void> {
  const { journal: directory, to, archive, compressesJournal } = task;
  // A stream compresses its own messages if configured to.
  if (isStream(directory)) return moveMessages(task, timestampMs);
  const old = { directory, durable: to.sequence, segmentsMax: SEGMENTS_MAX };
  if (compressesJournal) await compressJournal(old);
  if (archive !== undefined) await moveToArchive(old, archive, timestampMs);
}

interface OldSegments {
  readonly directory: string;
  readonly durable: number;
  readonly segmentsMax: number;
}

async function compressJournal(old: OldSegments): Promise<void> {
  try {
    const compressed = await compressSegments(old);
    if (compressed.segments > 0) await send({ kind: "compressed", ...compressed });
  } catch (error) {
    const fields = { reason: messageOf(error) };
    const message = "a segment of the journal was not compressed; it stays as it is";
    await send({ kind: "log", fields, message });
  }
}

async function moveToArchive(
  old: OldSegments,
  { directory: archive, afterMs }: JournalArchive,
  timestampMs: number,
): Promise<void> {
  try {
    const endedBeforeMs = timestampMs - afterMs;
    const archived = await archiveSegments({ ...old, archive, endedBeforeMs });
    if (archived.segments > 0) await send({ kind: "archived", ...archived });
  } catch (error) {
    const fields = { archive, reason: messageOf(error) };
    const message = "a segment of the journal was not moved to the archive; it stays where it is";
    await send({ kind: "log", fields, message });
  }
}

/** Moves old messages of a stream to the archive; only the leading node does so. */
async function moveMessages(task: SnapshotTask, timestampMs: number): Promise<void> {
  const { archive, formats, journal, segmentBytes, term } = task;
  if (archive === undefined || term === undefined) return;
  try {
    const endedBeforeMs = timestampMs - archive.afterMs;
    const segmentsMax = SEGMENTS_MAX;
    const options = { journal, formats, term, endedBeforeMs, segmentsMax, segmentBytes };
    const shortened = await shortenBehindSnapshots(options);
    if (shortened !== undefined && shortened.segments > 0) {
      await send({ kind: "shortened", ...shortened });
    }
  } catch (error) {
    const fields = { archive: archive.directory, reason: messageOf(error) };
    const message = "the oldest commands were not moved to the archive; they stay in the stream";
    await send({ kind: "log", fields, message });
  }
}

/** Restores the written snapshot, as the next start would, and compares its parts. */
function prove(written: Snapshot, again: SnapshotReadModels, state: unknown): void {
  const engine = restoreEngine(written.engine, engineOptions);
  again.restore(deserialize(written.readModels));
  const contradiction = again.contradictionWith(engine.read);
  if (contradiction !== undefined) throw new Error(contradiction);
  if (!isDeepStrictEqual(again.state(), state)) {
    throw new Error("the read models are not what was written of them");
  }
}

function send(message: FromSnapshotProcess): Promise<void> {
  return new Promise((resolve) => process.send?.(message, () => resolve()));
}

// Only the exchange ends this process: a terminal sends its signal to both.
process.on("SIGINT", () => undefined);
process.on("SIGTERM", () => undefined);
process.once("disconnect", () => process.exit());
process.once("message", (task: SnapshotTask) => {
  void run(task)
    .catch((error: unknown): FromSnapshotProcess => {
      return { kind: "failed", reason: messageOf(error) };
    })
    .then(async (answer) => {
      await send(answer);
      if (answer.kind !== "written") return;
      await shareSnapshot(task);
      await storeOldSegments(task, answer.timestampMs);
    })
    .finally(() => process.exit());
});
