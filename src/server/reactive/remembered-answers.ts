/**
 * Answers to mutations for clients that send one again, each for a quarter of an hour. Each client has
 * so many bytes and all of them so many; beyond that the client that has most forgets its oldest. Who
 * asks for what is forgotten is answered by the executor, which knows the key.
 */
import type { ClientKey } from "../limits/client-key.ts";
import type { HeldBytesLimits } from "../limits/held-bytes.ts";
import type { EncodedValue } from "./encoding.ts";

const REMEMBERED_MS = 15 * 60 * 1000;
const REMEMBERED_BYTES: HeldBytesLimits = { all: 32 * 1024 * 1024, perClient: 4 * 1024 * 1024 };
/** What an answer takes beside its text, its key and its places in the maps. */
const ANSWER_BYTES = 512;

interface Answer {
  readonly client: ClientKey;
  readonly value: EncodedValue;
  readonly bytes: number;
  readonly untilMs: number;
}

interface Client {
  bytes: number;
  /** Of its answers, the oldest first. */
  readonly keys: Set<string>;
}

export class RememberedAnswers {
  readonly #limits: HeldBytesLimits;
  /** In the order of insertion, the oldest first. */
  readonly #answers = new Map<string, Answer>();
  readonly #clients = new Map<ClientKey, Client>();
  #bytes = 0;

  constructor(limits = REMEMBERED_BYTES) {
    this.#limits = limits;
  }

  /** What all answers take together. */
  get bytes(): number {
    return this.#bytes;
  }

  get(key: string, nowMs: number): EncodedValue | undefined {
    const answer = this.#answers.get(key);
    return answer !== undefined && answer.untilMs > nowMs ? answer.value : undefined;
  }

  add(key: string, client: ClientKey, value: EncodedValue, nowMs: number): void {
    this.#forget(key);
    this.#forgetExpired(nowMs);
    const bytes = ANSWER_BYTES + Buffer.byteLength(value.text);
    this.#answers.set(key, { client, value, bytes, untilMs: nowMs + REMEMBERED_MS });
    const owner = this.#clients.get(client) ?? { bytes: 0, keys: new Set() };
    this.#clients.set(client, owner);
    owner.keys.add(key);
    owner.bytes += bytes;
    this.#bytes += bytes;
    while (owner.bytes > this.#limits.perClient) this.#forgetOldestOf(owner);
    while (this.#bytes > this.#limits.all) this.#forgetOldestOf(this.#largest(owner));
  }

  #forgetExpired(nowMs: number): void {
    for (const [key, { untilMs }] of this.#answers) {
      if (untilMs > nowMs) return;
      this.#forget(key);
    }
  }

  #largest(client: Client): Client {
    let largest = client;
    for (const each of this.#clients.values()) if (each.bytes > largest.bytes) largest = each;
    return largest;
  }

  #forgetOldestOf(client: Client): void {
    const [oldest] = client.keys;
    this.#forget(oldest);
  }

  #forget(key: string): void {
    const answer = this.#answers.get(key);
    if (answer === undefined) return;
    this.#answers.delete(key);
    this.#bytes -= answer.bytes;
    const owner = this.#clients.get(answer.client);
    if (owner === undefined) return;
    owner.bytes -= answer.bytes;
    owner.keys.delete(key);
    if (owner.keys.size === 0) this.#clients.delete(answer.client);
  }
}
