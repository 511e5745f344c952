/**
 * Opens the exchange of a data directory: takes its lock, starts the engine's worker, replays the
 * journal and from then on sequences commands in batches.
 */
import { join } from "node:path";
import { type DirectoryLock, lockDirectory } from "#journal/directory-lock.ts";
import { JournalDamagedError } from "#journal/journal.ts";
import { EngineClient } from "./engine-client.ts";
import { SEGMENT_BYTES_MIN } from "./engine-messages.ts";
import type { EventListener, Exchange } from "./exchange.ts";
import { ExchangeStoppedError } from "./exchange-errors.ts";

/** What the exchange tells the operator; a pino logger is one. */
export interface ExchangeLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface ExchangeOptions {
  readonly dataDir: string;
  /** Where the caller holds the directory already; it then stays the caller's to release. */
  readonly lock?: DirectoryLock;
  /**
   * Receives every event from sequence 1 on, in order: the recovered ones before `openExchange`
   * resolves, live ones before the `submit` that caused them does. A throw stops the exchange.
   */
  readonly onEvents: EventListener;
  readonly log: ExchangeLog;
  /** Commands that may wait before `submit` answers `ExchangeBusyError`. */
  readonly backlogMax?: number;
  /** Bytes of one journal segment, at least 256 KiB. */
  readonly segmentBytes?: number;
}

const BACKLOG_MAX = 65_536;

/** Where the journal of a data directory is. */
export function journalDirectoryOf(dataDir: string): string {
  return join(dataDir, "journal");
}

/**
 * @throws DirectoryLockedError where another process holds the data directory, JournalDamagedError
 * where the journal cannot be trusted, ExchangeStoppedError where its replay failed.
 */
export async function openExchange(options: ExchangeOptions): Promise<Exchange> {
  const { dataDir, onEvents, log, backlogMax = BACKLOG_MAX, segmentBytes } = options;
  if (segmentBytes !== undefined && segmentBytes < SEGMENT_BYTES_MIN) {
    throw new RangeError(`segmentBytes must be at least ${SEGMENT_BYTES_MIN}`);
  }
  const lock = options.lock ?? lockDirectory(dataDir);
  const release = (): void => {
    if (options.lock === undefined) lock.release();
  };
  const journalDirectory = journalDirectoryOf(dataDir);
  const client = new EngineClient({ journalDirectory, segmentBytes }, onEvents, log, backlogMax);
  try {
    await client.recovered;
  } catch (error) {
    await client.close();
    release();
    throw error instanceof JournalDamagedError ? error : new ExchangeStoppedError(messageOf(error));
  }
  return {
    submit: (command, idempotencyKey = "") => client.submit(command, idempotencyKey),
    subscribe: (listener) => client.subscribe(listener),
    health: () => client.health(),
    stateHash: () => client.stateHash(),
    async close() {
      await client.close();
      release();
    },
  };
}

function messageOf(error: unknown): string {
  return error instanceof Error ? error.message : String(error);
}
