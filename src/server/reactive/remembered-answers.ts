/**
 * Remembers answers to mutations for a quarter of an hour, because clients may re-send the
 * mutations. Memory is limited per client and in total; beyond the limit the client with the most
 * loses its oldest answer. The executor answers the repeat of a forgotten mutation, by its key.
 */
import type { ClientKey } from "../limits/client-key.ts";
import { HeldBytes, type HeldBytesLimits, type Holding } from "../limits/held-bytes.ts";
import type { EncodedValue } from "./encoding.ts";

const REMEMBERED_MS = 15 * 60 * 1000;
const REMEMBERED_BYTES: HeldBytesLimits = { all: 32 * 1024 * 1024, perClient: 4 * 1024 * 1024 };
/** Memory of an answer besides its text: key and map entries. */
const ANSWER_BYTES = 512;

interface Answer {
  readonly value: EncodedValue;
  readonly holding: Holding;
  readonly untilMs: number;
}

export class RememberedAnswers {
  readonly #held: HeldBytes;
  /** Answers by key, oldest first. */
  readonly #answers = new Map<string, Answer>();

  constructor(limits = REMEMBERED_BYTES) {
    this.#held = new HeldBytes(limits, "oldest");
  }

  /** Total memory of all answers. */
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
