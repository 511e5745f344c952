/**
 * The request weight that each client may use per minute. A client is an address, or the user whose
 * key signed. Every request has a weight of at least 1, whatever its outcome. A client that
 * continues after refusals is banned, for twice as long each time
 * (https://developers.binance.com/docs/binance-spot-api-docs/rest-api/limits).
 */
import type { ClientKey } from "../limits/client-key.ts";
import type { SharedLimits, SharedRate } from "../limits/shared-limits.ts";
import { tooMuchWeight } from "./api-error.ts";

const MINUTE_MS = 60_000;
/** Refusals in a minute after which a client is shut out. */
const REFUSALS_MAX = 20;
const SHUT_OUT_MS = 2 * MINUTE_MS;
const SHUT_OUT_MS_MAX = 3 * 24 * 60 * MINUTE_MS;

/** The client that pays for a request, and its allowance per minute. */
export interface Payer {
  readonly client: ClientKey;
  readonly limit: number;
}

interface Used {
  /** Weight of this minute on all nodes, refused calls included. */
  weight: number;
  refusals: number;
}

interface ShutOut {
  readonly untilMs: number;
  readonly lastsMs: number;
}

export class RequestWeights {
  readonly #nowMs: () => number;
  #minute = 0;
  readonly #used = new Map<string, Used>();
  /**
   * Kept after the end for as long as it lasted: the next time, the client is shut out twice as
   * long.
   */
  readonly #shutOut = new Map<string, ShutOut>();

  readonly #shared: SharedRate | undefined;

  /**
   * @param nowMs milliseconds since 1970 UTC; allowances are renewed with each minute of the clock
   * @param shared undefined if there are no other nodes
   */
  constructor(nowMs: () => number, shared?: SharedLimits) {
    this.#nowMs = nowMs;
    this.#shared = shared?.rate("requestWeight", (client, weight) => {
      this.#beginMinute(this.#nowMs());
      const used = this.#usedOf(client);
      used.weight = Math.max(0, used.weight + weight);
    });
  }

  /** Weight used in this minute. */
  usedBy(client: ClientKey): number {
    this.#beginMinute(this.#nowMs());
    return this.#used.get(client)?.weight ?? 0;
  }

  isShutOut(client: ClientKey): boolean {
    return (this.#shutOut.get(client)?.untilMs ?? 0) > this.#nowMs();
  }

  /** @throws ApiError once the allowance is used up */
  spend({ client, limit }: Payer, weight: number): void {
    const nowMs = this.#nowMs();
    this.#beginMinute(nowMs);
    const shutOut = this.#shutOut.get(client);
    const refusal = (status: 418 | 429, waitMs: number) =>
      tooMuchWeight(limit, status, Math.ceil(waitMs / 1_000));
    if (shutOut !== undefined && shutOut.untilMs > nowMs)
      throw refusal(418, shutOut.untilMs - nowMs);
    const used = this.#usedOf(client);
    used.weight += weight;
    this.#shared?.use(client, weight, limit);
    if (used.weight <= limit) return;
    used.refusals += 1;
    if (used.refusals <= REFUSALS_MAX) throw refusal(429, MINUTE_MS - (nowMs % MINUTE_MS));
    const lastsMs =
      shutOut === undefined ? SHUT_OUT_MS : Math.min(2 * shutOut.lastsMs, SHUT_OUT_MS_MAX);
    this.#shutOut.set(client, { untilMs: nowMs + lastsMs, lastsMs });
    throw refusal(418, lastsMs);
  }

  /** Refunds the weight of a request that another client pays for. */
  giveBack({ client, limit }: Payer, weight: number): void {
    const used = this.#used.get(client);
    // A new minute may have begun in the meantime.
    if (used === undefined) return;
    used.weight = Math.max(0, used.weight - weight);
    this.#shared?.use(client, -weight, limit);
  }

  #usedOf(client: ClientKey): Used {
    let used = this.#used.get(client);
    if (used === undefined) {
      used = { weight: 0, refusals: 0 };
      this.#used.set(client, used);
    }
    return used;
  }

  #beginMinute(nowMs: number): void {
    const minute = Math.floor(nowMs / MINUTE_MS);
    if (minute === this.#minute) return;
    this.#minute = minute;
    this.#used.clear();
    for (const [client, { untilMs, lastsMs }] of this.#shutOut) {
      if (untilMs + lastsMs <= nowMs) this.#shutOut.delete(client);
    }
  }
}
