/**
 * Addresses from which users have recently proved who they are. Requests from them are not counted
 * among those of visitors (visitor-pool.ts): a program's request is charged to its address until its
 * signature has been verified.
 */
import { type ClientKey, clientKeyOf } from "./client-key.ts";

const VOUCHED_MS = 10 * 60_000;
/** A user with more addresses is believed for the last ones only. */
const PER_USER_MAX = 4;
const SWEEP_AT = 1_000;

export class VouchedAddresses {
  /** The networks from which each user proved their identity, with the times, oldest first. */
  readonly #byUser = new Map<string, Map<ClientKey, number>>();
  /** Until when each network is vouched for, by the user who did so last. */
  readonly #untilMs = new Map<ClientKey, number>();
  #sweepAt = SWEEP_AT;

  has(client: ClientKey, nowMs: number): boolean {
    return (this.#untilMs.get(client) ?? -Infinity) > nowMs;
  }

  /** Must be called when the user has just proved their identity from the address. */
  add(userId: string, address: string, nowMs: number): void {
    const client = clientKeyOf(undefined, address);
    let own = this.#byUser.get(userId);
    if (own === undefined) {
      if (this.#byUser.size >= this.#sweepAt) this.#sweep(nowMs);
      own = new Map();
      this.#byUser.set(userId, own);
    }
    own.delete(client);
    own.set(client, nowMs);
    this.#untilMs.set(client, nowMs + VOUCHED_MS);
    if (own.size <= PER_USER_MAX) return;
    const [oldest] = own.keys();
    own.delete(oldest);
    this.#untilMs.delete(oldest);
  }

  #sweep(nowMs: number): void {
    for (const [client, untilMs] of this.#untilMs) {
      if (untilMs <= nowMs) this.#untilMs.delete(client);
    }
    for (const [userId, own] of this.#byUser) {
      for (const [client, atMs] of own) if (atMs + VOUCHED_MS <= nowMs) own.delete(client);
      if (own.size === 0) this.#byUser.delete(userId);
    }
    this.#sweepAt = Math.max(SWEEP_AT, 2 * this.#byUser.size);
  }
}
