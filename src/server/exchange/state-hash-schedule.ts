/**
 * Decides when a leader hashes its state, so that the other nodes can compare theirs at the same
 * sequence: soon after it has begun to lead, then at intervals. The hash takes time in proportion to the
 * state, on the thread that trades, so a large state is hashed less often.
 */
import type { Engine } from "#engine/engine.ts";

/** Clients have waited while the leader took over, and should not wait for a hash as well. */
const FIRST_AFTER_MS = 1_000;
const EVERY_MS_MIN = 60_000;
/** The largest share of time spent on hashes. */
const BUSY_SHARE_MAX = 0.001;

export class StateHashSchedule {
  readonly #now: () => number;
  #dueMs: number;

  /** @param now a steady clock, in milliseconds */
  constructor(now: () => number) {
    this.#now = now;
    this.#dueMs = now() + FIRST_AFTER_MS;
  }

  /** The hash of the engine's state, if one is due. */
  take(engine: Pick<Engine, "stateHash">): string | undefined {
    const beganMs = this.#now();
    if (beganMs < this.#dueMs) return undefined;
    const hash = engine.stateHash();
    const endedMs = this.#now();
    this.#dueMs = endedMs + Math.max(EVERY_MS_MIN, (endedMs - beganMs) / BUSY_SHARE_MAX);
    return hash;
  }
}
