/**
 * Random bytes for what every request has. The system is asked for many of them at a time, because
 * asking takes longer than all that is done with a few.
 */
import { randomFillSync } from "node:crypto";

const POOL_BYTES = 8_192;

const pool = Buffer.alloc(POOL_BYTES);
let taken = POOL_BYTES;

/** Bytes that no other caller gets. Use them up at once: the next call may overwrite them. */
export function takeRandomBytes(count: number): Buffer {
  if (count > POOL_BYTES) throw new RangeError(`at most ${POOL_BYTES} bytes at a time`);
  if (taken + count > POOL_BYTES) {
    randomFillSync(pool);
    taken = 0;
  }
  taken += count;
  return pool.subarray(taken - count, taken);
}
