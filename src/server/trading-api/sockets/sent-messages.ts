/**
 * How many messages clients get: each costs the server a write. No message
 * may be left out, so a client that listens to more than its allowance is disconnected.
 */
import type { ClientKey } from "../../limits/client-key.ts";
import { type RateLimit, TokenBucket } from "../../limits/token-bucket.ts";

/** Messages come in bursts. */
const BURST_MS = 5_000;

interface Sent {
  readonly bucket: TokenBucket;
  connections: number;
}

export class SentMessages {
  readonly #limit: RateLimit;
  readonly #nowMs: () => number;
  /** Of clients with open connections. */
  readonly #clients = new Map<ClientKey, Sent>();

  /** @param nowMs of a monotonic clock */
  constructor(perSecond: number, nowMs: () => number = () => performance.now()) {
    this.#limit = { capacity: (perSecond * BURST_MS) / 1_000, windowMs: BURST_MS };
    this.#nowMs = nowMs;
  }

  opened(client: ClientKey): void {
    const sent = this.#clients.get(client);
    if (sent === undefined)
      this.#clients.set(client, { bucket: new TokenBucket(), connections: 1 });
    else sent.connections += 1;
  }

  closed(client: ClientKey): void {
    const sent = this.#clients.get(client);
    if (sent === undefined || --sent.connections > 0) return;
    this.#clients.delete(client);
  }

  /** False if the client gets no more for now. */
  take(client: ClientKey): boolean {
    const bucket = this.#clients.get(client)?.bucket;
    if (bucket === undefined) return false;
    const nowMs = this.#nowMs();
    if (bucket.waitMs(this.#limit, 1, nowMs) > 0) return false;
    bucket.take(this.#limit, 1, nowMs);
    return true;
  }
}
