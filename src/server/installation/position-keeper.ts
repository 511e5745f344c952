/**
 * Keeps in the data directory how far the journal and the database have come, so that an older copy
 * of either is known at the next start, also after a crash.
 */
import type { Log } from "../log.ts";
import { noteInDirectory } from "./bind-parts.ts";

const NOTED_EVERY_MS = 60_000;

export interface PositionKeeperOptions {
  readonly dataDir: string;
  readonly journal: number;
  readonly database: string;
  /** What is durable of each at the moment. */
  readonly positions: () => { readonly sequence: number; readonly databaseSequence: number };
  readonly log: Log;
}

/** @returns what ends it, with the positions noted a last time */
export function keepPositions(options: PositionKeeperOptions): () => void {
  const { dataDir, journal, database, positions, log } = options;
  const note = () => noteInDirectory(dataDir, { journal, database, ...positions() });
  note();
  const timer = setInterval(() => {
    try {
      note();
    } catch (error) {
      // A full disk, say: the exchange does not depend on it.
      log.warn({ err: error }, "the positions were not noted in the data directory");
    }
  }, NOTED_EVERY_MS).unref();
  return () => {
    clearInterval(timer);
    note();
  };
}
