/**
 * What happens to the traffic of one key while it has faults. Faults are around calls, never inside
 * them: a call is carried out as always, late, once, or not at all.
 */
import { type ActiveKeyFaults, KEY_FAULT_NAMES, type KeyFaultName } from "#contract/key-faults.ts";
import { tooMuchWeight } from "../api-error.ts";
import type { Endpoint } from "../endpoint.ts";
import { marketClosed } from "../orders/order-refusals.ts";
import { ConnectionCutError } from "./connection-cut.ts";
import type { HeldBooks } from "./held-books.ts";
import { SeededChance } from "./seeded-chance.ts";

/** After a 429 of the lab. */
const RETRY_AFTER_SECONDS = 1;

/** They place or change orders, which a halted market refuses. It takes cancellations. */
const NOT_WHILE_HALTED: ReadonlySet<string> = new Set(["POST", "PUT"]);

const BOOK_STREAM = /@(depth|bookTicker)/;

export interface FaultyTrafficOptions {
  readonly apiKey: string;
  readonly active: ActiveKeyFaults;
  readonly weightLimit: number;
  readonly books: HeldBooks;
  readonly wait: (ms: number) => Promise<void>;
}

export class FaultyTraffic {
  /** The faults that are on, as `latencyMs=200, cutPercent=5`. */
  readonly description: string;
  /** How far the exchange's clock is ahead for this key. */
  readonly clockSkewMs: number;
  readonly #options: FaultyTrafficOptions;
  readonly #chance: SeededChance;

  constructor(options: FaultyTrafficOptions) {
    const { faults, seed } = options.active;
    this.#options = options;
    this.#chance = new SeededChance(seed);
    this.clockSkewMs = faults.clockSkewMs;
    this.description = KEY_FAULT_NAMES.filter((name) => faults[name] !== 0)
      .map((name) => `${name}=${faults[name]}`)
      .join(", ");
  }

  fault(name: KeyFaultName): number {
    return this.#options.active.faults[name];
  }

  /** How much later the next request or message arrives. */
  latencyMs(): number {
    return this.fault("latencyMs") + this.#chance.upTo(this.fault("jitterMs"));
  }

  /** How much later the next message of a stream is sent; undefined if it is left out. */
  delayOf(stream: string): number | undefined {
    if (!BOOK_STREAM.test(stream)) return this.latencyMs();
    if (this.#chance.percent(this.fault("depthGapPercent"))) return undefined;
    return this.latencyMs() + this.fault("staleDepthMs");
  }

  /**
   * Carries out one request of the key.
   * @param isChange whether it changes something
   * @throws ConnectionCutError, ApiError and what the work throws
   */
  async through<Answer>(isChange: boolean, work: () => Promise<Answer>): Promise<Answer> {
    await this.#wait(this.latencyMs());
    if (this.#chance.percent(this.fault("cutPercent"))) throw new ConnectionCutError();
    if (this.#chance.percent(this.fault("rateLimitPercent"))) {
      throw tooMuchWeight(this.#options.weightLimit, 429, RETRY_AFTER_SECONDS);
    }
    if (!isChange) return work();
    const isLost = this.#chance.percent(this.fault("lostAnswerPercent"));
    const isLate = this.#chance.percent(this.fault("lateAnswerPercent"));
    // Whatever the answer is: a refusal is lost as well.
    const [outcome] = await Promise.allSettled([work()]);
    if (isLost) throw new ConnectionCutError();
    if (isLate) await this.#wait(this.fault("lateAnswerMs"));
    if (outcome.status === "rejected") throw outcome.reason;
    return outcome.value;
  }

  /** @throws ApiError for what a halted market refuses */
  admit({ method, security }: Endpoint): void {
    const isRefused = security === "trade" && NOT_WHILE_HALTED.has(method);
    if (isRefused && this.fault("halted") !== 0) throw marketClosed();
  }

  /** What the key gets to see of an answer. */
  distort({ path }: Endpoint, parameters: unknown, answer: unknown): unknown {
    switch (path) {
      case "/api/v3/depth": {
        const { active, apiKey, books } = this.#options;
        const staleMs = this.fault("staleDepthMs");
        if (staleMs === 0) return answer;
        return books.newestOf(
          `${apiKey} ${active.seed} ${JSON.stringify(parameters)}`,
          staleMs,
          answer,
        );
      }
      case "/api/v3/time":
        return this.#withSkewedTime(answer as { serverTime: number });
      case "/api/v3/exchangeInfo": {
        const info = answer as { serverTime: number; symbols: readonly object[] };
        return this.#withSkewedTime({ ...info, symbols: this.#halted(info.symbols, "HALT") });
      }
      case "/api/v3/openbell/markets":
        return this.#halted(answer as readonly object[], "halted");
      default:
        return answer;
    }
  }

  #withSkewedTime<Info extends { readonly serverTime: number }>(info: Info): Info {
    return { ...info, serverTime: info.serverTime + this.clockSkewMs };
  }

  #halted(markets: readonly object[], status: string): readonly object[] {
    if (this.fault("halted") === 0) return markets;
    return markets.map((market) => ({ ...market, status }));
  }

  async #wait(ms: number): Promise<void> {
    if (ms > 0) await this.#options.wait(ms);
  }
}
