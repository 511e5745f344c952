/**
 * Remembers signed requests that change something for as long as they would be accepted again: a
 * request that is sent twice, by the network or by an eavesdropper, is executed once.
 */
import { hash } from "node:crypto";
import { KEY_FAULTS } from "#contract/key-faults.ts";

/**
 * Longer than any request is valid after its arrival (signed-request.ts), even if the clock that
 * its key is checked against is set back in the meantime.
 */
const KEPT_MS = 62_000 + KEY_FAULTS.clockSkewMs.max - KEY_FAULTS.clockSkewMs.min;
/** Requests remembered per key: more than its owner may send within that time. */
const PER_KEY_MAX = 100_000;
/** Requests remembered for all keys together, in each of the two periods; 150 MB at most. */
const IN_ALL_MAX = 1_000_000;
/** Beyond that limit, only keys with more requests than this are refused. */
const PER_KEY_KEPT = 2_000;

export class UsedRequests {
  readonly #nowMs: () => number;
  #sinceMs: number;
  /** Payload hashes by key, of the previous and of the current period. */
  #earlier = new Map<string, Set<string>>();
  #current = new Map<string, Set<string>>();
  /** Requests in the current period. */
  #count = 0;
  readonly #inAllMax: number;

  /** @param nowMs milliseconds, must not decrease */
  constructor(nowMs: () => number, inAllMax = IN_ALL_MAX) {
    this.#nowMs = nowMs;
    this.#inAllMax = inAllMax;
    this.#sinceMs = nowMs();
  }

  /**
   * Returns false if the key has sent this payload before, or too many to remember another.
   * @param payload the signed text
   */
  use(keyId: string, payload: string): boolean {
    const request = hash("sha256", payload, "base64");
    const nowMs = this.#nowMs();
    if (nowMs - this.#sinceMs >= KEPT_MS) {
      this.#earlier = nowMs - this.#sinceMs >= 2 * KEPT_MS ? new Map() : this.#current;
      this.#current = new Map();
      this.#count = 0;
      this.#sinceMs = nowMs;
    }
    let used = this.#current.get(keyId);
    if (used === undefined) {
      used = new Set();
      this.#current.set(keyId, used);
    }
    if (used.has(request) || this.#earlier.get(keyId)?.has(request) === true) return false;
    const isFull = this.#count >= this.#inAllMax;
    if (used.size >= (isFull ? PER_KEY_KEPT : PER_KEY_MAX)) return false;
    used.add(request);
    this.#count += 1;
    return true;
  }
}
