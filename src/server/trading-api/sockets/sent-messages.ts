/**
 * How many messages clients get: each costs the server a write. No message
 * may be left out, so a client that listens to more than its allowance is disconnected. One command may
 * bring thousands, which no client chose: those beyond a part of the allowance are not counted.
 */
import type { ClientKey } from "../../limits/client-key.ts";
import { type RateLimit, TokenBucket } from "../../limits/token-bucket.ts";

/** Messages come in bursts. */
const BURST_MS = 2_000;
/** What the messages about one command to one listener take at most of a full allowance. */
const COMMAND_PART = 0.25;

interface Sent {
  readonly bucket: TokenBucket;
  connections: number;
  /** Whether it got more than it may, and its allowance is not half refilled yet. */
  isOver: boolean;
  /** When its last connection was closed. */
  leftMs: number;
}

export class SentMessages {
  readonly #limit: RateLimit;
  readonly #nowMs: () => number;
  /** Of clients with open connections. */
  readonly #clients = new Map<ClientKey, Sent>();
  /** Of those that have left, until their allowances are full again; first to leave first. */
  readonly #left = new Map<ClientKey, Sent>();

  /** @param nowMs of a monotonic clock */
  constructor(perSecond: number, nowMs: () => number) {
    this.#limit = { capacity: (perSecond * BURST_MS) / 1_000, windowMs: BURST_MS };
    this.#nowMs = nowMs;
  }

  /** False for a while after the client got more than it may. */
  mayOpen(client: ClientKey): boolean {
    const sent = this.#clients.get(client) ?? this.#left.get(client);
    if (sent?.isOver !== true) return true;
    sent.isOver = sent.bucket.used(this.#limit, this.#nowMs()) > this.#limit.capacity / 2;
    return !sent.isOver;
  }

  opened(client: ClientKey): void {
    this.#forgetFull();
    const sent = this.#clients.get(client) ??
      this.#left.get(client) ?? {
        bucket: new TokenBucket(),
        connections: 0,
        isOver: false,
        leftMs: 0,
      };
    sent.connections += 1;
    this.#left.delete(client);
    this.#clients.set(client, sent);
  }

  closed(client: ClientKey): void {
    const sent = this.#clients.get(client);
    if (sent === undefined || --sent.connections > 0) return;
    this.#clients.delete(client);
    sent.leftMs = this.#nowMs();
    this.#left.set(client, sent);
    this.#forgetFull();
  }

  /**
   * False if the client gets no more for now.
   * @param earlier how many messages about the same command its listener got before
   */
  take(client: ClientKey, earlier = 0): boolean {
    const sent = this.#clients.get(client);
    if (sent === undefined) return false;
    if (earlier >= this.#limit.capacity * COMMAND_PART) return true;
    const nowMs = this.#nowMs();
    if (sent.bucket.waitMs(this.#limit, 1, nowMs) > 0) {
      sent.isOver = true;
      return false;
    }
    sent.bucket.take(this.#limit, 1, nowMs);
    return true;
  }

  #forgetFull(): void {
    const nowMs = this.#nowMs();
    for (const [client, { leftMs }] of this.#left) {
      if (nowMs - leftMs < BURST_MS) break;
      this.#left.delete(client);
    }
  }
}
