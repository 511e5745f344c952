/** The structured log: one JSON line per event on standard output. */
import { pino } from "pino";
import type { DestinationStream, Logger } from "pino";

export type Log = Logger;

export interface LogOptions {
  readonly level: "debug" | "info" | "warn" | "error" | "silent";
  readonly name?: string;
}

/**
 * @param destination where the lines go; standard output unless told
 */
export function createLog(options: LogOptions, destination?: DestinationStream): Log {
  const settings = {
    level: options.level,
    name: options.name,
    // Nobody who reads a log may act as the person whose request it shows.
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

/** For tests and for parts that run without an operator. */
export function createSilentLog(): Log {
  return pino({ level: "silent" });
}
