/**
 * The callers that wait for the outcomes of submitted commands, in the order of their commands' sequences.
 */
import type { ExchangeEvent } from "#engine/events.ts";
import { type SliceTimes, timesOf } from "./command-times.ts";
import type { CommandOutcome } from "./exchange.ts";

interface Waiter {
  readonly resolve: (outcome: CommandOutcome) => void;
  readonly reject: (error: Error) => void;
}

export class CommandWaiters {
  #waiters: Waiter[] = [];
  #answered = 0;

  get count(): number {
    return this.#waiters.length - this.#answered;
  }

  /** The outcome of the command submitted now. */
  add(): Promise<CommandOutcome> {
    return new Promise((resolve, reject) => this.#waiters.push({ resolve, reject }));
  }

  /** Resolves the next `count` waiters with their commands' outcomes. */
  answer(
    events: readonly ExchangeEvent[],
    firstSequence: number,
    count: number,
    times?: SliceTimes,
  ): void {
    let from = 0;
    for (let sequence = firstSequence; sequence < firstSequence + count; sequence++) {
      let to = from;
      while (to < events.length && events[to].sequence === sequence) to += 1;
      const own = events.slice(from, to);
      from = to;
      const outcome = outcomeOf(sequence, own);
      this.#waiters[this.#answered++].resolve(
        times === undefined
          ? outcome
          : { ...outcome, times: timesOf(times, sequence - firstSequence) },
      );
    }
    // Removing the waiters one by one would cost the length of the queue each time.
    if (this.#answered === this.#waiters.length || this.#answered > 4096) {
      this.#waiters = this.#waiters.slice(this.#answered);
      this.#answered = 0;
    }
  }

  rejectAll(errorOf: () => Error): void {
    const waiters = this.#waiters.slice(this.#answered);
    this.#waiters = [];
    this.#answered = 0;
    for (const { reject } of waiters) reject(errorOf());
  }
}

/** The outcome of a command with these events. */
export function outcomeOf(sequence: number, events: readonly ExchangeEvent[]): CommandOutcome {
  // A refusal is a command's last event: timers that were due fired before it.
  const last = events[events.length - 1];
  const { timestampMs } = last;
  return last.type === "commandRejected"
    ? { sequence, timestampMs, rejected: last.reason, events }
    : { sequence, timestampMs, events };
}
