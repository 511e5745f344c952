/**
 * The outcomes of commands that another node has sequenced, once this node has delivered their events.
 * Events are kept only while a request waits that began before them.
 */
import type { ExchangeEvent } from "#engine/events.ts";
import { outcomeOf } from "../exchange/command-waiters.ts";
import type { CommandOutcome } from "../exchange/exchange.ts";

interface Delivered {
  readonly last: number;
  readonly events: readonly ExchangeEvent[];
}

interface Waiter {
  readonly sequence: number;
  readonly resolve: () => void;
  readonly reject: (error: Error) => void;
}

export class RecentOutcomes {
  #sequence = 0;
  #delivered: Delivered[] = [];
  /** The sequence at which each pending wait began, oldest first. */
  readonly #begun = new Set<{ readonly sequence: number }>();
  #waiters: Waiter[] = [];

  /** How many wait. */
  get waiting(): number {
    return this.#begun.size;
  }

  /** Keeps everything delivered from now on, until the returned function is called. */
  keep(): () => void {
    const begin = { sequence: this.#sequence };
    this.#begun.add(begin);
    return () => {
      this.#begun.delete(begin);
      const [oldest] = this.#begun;
      const kept = this.#delivered.findIndex(({ last }) => last > (oldest?.sequence ?? Infinity));
      this.#delivered = kept === -1 ? [] : this.#delivered.slice(kept);
    };
  }

  onDelivered(sequence: number, events: readonly ExchangeEvent[]): void {
    this.#sequence = sequence;
    if (this.#begun.size > 0) this.#delivered.push({ last: sequence, events });
    if (this.#waiters.length === 0) return;
    const reached = this.#waiters.filter((waiter) => waiter.sequence <= sequence);
    this.#waiters = this.#waiters.filter((waiter) => waiter.sequence > sequence);
    for (const { resolve } of reached) resolve();
  }

  /** Resolves when this node has delivered the command of this sequence, which must be kept. */
  async of(sequence: number): Promise<CommandOutcome> {
    if (sequence > this.#sequence) {
      await new Promise<void>((resolve, reject) =>
        this.#waiters.push({ sequence, resolve, reject }),
      );
    }
    const outcome = this.find(sequence);
    if (outcome === undefined) throw new Error(`the outcome of sequence ${sequence} was not kept`);
    return outcome;
  }

  /** Undefined if the command's events were not kept. */
  find(sequence: number): CommandOutcome | undefined {
    const delivered = this.#delivered.find(({ last }) => last >= sequence);
    const events = delivered?.events.filter((event) => event.sequence === sequence) ?? [];
    return events.length === 0 ? undefined : outcomeOf(sequence, events);
  }

  /** Rejects all waiting calls. */
  fail(error: Error): void {
    const waiters = this.#waiters;
    this.#waiters = [];
    for (const { reject } of waiters) reject(error);
  }
}
