/**
 * A pool of random bytes for values that every request needs. It is filled by one system call for
 * many requests, because the call costs more than using a few bytes.
 */
import { randomFillSync } from "node:crypto";

const POOL_BYTES = 8_192;

const pool = Buffer.alloc(POOL_BYTES);
let taken = POOL_BYTES;

/** Random bytes that no other caller gets. Use them immediately: the next call may overwrite them. */
export function takeRandomBytes(count: number): Buffer {
  if (count > POOL_BYTES) throw new RangeError(`at most ${POOL_BYTES} bytes at a time`);
  if (taken + count > POOL_BYTES) {
    randomFillSync(pool);
    taken = 0;
  }
  taken += count;
  return pool.subarray(taken - count, taken);
}
