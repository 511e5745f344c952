/**
 * Warnings that one cause brings thousands of. The first of a minute is logged as it is; those that follow
 * are counted, and the next one after that minute says how many they were.
 */
const COUNTED_FOR_MS = 60_000;

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
   * @param message a constant of the program: what is counted
   * @param log where the line goes, if it has fields of its own
   */
  warn(fields: object, message: string, log: WarningLog = this.#log): void {
    const nowMs = this.#clock();
    const known = this.#counted.get(message);
    if (known !== undefined && nowMs < known.untilMs) {
      known.repeats += 1;
      return;
    }
    const repeats = known?.repeats ?? 0;
    this.#counted.set(message, { untilMs: nowMs + COUNTED_FOR_MS, repeats: 0 });
    log.warn(repeats === 0 ? fields : { ...fields, repeats }, message);
  }
}
