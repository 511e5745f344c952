/**
 * Limits warnings that one cause may repeat thousands of times. The first in a minute is logged;
 * later ones are counted, and the next one after that minute includes the count.
 */
const COUNT_PERIOD_MS = 60_000;

interface WarningLog {
  warn(fields: object, message: string): void;
}

export class RepeatedLog {
  readonly #log: WarningLog;
  readonly #clock: () => number;
  readonly #counted = new Map<string, { readonly untilMs: number; repeats: number }>();

  /** @param clock milliseconds since 1970 */
  constructor(log: WarningLog, clock: () => number) {
    this.#log = log;
    this.#clock = clock;
  }

  /**
   * Logs a warning or counts it.
   * @param message a constant of the program, by which warnings are counted
   * @param log the logger for the line, if it adds fields of its own
   */
  warn(fields: object, message: string, log: WarningLog = this.#log): void {
    const nowMs = this.#clock();
    const known = this.#counted.get(message);
    if (known !== undefined && nowMs < known.untilMs) {
      known.repeats += 1;
      return;
    }
    const repeats = known?.repeats ?? 0;
    this.#counted.set(message, { untilMs: nowMs + COUNT_PERIOD_MS, repeats: 0 });
    log.warn(repeats === 0 ? fields : { ...fields, repeats }, message);
  }
}
