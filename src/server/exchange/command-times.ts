/** The start and end times of commands' stages, for traces. Noted only on request (timing-applier.ts). */

/** A steady clock in milliseconds, the same in all threads of the process. */
export function steadyMs(): number {
  const [seconds, nanoseconds] = process.hrtime();
  return seconds * 1_000 + nanoseconds / 1_000_000;
}

/** Times of one command by `steadyMs`. */
export interface CommandTimes {
  readonly engineBeganMs: number;
  readonly engineEndedMs: number;
  /** When the journal began to write the group of the command. */
  readonly writeBeganMs: number;
  /** When that group was durable. */
  readonly durableMs: number;
}

/** Times of the commands of a slice, which belong to one group of the journal. */
export interface SliceTimes {
  /** For each command, when the engine began with it and ended. */
  readonly engineMs: Float64Array;
  readonly writeBeganMs: number;
  readonly durableMs: number;
}

/** The times of a slice's command, counted from 0. */
export function timesOf(
  { engineMs, writeBeganMs, durableMs }: SliceTimes,
  index: number,
): CommandTimes {
  return {
    engineBeganMs: engineMs[2 * index],
    engineEndedMs: engineMs[2 * index + 1],
    writeBeganMs,
    durableMs,
  };
}
