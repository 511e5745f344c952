/**
 * The request weight that each client may use per minute. A client is an address, or the user whose
 * key signed. Every request has a weight of at least 1, whatever its outcome. A client that
 * continues after refusals is banned, for twice as long each time
 * (https://developers.binance.com/docs/binance-spot-api-docs/rest-api/limits).
 */
import type { ClientKey } from "../limits/client-key.ts";
import { tooMuchWeight } from "./api-error.ts";

const MINUTE_MS = 60_000;
/** Refusals in a minute after which a client is banned. */
const PATIENCE = 20;
const BAN_MS = 2 * MINUTE_MS;
const BAN_MS_MAX = 3 * 24 * 60 * MINUTE_MS;

/** The client that pays for a request, and its allowance per minute. */
export interface Payer {
  readonly client: ClientKey;
  readonly limit: number;
}

interface Used {
  /** Weight of this minute, refused calls included. */
  weight: number;
  refusals: number;
}

interface Ban {
  readonly untilMs: number;
  readonly lastsMs: number;
}

export class RequestWeights {
  readonly #nowMs: () => number;
  #minute = 0;
  readonly #used = new Map<string, Used>();
  /**
   * A ban is remembered after its end for as long as it lasted: the client's next ban is twice as
   * long.
   */
  readonly #bans = new Map<string, Ban>();

  /**
   * @param nowMs milliseconds since 1970 UTC; allowances are renewed with each minute of the clock
   */
  constructor(nowMs: () => number) {
    this.#nowMs = nowMs;
  }

  /** Weight used in this minute. */
  usedBy(client: ClientKey): number {
    this.#beginMinute(this.#nowMs());
    return this.#used.get(client)?.weight ?? 0;
  }

  isShutOut(client: ClientKey): boolean {
    return (this.#bans.get(client)?.untilMs ?? 0) > this.#nowMs();
  }

  /** @throws ApiError once the allowance is used up */
  spend({ client, limit }: Payer, weight: number): void {
    const nowMs = this.#nowMs();
    this.#beginMinute(nowMs);
    const ban = this.#bans.get(client);
    const refusal = (status: 418 | 429, waitMs: number) =>
      tooMuchWeight(limit, status, Math.ceil(waitMs / 1_000));
    if (ban !== undefined && ban.untilMs > nowMs) throw refusal(418, ban.untilMs - nowMs);
    let used = this.#used.get(client);
    if (used === undefined) {
      used = { weight: 0, refusals: 0 };
      this.#used.set(client, used);
    }
    used.weight += weight;
    if (used.weight <= limit) return;
    used.refusals += 1;
    if (used.refusals <= PATIENCE) throw refusal(429, MINUTE_MS - (nowMs % MINUTE_MS));
    const lastsMs = ban === undefined ? BAN_MS : Math.min(2 * ban.lastsMs, BAN_MS_MAX);
    this.#bans.set(client, { untilMs: nowMs + lastsMs, lastsMs });
    throw refusal(418, lastsMs);
  }

  /** Refunds the weight of a request that another client pays for. */
  giveBack(client: ClientKey, weight: number): void {
    const used = this.#used.get(client);
    // A new minute may have begun meanwhile.
    if (used !== undefined) used.weight = Math.max(0, used.weight - weight);
  }

  #beginMinute(nowMs: number): void {
    const minute = Math.floor(nowMs / MINUTE_MS);
    if (minute === this.#minute) return;
    this.#minute = minute;
    this.#used.clear();
    for (const [client, { untilMs, lastsMs }] of this.#bans) {
      if (untilMs + lastsMs <= nowMs) this.#bans.delete(client);
    }
  }
}
