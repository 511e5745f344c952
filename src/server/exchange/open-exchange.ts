/**
 * Opens the exchange of a data directory: takes its lock, starts the engine's worker, continues
 * from the newest snapshot, replays the journal after it and then sequences commands in batches.
 */
import { join } from "node:path";
import { deserialize } from "node:v8";
import { type DirectoryLock, lockDirectory } from "#journal/directory-lock.ts";
import { JournalDamagedError } from "#journal/journal.ts";
import { type JournalPlace, placeWithArchive } from "#journal/open-journal.ts";
import { messageOf } from "../log.ts";
import { EngineClient } from "./engine-client.ts";
import type { NodeFollower, ReplayPosition, RunFollower } from "./run-follower.ts";
import { SEGMENT_BYTES_MIN } from "./engine-messages.ts";
import type { ExchangeEvent } from "#engine/events.ts";
import type { EventListener, Exchange, ExchangeLog, SliceListener } from "./exchange.ts";
import { ExchangeClock } from "./exchange-clock.ts";
import { ExchangeStoppedError } from "./exchange-errors.ts";
import { buildId } from "./snapshots/build-id.ts";
import { snapshotFormats } from "./snapshots/snapshot-formats.ts";
import { type SnapshotOptions, Snapshots } from "./snapshots/snapshots.ts";
import { ClockRefusedError } from "./starting-time.ts";

export interface ExchangeOptions {
  readonly dataDir: string;
  /** The location of the journal; the data directory if omitted. */
  readonly journal?: JournalPlace;
  /** Given if the caller already holds the directory; the caller then releases it. */
  readonly lock?: DirectoryLock;
  /**
   * Receives every event in order, from sequence 1 or from the restored snapshot on: recovered events
   * before `openExchange` resolves, live events before the `submit` that caused them does. If it
   * throws, the exchange stops.
   */
  readonly onEvents: EventListener;
  /**
   * Receives the same events first, for work that takes long: the events of a large command in several
   * slices, between which the thread does other work while `unsettled` reports it. They go to
   * `onEvents` together right after the command's last slice.
   */
  readonly onSlice?: SliceListener;
  /** If omitted, no snapshots are written or used, and `onEvents` receives everything. */
  readonly snapshots?: SnapshotOptions;
  /**
   * Called with the progress of the journal's replay, before `openExchange` resolves. If it returns a
   * promise, the replay waits for it, so as not to run ahead of the listener's own work.
   */
  readonly onReplayed?: (progress: ReplayPosition) => Promise<void> | void;
  readonly log: ExchangeLog;
  /** How many commands may wait before `submit` rejects with `ExchangeBusyError`. */
  readonly backlogMax?: number;
  /** If omitted, the exchange creates a clock. The exchange starts and stops it. */
  readonly clock?: ExchangeClock;
  /**
   * Whether to start regardless of the clock's distance from the journal's last command (starting-time.ts).
   */
  readonly acceptsClock?: boolean;
  /** Bytes of one journal segment, at least 256 KiB. */
  readonly segmentBytes?: number;
  /** Whether outcomes contain the start and end times of their commands' stages. */
  readonly notesTimes?: boolean;
}

/** An exchange on one node of several, which follows the journal until it is asked to lead. */
export interface NodeOptions extends ExchangeOptions {
  readonly journal: JournalPlace;
  readonly node: NodeFollower;
  /** Called with the events of commands that were delivered to every listener. */
  readonly onDelivered: (sequence: number, events: readonly ExchangeEvent[]) => void;
}

/** The exchange of a node: `submit` rejects with `NotLeadingError` unless the node leads. */
export interface NodeExchange extends Exchange {
  /** Takes the next term of the journal; the result is passed to `NodeFollower`. */
  lead(): void;
  /** Stops leading once everything submitted is in the journal. */
  stepDown(): void;
}

const BACKLOG_MAX = 65_536;

/** The journal's directory within a data directory. */
export function journalDirectoryOf(dataDir: string): string {
  return join(dataDir, "journal");
}

