/**
 * Opens the exchange of a data directory: takes its lock, starts the engine's worker, replays the
 * journal and from then on sequences commands in batches.
 */
import type { EventListener, Exchange } from "./exchange.ts";

/** What the exchange tells the operator; a pino logger is one. */
export interface ExchangeLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
  error(fields: object, message: string): void;
}

export interface ExchangeOptions {
  readonly dataDir: string;
  /**
   * Receives every event from sequence 1 on, in order: the recovered ones before `openExchange`
   * resolves, live ones before the `submit` that caused them does.
   */
  readonly onEvents: EventListener;
  readonly log: ExchangeLog;
  /** Commands that may wait before `submit` answers `ExchangeBusyError`. */
  readonly backlogMax?: number;
  /** Bytes of one journal segment. */
  readonly segmentBytes?: number;
}

/**
 * @throws DirectoryLockedError where another process holds the data directory, JournalDamagedError
 * where the journal cannot be trusted, ExchangeStoppedError where its replay failed.
 */
export function openExchange(_options: ExchangeOptions): Promise<Exchange> {
  return Promise.reject(new Error("not built yet"));
}
