/**
 * Limits the messages that each client receives, because each costs the server a write. No message
 * may be dropped, so a client whose subscriptions exceed its allowance is disconnected. One command
 * may cause thousands of messages, which no client chose: beyond a fraction of the allowance they
 * are not counted.
 *
 * Visitors have an allowance together as well, or many addresses, each within its own, would leave
 * no time for anything else. Once it is used up, those who receive more than an equal part of it
 * are disconnected.
 */
import type { ClientKey } from "../../limits/client-key.ts";
import { type RateLimit, TokenBucket } from "../../limits/token-bucket.ts";

/** The allowance is for bursts of this length. */
const BURST_MS = 2_000;
/** The messages about one command to one listener use at most this fraction of a full allowance. */
const COMMAND_SHARE = 0.25;
/** The allowance of visitors together, in allowances of one address: a third of a core by default. */
const ADDRESSES_IN_ALL = 15;

interface Sent {
  readonly bucket: TokenBucket;
  connections: number;
  /** Whether the client exceeded its allowance, which is not half refilled yet. */
  isOver: boolean;
  /** When the client's last connection was closed. */
  departedAtMs: number;
}

export class SentMessages {
  readonly #limit: RateLimit;
  readonly #limitInAll: RateLimit;
  readonly #inAll = new TokenBucket();
  readonly #nowMs: () => number;
  /** Clients with open connections. */
  readonly #clients = new Map<ClientKey, Sent>();
  /** Clients without connections, until their allowances are full again; in order of departure. */
  readonly #departed = new Map<ClientKey, Sent>();

  /** @param nowMs a monotonic clock */
  constructor(perSecond: number, nowMs: () => number) {
    this.#limit = { capacity: (perSecond * BURST_MS) / 1_000, windowMs: BURST_MS };
    this.#limitInAll = { ...this.#limit, capacity: this.#limit.capacity * ADDRESSES_IN_ALL };
    this.#nowMs = nowMs;
  }

  /** False for a while after the client exceeded its allowance. */
  mayOpen(client: ClientKey): boolean {
    const sent = this.#clients.get(client) ?? this.#departed.get(client);
    if (sent?.isOver !== true) return true;
    sent.isOver = sent.bucket.used(this.#limit, this.#nowMs()) > this.#limit.capacity / 2;
    return !sent.isOver;
  }

  opened(client: ClientKey): void {
    this.#forgetFull();
    const sent = this.#clients.get(client) ??
      this.#departed.get(client) ?? {
        bucket: new TokenBucket(),
        connections: 0,
        isOver: false,
        departedAtMs: 0,
      };
    sent.connections += 1;
    this.#departed.delete(client);
    this.#clients.set(client, sent);
  }

  closed(client: ClientKey): void {
    const sent = this.#clients.get(client);
    if (sent === undefined || --sent.connections > 0) return;
    this.#clients.delete(client);
    sent.departedAtMs = this.#nowMs();
    this.#departed.set(client, sent);
    this.#forgetFull();
  }

  /**
   * False if the client has exceeded its allowance.
   * @param earlier how many messages about the same command its listener received before
   * @param isVisitor whether the message also counts for all visitors together
   */
  take(client: ClientKey, earlier = 0, isVisitor = true): boolean {
    const sent = this.#clients.get(client);
    if (sent === undefined) return false;
    if (earlier >= this.#limit.capacity * COMMAND_SHARE) return true;
    const nowMs = this.#nowMs();
    if (sent.bucket.waitMs(this.#limit, 1, nowMs) > 0) {
      sent.isOver = true;
      return false;
    }
    if (isVisitor && !this.#takeOfAll(sent, nowMs)) {
      sent.isOver = true;
      return false;
    }
    sent.bucket.take(this.#limit, 1, nowMs);
    return true;
  }

  #takeOfAll({ bucket }: Sent, nowMs: number): boolean {
    if (this.#inAll.waitMs(this.#limitInAll, 1, nowMs) === 0) {
      this.#inAll.take(this.#limitInAll, 1, nowMs);
      return true;
    }
    return bucket.used(this.#limit, nowMs) < this.#limitInAll.capacity / this.#clients.size;
  }

  #forgetFull(): void {
    const nowMs = this.#nowMs();
    for (const [client, { departedAtMs: leftMs }] of this.#departed) {
      if (nowMs - leftMs < BURST_MS) break;
      this.#departed.delete(client);
    }
  }
}
