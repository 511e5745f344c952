/**
 * Applies a key's faults to its traffic. Faults surround calls and never change their effect: a
 * call is executed as usual, late, once, or not at all.
 */
import { type ActiveKeyFaults, KEY_FAULT_NAMES, type KeyFaultName } from "#contract/key-faults.ts";
import { tooMuchWeight } from "../api-error.ts";
import type { Endpoint } from "../endpoint.ts";
import { marketClosed } from "../orders/order-refusals.ts";
import { ConnectionCutError } from "./connection-cut.ts";
import type { HeldBooks } from "./held-books.ts";
import { SeededChance } from "./seeded-chance.ts";

/** Sent with a 429 that the fault lab causes. */
const RETRY_AFTER_SECONDS = 1;

/**
 * Methods that place or change orders, which a halted market refuses. Cancellations are accepted.
 */
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
  /** The active faults, such as `latencyMs=200, cutPercent=5`. */
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

  /** Extra delay of the next request or message. */
  latencyMs(): number {
    return this.fault("latencyMs") + this.#chance.upTo(this.fault("jitterMs"));
  }

  /** Extra delay of a stream's next message; undefined if the message is dropped. */
  delayOf(stream: string): number | undefined {
    if (!BOOK_STREAM.test(stream)) return this.latencyMs();
    if (this.#chance.percent(this.fault("depthGapPercent"))) return undefined;
    return this.latencyMs() + this.fault("staleDepthMs");
  }

  /**
   * Executes one request of the key.
   * @param isChange whether the request changes anything
   * @throws ConnectionCutError, ApiError and errors of `work`
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
    // Refusals are lost as well as answers.
    const [outcome] = await Promise.allSettled([work()]);
    if (isLost) throw new ConnectionCutError();
    if (isLate) await this.#wait(this.fault("lateAnswerMs"));
    if (outcome.status === "rejected") throw outcome.reason;
    return outcome.value;
  }

  /** @throws ApiError for a call that a halted market refuses */
  admit({ method, security }: Endpoint): void {
    const isRefused = security === "trade" && NOT_WHILE_HALTED.has(method);
    if (isRefused && this.fault("halted") !== 0) throw marketClosed();
  }

  /** The answer as the key receives it. */
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
