/**
 * Warnings that one cause brings thousands of, each with a stack. The first is logged as it is; those
 * that follow within a minute are counted, and the next one after that says how many they were.
 */
import type { ReactiveLog } from "./reactive-log.ts";

const COUNTED_FOR_MS = 60_000;

export class RepeatedLog {
  readonly #log: ReactiveLog;
  readonly #clock: () => number;
  readonly #counted = new Map<string, { untilMs: number; repeats: number }>();

  /** @param clock milliseconds since 1970 */
  constructor(log: ReactiveLog, clock: () => number) {
    this.#log = log;
    this.#clock = clock;
  }

  /** @param message a constant of the program: what is counted */
  warn(fields: object, message: string): void {
    const nowMs = this.#clock();
    const known = this.#counted.get(message);
    if (known !== undefined && nowMs < known.untilMs) {
      known.repeats += 1;
      return;
    }
    const repeats = known?.repeats ?? 0;
    this.#counted.set(message, { untilMs: nowMs + COUNTED_FOR_MS, repeats: 0 });
    this.#log.warn(repeats === 0 ? fields : { ...fields, repeats }, message);
  }
}
