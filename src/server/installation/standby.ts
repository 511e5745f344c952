import type { DatabaseLocation } from "../database/open-database.ts";
import { isStream, type JournalPlace } from "#journal/open-journal.ts";

/**
 * Lets an exchange wait for another one to end, on a database and a journal that both can reach.
 * Whether the two belong together is only certain once nothing else writes to them.
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

  /** Ends the wait: the database is now this exchange's, and nothing in it has been changed. */
  async end(): Promise<void> {
    this.#isWaiting = false;
    await this.#checkParts();
  }
}

/** False for files, which are in one data directory, whose lock a second exchange never gets. */
export function canStandBy({ databaseUrl }: DatabaseLocation, journal: JournalPlace): boolean {
  return databaseUrl !== undefined && isStream(journal);
}
