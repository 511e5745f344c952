/**
 * Answers to mutations that clients may send again, each kept for a quarter of an hour. Their bytes
 * are limited per client and in total; beyond that the client with the most loses its oldest. A
 * repeat of a forgotten one is answered by the executor, which knows the key.
 */
import type { ClientKey } from "../limits/client-key.ts";
import { HeldBytes, type HeldBytesLimits, type Holding } from "../limits/held-bytes.ts";
import type { EncodedValue } from "./encoding.ts";

const REMEMBERED_MS = 15 * 60 * 1000;
const REMEMBERED_BYTES: HeldBytesLimits = { all: 32 * 1024 * 1024, perClient: 4 * 1024 * 1024 };
/** The overhead of an answer on top of its text: its key and its map entries. */
const ANSWER_BYTES = 512;

interface Answer {
  readonly value: EncodedValue;
  readonly holding: Holding;
  readonly untilMs: number;
}

export class RememberedAnswers {
  readonly #held: HeldBytes;
  /** In order of insertion, the oldest first. */
  readonly #answers = new Map<string, Answer>();

  constructor(limits = REMEMBERED_BYTES) {
    this.#held = new HeldBytes(limits, "oldest");
  }

  /** The total size of all answers. */
  get bytes(): number {
    return this.#held.bytes;
  }

  get(key: string, nowMs: number): EncodedValue | undefined {
    const answer = this.#answers.get(key);
    return answer !== undefined && answer.untilMs > nowMs ? answer.value : undefined;
  }

  add(key: string, client: ClientKey, value: EncodedValue, nowMs: number): void {
    this.#forget(key);
    this.#forgetExpired(nowMs);
    const holding = this.#held.open(client, () => this.#answers.delete(key));
    this.#answers.set(key, { value, holding, untilMs: nowMs + REMEMBERED_MS });
    holding.set(ANSWER_BYTES + Buffer.byteLength(value.text));
  }

  #forgetExpired(nowMs: number): void {
    for (const [key, { untilMs }] of this.#answers) {
      if (untilMs > nowMs) return;
      this.#forget(key);
    }
  }

  #forget(key: string): void {
    this.#answers.get(key)?.holding.close();
    this.#answers.delete(key);
  }
}
