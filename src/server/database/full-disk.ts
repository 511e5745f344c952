/** Whether the database refuses statements because its disk is full, which callers may hide. */
import type { LogEvent } from "kysely";
import type { StatementListener } from "./statement-listener.ts";

const CODES: ReadonlySet<unknown> = new Set([
  "SQLITE_FULL",
  // PostgreSQL's disk_full
  "53100",
]);

export class FullDisk {
  readonly #onStatement: StatementListener | undefined;
  #refusals = 0;

  /** @param onStatement is passed every event too */
  constructor(onStatement: StatementListener | undefined) {
    this.#onStatement = onStatement;
  }

  /** How many statements were refused since the database was opened. */
  get refusals(): number {
    return this.#refusals;
  }

  /** A log for Kysely. */
  readonly log = (event: LogEvent): void => {
    this.#onStatement?.(event);
    if (event.level !== "error" || !(event.error instanceof Error)) return;
    if ("code" in event.error && CODES.has(event.error.code)) this.#refusals += 1;
  };
}