/** The location of an exchange's journal: NATS JetStream if the setting names one. */
export function journalPlaceOf(settings: {
  readonly DATA_DIR: string;
  readonly NATS_URL?: string | undefined;
  readonly ARCHIVE_DIR?: string | undefined;
}): JournalPlace {
  const { ARCHIVE_DIR, DATA_DIR, NATS_URL } = settings;
  return placeWithArchive(NATS_URL ?? journalDirectoryOf(DATA_DIR), ARCHIVE_DIR);
}

/** The snapshots' directory within a data directory. */
export function snapshotDirectoryOf(dataDir: string): string {
  return join(dataDir, "snapshots");
}

/**
 * @throws DirectoryLockedError if another process holds the data directory, JournalDamagedError if the
 * journal cannot be trusted, ClockRefusedError if the clock is far from the journal's last command,
 * ExchangeStoppedError if the replay failed
 */
export async function openExchange(options: ExchangeOptions): Promise<Exchange> {
  return (await openEngine(options)).exchange;
}

/**
 * Resolves when the node has followed the journal up to its end.
 * @throws as `openExchange`, and Error if the stream cannot be reached
 */
export async function openNode(options: NodeOptions): Promise<NodeExchange> {
  const { client, exchange } = await openEngine(options, options);
  return { ...exchange, lead: () => client.lead(), stepDown: () => client.stepDown() };
}

async function openEngine(
  options: ExchangeOptions,
  nodeOptions?: Pick<NodeOptions, "node" | "onDelivered">,
): Promise<{ client: EngineClient; exchange: Exchange }> {
  const { dataDir, onEvents, log, backlogMax = BACKLOG_MAX, segmentBytes } = options;
  if (segmentBytes !== undefined && segmentBytes < SEGMENT_BYTES_MIN) {
    throw new RangeError(`segmentBytes must be at least ${SEGMENT_BYTES_MIN}`);
  }
  const lock = options.lock ?? lockDirectory(dataDir);
  const release = (): void => {
    if (options.lock === undefined) lock.release();
  };
  const journal = options.journal ?? journalDirectoryOf(dataDir);
  const location = options.snapshots && {
    directory: snapshotDirectoryOf(dataDir),
    program: buildId(),
    formats: snapshotFormats(options.snapshots.readModelsVersion ?? 0),
    sequenceMax: options.snapshots.usableSequence?.() ?? Number.POSITIVE_INFINITY,
  };
  const onDifference = (error: Error): void => client.stop(error);
  const snapshots =
    location &&
    new Snapshots({
      ...options.snapshots,
      journal,
      segmentBytes,
      location,
      log,
      onDifference,
    });
  let state: unknown;
  const follower: RunFollower = {
    snapshotRead(readModels) {
      state = deserialize(readModels);
    },
    restored(sequence) {
      options.snapshots?.restore(state, sequence);
      state = undefined;
      snapshots?.beginAt(sequence);
    },
    replayed: (position) => options.onReplayed?.(position),
    slice: (events, isWhole) => options.onSlice?.(events, isWhole),
    delivered(sequence, batch, events) {
      snapshots?.take(sequence, batch);
      nodeOptions?.onDelivered(sequence, events);
    },
    node: nodeOptions?.node,
  };
  const clock = options.clock ?? new ExchangeClock(log);
  const workerData = {
    journal,
    segmentBytes,
    snapshots: location,
    timeOffset: clock.time.offset,
    acceptsClock: options.acceptsClock ?? false,
    notesTimes: options.notesTimes ?? false,
  };
  const client = new EngineClient(workerData, onEvents, follower, log, backlogMax, clock);
  lock.onLost((error) => client.stop(error));
  try {
    await client.recovered;
    snapshots?.open();
  } catch (error) {
    await Promise.all([client.close(), snapshots?.close()]);
    release();
    const saysItself = error instanceof JournalDamagedError || error instanceof ClockRefusedError;
    throw saysItself ? error : new ExchangeStoppedError(messageOf(error));
  }
  const exchange: Exchange = {
    submit: (command, idempotencyKey = "") => client.submit(command, idempotencyKey),
    refusalOf: (order) => client.refusalOf(order),
    unsettled: () => client.unsettled(),
    subscribe: (listener) => client.subscribe(listener),
    health: () => client.health(),
    stateHash: () => client.stateHash(),
    async close() {
      await Promise.all([client.close(), snapshots?.close()]);
      release();
    },
  };
  return { client, exchange };
}
