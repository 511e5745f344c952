/**
 * The exchange as one deterministic state machine. SKELETON: final signatures, behaviour follows.
 */
import { assert } from "./assert.ts";
import type { Command } from "./commands.ts";
import type { EventBuffer } from "./event-buffer.ts";

export interface Engine {
  /** The sequence of the command applied last; 0 in the beginning. */
  readonly sequence: number;
  /** The timestamp of the command applied last; 0 in the beginning. */
  readonly timestampMs: number;
  /**
   * Applies the next command and appends its events, at least one, to `events`. `sequence` follows
   * the last one without a gap and time never runs backwards; both are asserted. A throw means a
   * broken invariant: the engine halts and refuses to go on.
   */
  apply(
    sequence: number,
    timestampMs: number,
    idempotencyKey: string,
    command: Command,
    events: EventBuffer,
  ): void;
  /**
   * An order-sensitive hash over the whole business state, independent of memory layout. Sequence
   * and time are not part of it: a refused command leaves it as it was.
   */
  stateHash(): string;
}

export function createEngine(): Engine {
  let last = 0;
  let lastMs = 0;
  return {
    get sequence() {
      return last;
    },
    get timestampMs() {
      return lastMs;
    },
    apply(sequence, timestampMs, _idempotencyKey, _command, events) {
      assert(sequence === last + 1, "sequences are gap-free");
      last = sequence;
      lastMs = timestampMs;
      events.begin(sequence, timestampMs);
      events.commandRejected("invalidCommand");
    },
    stateHash() {
      return "0000000000000000";
    },
  };
}
