import type { DatabaseLocation } from "../database/open-database.ts";
import { isStream, type JournalPlace } from "#journal/open-journal.ts";

/**
 * An exchange that waits for another one to end, on a database and a journal that both of them reach.
 * Whether these belong together is only certain when nothing else writes to them any more.
 */
export class Standby {
  #isWaiting = false;
  readonly #checkParts: () => Promise<void>;

  constructor(checkParts: () => Promise<void>) {
    this.#checkParts = checkParts;
  }

  get isWaiting(): boolean {
    return this.#isWaiting;
  }

  begin(): void {
    this.#isWaiting = true;
  }

  /** The database is this exchange's; nothing in it has been changed. */
  async end(): Promise<void> {
    this.#isWaiting = false;
    await this.#checkParts();
  }
}

/** Files are in one data directory, whose lock a second exchange never gets. */
export function canStandBy({ databaseUrl }: DatabaseLocation, journal: JournalPlace): boolean {
  return databaseUrl !== undefined && isStream(journal);
}
