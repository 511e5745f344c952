/**
 * The progress of the journal's replay at a start: for the log, and for health requests during the
 * replay.
 */
import type { ReplayPosition } from "./run-follower.ts";
import type { ExchangeLog } from "./exchange.ts";

const LOGGED_EVERY_MS = 5000;

export interface ReplayProgress extends ReplayPosition {
  /** The share of the replay that is done, in whole percent; 100 if there was nothing to replay. */
  readonly percent: number;
  /** Estimated time left; undefined until enough has been replayed for an estimate. */
  readonly secondsLeft?: number;
}

export class ReplayReport {
  readonly #log: Pick<ExchangeLog, "info">;
  readonly #now: () => number;
  #startedAt = { sequence: 0, timeMs: 0 };
  #latest: ReplayPosition | undefined;
  #loggedMs = 0;

  /** @param now milliseconds of a monotonic clock */
  constructor(log: Pick<ExchangeLog, "info">, now: () => number = () => performance.now()) {
    this.#log = log;
    this.#now = now;
  }

  take(position: ReplayPosition): void {
    const timeMs = this.#now();
    if (this.#latest === undefined) {
      this.#startedAt = { sequence: position.sequence, timeMs };
      this.#loggedMs = timeMs;
    }
    this.#latest = position;
    if (timeMs - this.#loggedMs < LOGGED_EVERY_MS) return;
    this.#loggedMs = timeMs;
    const commandsPerSecond = Math.round(this.#commandsPerMs() * 1000);
    this.#log.info({ ...this.progress(), commandsPerSecond }, "replaying the journal");
  }

  /** The progress so far; undefined before the journal is read. */
  progress(): ReplayProgress | undefined {
    const latest = this.#latest;
    if (latest === undefined) return undefined;
    const { sequence, target } = latest;
    const all = target - this.#startedAt.sequence;
    const done = sequence - this.#startedAt.sequence;
    const percent = all === 0 ? 100 : Math.floor((100 * done) / all);
    const commandsPerMs = this.#commandsPerMs();
    if (commandsPerMs === 0) return { sequence, target, percent };
    return {
      sequence,
      target,
      percent,
      secondsLeft: Math.ceil((target - sequence) / commandsPerMs / 1000),
    };
  }

  #commandsPerMs(): number {
    const elapsedMs = this.#now() - this.#startedAt.timeMs;
    const done = (this.#latest?.sequence ?? 0) - this.#startedAt.sequence;
    return elapsedMs > 0 ? done / elapsedMs : 0;
  }
}
