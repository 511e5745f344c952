/**
 * Records the positions of the journal and the database in the data directory, so that the next
 * start recognises an older copy of either, even after a crash.
 */
import type { Log } from "../log.ts";
import { noteInDirectory } from "./bind-parts.ts";

const RECORD_INTERVAL_MS = 60_000;

export interface PositionKeeperOptions {
  readonly dataDir: string;
  readonly journal: number;
  readonly database: string;
  /** The current durable positions. */
  readonly positions: () => { readonly sequence: number; readonly databaseSequence: number };
  readonly log: Log;
}

/**
 * Records the positions regularly.
 * @returns a function that stops this, after recording the positions a last time
 */
export function keepPositions(options: PositionKeeperOptions): () => void {
  const { dataDir, journal, database, positions, log } = options;
  const recordPositions = () => noteInDirectory(dataDir, { journal, database, ...positions() });
  recordPositions();
  const timer = setInterval(() => {
    try {
      recordPositions();
    } catch (error) {
      // The disk may be full; the exchange does not depend on the record.
      log.warn({ err: error }, "the positions were not noted in the data directory");
    }
  }, RECORD_INTERVAL_MS).unref();
  return () => {
    clearInterval(timer);
    recordPositions();
  };
}
