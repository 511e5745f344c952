/**
 * Fetches the newest snapshot that another node has shared, if a start from it saves time, or is possible
 * from nothing older. Failures are logged, and the node then starts from its own data.
 */
import { setTimeout as delay } from "node:timers/promises";
import type { JournalPlace } from "#journal/open-journal.ts";
import { openSharedSnapshots, type SharedSnapshots } from "#journal/shared-snapshots.ts";
import { SnapshotDamagedError, SnapshotFiles } from "#journal/snapshot-files.ts";
import { messageOf } from "../../log.ts";
import type { RestoreOptions } from "./restore-snapshot.ts";

export interface FetchOptions {
  readonly files: SnapshotFiles;
  /** The journal's identity. */
  readonly identity: number;
  /** The sequence of the oldest command in the journal: earlier ones are in snapshots only. */
  readonly firstSequence: number;
  /** The end of the journal; an estimate that may be too early, never too late. */
  readonly lastSequence: () => Promise<number>;
  /** The interval after which it is queried again, if it is too early. */
  readonly rereadAfterMs?: number;
  readonly formats: string;
  /** Later snapshots are of no use. */
  readonly sequenceMax: number;
  /** Ends the fetch. */
  readonly signal: AbortSignal;
  readonly log: RestoreOptions["log"];
}

/** The number of commands that are replayed in the time that fetching and restoring a snapshot takes. */
const GAIN_MIN = 50_000;
/** A server that does not know its successor reports an old end of the stream, for some seconds. */
const END_READS_MAX = 20;
const END_REREAD_AFTER_MS = 500;

/** The shared snapshots belong to a stream that had more commands than the present one. */
class SharedSnapshotAheadError extends Error {
  override readonly name = "SharedSnapshotAheadError";

  constructor(sequence: number, lastSequence: number) {
    super(
      `The journal ends at sequence ${lastSequence}, but the nodes have shared a snapshot of sequence ` +
        `${sequence}: acknowledged commands are missing, as after restoring an older copy of the stream. ` +
        "Restore the newest one; to go on without them, stop all nodes and remove the object store of the " +
        "snapshots (nats stream rm OBJ_openbell-snapshots), and the snapshots in their data directories.",
    );
  }
}

/**
 * The sequence of the snapshot that was fetched; undefined if none was.
 * @param options.journal the address of the journal
 * @throws SharedSnapshotAheadError
 */
export async function fetchSnapshot(
  options: Omit<FetchOptions, "files"> & {
    readonly journal: JournalPlace;
    readonly directory: string;
  },
): Promise<number | undefined> {
  const { directory, journal, log, signal } = options;
  let shared: SharedSnapshots | undefined;
  try {
    shared = await openSharedSnapshots(journal);
    const files = new SnapshotFiles(directory);
    files.createDirectory();
    return await fetchNewest(shared, { ...options, files });
  } catch (error) {
    if (error instanceof SharedSnapshotAheadError) throw error;
    if (!signal.aborted) {
      log.warn({ reason: messageOf(error) }, "the snapshots of the other nodes cannot be read");
    }
    return undefined;
  } finally {
    await shared?.close();
  }
}

/** Like `fetchSnapshot`, from given shared snapshots. */
export async function fetchNewest(
  shared: Pick<SharedSnapshots, "list" | "read">,
  options: FetchOptions,
): Promise<number | undefined> {
  const { files, firstSequence, formats, identity, log, sequenceMax, signal } = options;
  const listed = await shared.list();
  const ahead = listed.find(({ journal }) => journal === identity);
  if (ahead !== undefined) await requireReached(ahead.sequence, options);
  let own: number | undefined;
  for (const snapshot of listed) {
    const { sequence } = snapshot;
    const isUsable = snapshot.journal === identity && snapshot.formats === formats;
    if (!isUsable || sequence > sequenceMax) continue;
    own ??= newestOwn(options);
    const isEnough = own >= firstSequence - 1;
    if (isEnough && sequence < own + GAIN_MIN) return undefined;
    const startedMs = performance.now();
    try {
      const bytes = await files.receive(sequence, untilAborted(shared.read(snapshot), signal));
      const ms = Math.round(performance.now() - startedMs);
      log.info({ sequence, bytes, ms }, "fetched a snapshot of another node");
      return sequence;
    } catch (error) {
      if (signal.aborted) return undefined;
      log.warn({ sequence, reason: messageOf(error) }, "passed over a snapshot of another node");
    }
  }
  return undefined;
}

/** @throws SharedSnapshotAheadError if the journal ends before the sequence */
async function requireReached(
  sequence: number,
  options: Pick<FetchOptions, "lastSequence" | "rereadAfterMs" | "signal">,
): Promise<void> {
  const { lastSequence, rereadAfterMs = END_REREAD_AFTER_MS, signal } = options;
  for (let reads = 1; !signal.aborted; reads++) {
    const last = await lastSequence();
    if (last >= sequence) return;
    if (reads === END_READS_MAX) throw new SharedSnapshotAheadError(sequence, last);
    await delay(rereadAfterMs, undefined, { signal }).catch(() => undefined);
  }
}

/**
 * Passes the parts on.
 * @throws Error as soon as the signal is aborted, however late the next part is
 */
async function* untilAborted(
  parts: AsyncIterable<Uint8Array>,
  signal: AbortSignal,
): AsyncGenerator<Uint8Array> {
  signal.throwIfAborted();
  const aborted = Promise.withResolvers<never>();
  aborted.promise.catch(() => undefined);
  const abort = () => aborted.reject(signal.reason as Error);
  signal.addEventListener("abort", abort);
  try {
    const iterator = parts[Symbol.asyncIterator]();
    for (;;) {
      const next = await Promise.race([iterator.next(), aborted.promise]);
      if (next.done === true) return;
      yield next.value;
    }
  } finally {
    signal.removeEventListener("abort", abort);
  }
}

/** The newest sequence of this node's own intact snapshots that can be used; 0 if there is none. */
function newestOwn({ files, formats, identity, sequenceMax }: FetchOptions): number {
  for (const sequence of files.sequences()) {
    if (sequence > sequenceMax) continue;
    try {
      const snapshot = files.read(sequence);
      if (snapshot.journal === identity && snapshot.formats === formats) return sequence;
    } catch (error) {
      if (!(error instanceof SnapshotDamagedError)) throw error;
    }
  }
  return 0;
}
