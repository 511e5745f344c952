/**
 * Limits the messages that each client receives, because each costs the server a write. No message
 * may be dropped, so a client whose subscriptions exceed its allowance is disconnected. One command
 * may cause thousands of messages, which no client chose: beyond a fraction of the allowance they
 * are not counted.
 *
 * Visitors have an allowance together as well, or many addresses, each within its own, would leave
 * no time for anything else. Half of it is first come, first served, the other half is for all sites
 * in equal parts: so a steady flow is limited too, and no site disconnects another.
 */
import { type ClientKey, queueKeyOf } from "../../limits/client-key.ts";
import { type RateLimit, TokenBucket } from "../../limits/token-bucket.ts";

/** The allowance is for bursts of this length. */
const BURST_MS = 2_000;
/** The messages about one command to one listener use at most this fraction of a full allowance. */
const COMMAND_SHARE = 0.25;
/** The allowance of visitors together, in allowances of one address: a third of a core by default. */
const ADDRESSES_IN_ALL = 15;

/** A site's part of the memory that is reserved for the sites of visitors. */
interface Part {
  readonly bucket: TokenBucket;
  /** The site's clients with open connections. */
  clients: number;
  /** When the last of them departed. */
  departedAtMs: number;
}

interface Sent {
  readonly bucket: TokenBucket;
  readonly part: Part;
  connections: number;
  /** Whether the client exceeded its allowance, which is not half refilled yet. */
  isOver: boolean;
  /** When the client's last connection was closed. */
  departedAtMs: number;
}

export class SentMessages {
  readonly #limit: RateLimit;
  /** Half of the allowance of visitors together. */
  readonly #limitOfHalf: RateLimit;
  readonly #firstHalf = new TokenBucket();
  readonly #nowMs: () => number;
  /** Clients with open connections. */
  readonly #clients = new Map<ClientKey, Sent>();
  /** Clients without connections, until their allowances are full again; in order of departure. */
  readonly #departed = new Map<ClientKey, Sent>();
  /** By site; those of departed clients until they are full again. */
  readonly #parts = new Map<ClientKey, Part>();

  /** @param nowMs a monotonic clock */
  constructor(perSecond: number, nowMs: () => number) {
    this.#limit = { capacity: (perSecond * BURST_MS) / 1_000, windowMs: BURST_MS };
    const capacity = (this.#limit.capacity * ADDRESSES_IN_ALL) / 2;
    this.#limitOfHalf = { ...this.#limit, capacity };
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
        part: this.#partOf(client),
        connections: 0,
        isOver: false,
        departedAtMs: 0,
      };
    if (sent.connections++ === 0) sent.part.clients += 1;
    this.#departed.delete(client);
    this.#clients.set(client, sent);
  }

  closed(client: ClientKey): void {
    const sent = this.#clients.get(client);
    if (sent === undefined || --sent.connections > 0) return;
    this.#clients.delete(client);
    sent.departedAtMs = this.#nowMs();
    sent.part.clients -= 1;
    sent.part.departedAtMs = sent.departedAtMs;
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

  #takeOfAll({ part }: Sent, nowMs: number): boolean {
    const { capacity, windowMs } = this.#limitOfHalf;
    const limitOfPart = { capacity: capacity / this.#parts.size, windowMs };
    return (
      takeOne(this.#firstHalf, this.#limitOfHalf, nowMs) || takeOne(part.bucket, limitOfPart, nowMs)
    );
  }

  #partOf(client: ClientKey): Part {
    const site = queueKeyOf(client);
    const part = this.#parts.get(site) ?? {
      bucket: new TokenBucket(),
      clients: 0,
      departedAtMs: 0,
    };
    this.#parts.set(site, part);
    return part;
  }

  #forgetFull(): void {
    const nowMs = this.#nowMs();
    for (const [client, { departedAtMs: leftMs }] of this.#departed) {
      if (nowMs - leftMs < BURST_MS) break;
      this.#departed.delete(client);
    }
    for (const [site, { clients, departedAtMs }] of this.#parts) {
      if (clients === 0 && nowMs - departedAtMs >= BURST_MS) this.#parts.delete(site);
    }
  }
}

function takeOne(bucket: TokenBucket, limit: RateLimit, nowMs: number): boolean {
  if (bucket.waitMs(limit, 1, nowMs) > 0) return false;
  bucket.take(limit, 1, nowMs);
  return true;
}
