/**
 * Signed requests that change something, remembered while the same request would be accepted again:
 * one that is sent twice, by a network or by someone who saw it, acts once.
 */
import { hash } from "node:crypto";
import { KEY_FAULTS } from "#contract/key-faults.ts";

/**
 * Longer than any request is valid after its arrival (signed-request.ts), also if the clock by which its
 * key is judged is set back meanwhile.
 */
const KEPT_MS = 62_000 + KEY_FAULTS.clockSkewMs.max - KEY_FAULTS.clockSkewMs.min;
/** Of one key: more than its owner may place within that time. */
const PER_KEY_MAX = 100_000;

export class UsedRequests {
  readonly #nowMs: () => number;
  #sinceMs: number;
  /** By key; those of the time before, and of this one. */
  #earlier = new Map<string, Set<string>>();
  #current = new Map<string, Set<string>>();

  /** @param nowMs milliseconds, never backwards */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
    this.#sinceMs = nowMs();
  }

  /**
   * False if the key has sent this before, or too much to remember more.
   * @param payload what was signed
   */
  use(keyId: string, payload: string): boolean {
    const request = hash("sha256", payload, "base64");
    const nowMs = this.#nowMs();
    if (nowMs - this.#sinceMs >= KEPT_MS) {
      this.#earlier = nowMs - this.#sinceMs >= 2 * KEPT_MS ? new Map() : this.#current;
      this.#current = new Map();
      this.#sinceMs = nowMs;
    }
    let used = this.#current.get(keyId);
    if (used === undefined) {
      used = new Set();
      this.#current.set(keyId, used);
    }
    if (used.has(request) || this.#earlier.get(keyId)?.has(request) === true) return false;
    if (used.size >= PER_KEY_MAX) return false;
    used.add(request);
    return true;
  }
}
