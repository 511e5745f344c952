/** The structured log: one JSON line per event on standard output. */
import { pino } from "pino";
import type { DestinationStream, Logger, LogFn } from "pino";

export type Log = Logger;

export interface LogOptions {
  readonly level: "debug" | "info" | "warn" | "error" | "silent";
  /** Called for every line: adds fields that depend on the context. */
  readonly fields?: (() => object) | undefined;
}

/**
 * Lines per minute and message; 300 lines of about 500 bytes are at most 220 MB a day. Unauthenticated
 * clients can cause any number of refusals and failures, and must not be able to fill the disk.
 */
const LINES_PER_MINUTE = 300;
const MINUTE_MS = 60_000;
const DEBUG_LEVEL = 20;

/**
 * Logs the first lines of each message within a minute and counts the others; the message's first
 * line in a later minute contains that count.
 */
function boundedLines() {
  const counted = new Map<string, { untilMs: number; lines: number; repeats: number }>();
  return function logMethod(
    this: Logger,
    given: Parameters<LogFn>,
    write: LogFn,
    level: number,
  ): void {
    const [fields, message] = given as [unknown, unknown];
    if (level <= DEBUG_LEVEL || typeof message !== "string") {
      write.apply(this, given);
      return;
    }
    const nowMs = performance.now();
    const known = counted.get(message);
    if (known === undefined || nowMs >= known.untilMs) {
      counted.set(message, { untilMs: nowMs + MINUTE_MS, lines: 1, repeats: 0 });
      const repeats = known?.repeats ?? 0;
      write.call(this, repeats === 0 ? fields : { ...(fields as object), repeats }, message);
    } else if (known.lines < LINES_PER_MINUTE) {
      known.lines += 1;
      write.apply(this, given);
    } else {
      known.repeats += 1;
    }
  };
}

/** @param destination where lines are written; default standard output */
export function createLog(options: LogOptions, destination?: DestinationStream): Log {
  const settings = {
    level: options.level,
    ...(options.fields === undefined ? {} : { mixin: options.fields }),
    hooks: { logMethod: boundedLines() },
    // A reader of the log must not be able to act as a user whose request it contains.
    redact: {
      paths: [
        "authorization",
        "cookie",
        "token",
        "password",
        "*.authorization",
        "*.cookie",
        "*.token",
        "*.password",
      ],
      censor: "[redacted]",
    },
  };
  return destination === undefined ? pino(settings) : pino(settings, destination);
}

/** Creates a log that writes nothing, for tests and for parts that run without an operator. */
export function createSilentLog(): Log {
  return pino({ level: "silent" });
}

/** The message of an error, for a log line or a sentence. */
export function messageOf(error: unknown): string {
  if (error instanceof AggregateError) return error.errors.map(messageOf).join("; ");
  return error instanceof Error ? error.message : String(error);
}
