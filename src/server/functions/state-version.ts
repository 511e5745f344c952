/**
 * The version of the state that queries read: the time and the sequence of the newest event, both
 * from the journal. It is therefore the same after a restart and on any machine that reads this
 * journal, and no wall clock moves it back. The time comes first: after an older backup is
 * restored, new events soon have higher versions than any that clients have seen.
 */
import type { Views } from "../views/views.ts";

/**
 * These low bits hold the sequence, which distinguishes events of one millisecond; 44 bits remain
 * for the time.
 */
const SEQUENCE_BITS = 20n;
const SEQUENCE_MASK = (1n << SEQUENCE_BITS) - 1n;

export function stateVersion({ sequence, timestampMs }: Pick<Views, "sequence" | "timestampMs">) {
  return (BigInt(timestampMs) << SEQUENCE_BITS) | (BigInt(sequence) & SEQUENCE_MASK);
}
