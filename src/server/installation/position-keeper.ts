/**
 * Records in the data directory how far the journal and the database have progressed, so that the
 * next start recognizes an older copy of either, also after a crash.
 */
import type { Log } from "../log.ts";
import { noteInDirectory } from "./bind-parts.ts";

const NOTED_EVERY_MS = 60_000;

export interface PositionKeeperOptions {
  readonly dataDir: string;
  readonly journal: number;
  readonly database: string;
  /** The durable position of each at the moment. */
  readonly positions: () => { readonly sequence: number; readonly databaseSequence: number };
  readonly log: Log;
}

/** @returns stops it, after recording the positions a last time */
export function keepPositions(options: PositionKeeperOptions): () => void {
  const { dataDir, journal, database, positions, log } = options;
  const note = () => noteInDirectory(dataDir, { journal, database, ...positions() });
  note();
  const timer = setInterval(() => {
    try {
      note();
    } catch (error) {
      // Such as a full disk: the exchange does not depend on it.
      log.warn({ err: error }, "the positions were not noted in the data directory");
    }
  }, NOTED_EVERY_MS).unref();
  return () => {
    clearInterval(timer);
    note();
  };
}
