/**
 * The version of what queries read: the time and the sequence of the newest event, both from the
 * journal. So it is the same after a restart and on any machine that reads this journal, and no
 * wall clock moves it back. The time comes first: after an older backup is restored, new events
 * soon have later versions than all that clients have seen.
 */
import type { Views } from "../views/views.ts";

/** Sequences of one millisecond differ in these bits; 44 bits are left for the time. */
const SEQUENCE_BITS = 20n;
const SEQUENCE_MASK = (1n << SEQUENCE_BITS) - 1n;

export function stateVersion({ sequence, timestampMs }: Pick<Views, "sequence" | "timestampMs">) {
  return (BigInt(timestampMs) << SEQUENCE_BITS) | (BigInt(sequence) & SEQUENCE_MASK);
}
