/**
 * Log lines that one cause brings thousands of. The first of a minute are logged as they are; those that
 * follow are counted, and the next one after that minute says how many they were.
 */
const COUNTED_FOR_MS = 60_000;

interface LineLog {
  info(fields: object, message: string): void;
  warn(fields: object, message: string): void;
}

interface Counted {
  readonly untilMs: number;
  lines: number;
  repeats: number;
}

export class RepeatedLog {
  readonly #log: LineLog;
  readonly #clock: () => number;
  readonly #linesPerMinute: number;
  readonly #counted = new Map<string, Counted>();

  /** @param clock milliseconds since 1970 */
  constructor(log: LineLog, clock: () => number, linesPerMinute = 1) {
    this.#log = log;
    this.#clock = clock;
    this.#linesPerMinute = linesPerMinute;
  }

  /**
   * @param message a constant of the program: what is counted
   * @param log where the line goes, if it has fields of its own
   */
  warn(fields: object, message: string, log: LineLog = this.#log): void {
    this.#write("warn", fields, message, log);
  }

  /** As `warn`, for what is no fault of the exchange. */
  info(fields: object, message: string, log: LineLog = this.#log): void {
    this.#write("info", fields, message, log);
  }

  #write(level: keyof LineLog, fields: object, message: string, log: LineLog): void {
    const nowMs = this.#clock();
    const known = this.#counted.get(message);
    if (known === undefined || nowMs >= known.untilMs) {
      const repeats = known?.repeats ?? 0;
      this.#counted.set(message, { untilMs: nowMs + COUNTED_FOR_MS, lines: 1, repeats: 0 });
      log[level](repeats === 0 ? fields : { ...fields, repeats }, message);
    } else if (known.lines < this.#linesPerMinute) {
      known.lines += 1;
      log[level](fields, message);
    } else {
      known.repeats += 1;
    }
  }
}
