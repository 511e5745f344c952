/**
 * The order of a connection's requests. They begin in the order in which they were sent, and end in
 * any order: an order is submitted before the next one that was sent, and none waits for reads.
 */
import type { Endpoint } from "../endpoint.ts";

/** The turn of a request among those of its connection. */
export interface RequestTurn {
  /** Resolves when all earlier requests have begun or failed; undefined if they have, as nearly always. */
  readonly isNext: Promise<void> | undefined;
  /** Must be called when the request has begun: a call that trades has submitted its command. */
  readonly begin: () => void;
}

/** A request that has not begun, or that waits for one that has not. */
interface Waiting {
  hasBegun: boolean;
  /** Begins the request's turn, if it waits. */
  readonly take: (() => void) | undefined;
}

export class RequestOrder {
  /** In the order in which they were sent; the first has not begun. */
  readonly #waiting: Waiting[] = [];
  /** The answers to calls that trade and are not answered yet. */
  readonly #trading = new Set<Promise<unknown>>();

  /** The turn of a request that has arrived. */
  next(): RequestTurn {
    const turn = this.#waiting.length === 0 ? undefined : Promise.withResolvers<void>();
    const waiting: Waiting = { hasBegun: false, take: turn?.resolve };
    this.#waiting.push(waiting);
    return { isNext: turn?.promise, begin: () => this.#begin(waiting) };
  }

  /**
   * Answers a call whose turn has come. One that changes orders waits for the answers to earlier
   * calls that trade: the order may be one that was sent just before and is not yet known.
   */
  answer(call: Endpoint, { begin }: RequestTurn, answer: () => Promise<unknown>): Promise<unknown> {
    if (call.security !== "trade") {
      begin();
      return answer();
    }
    const trading = this.#trading;
    const mustWait = call.namesOrders === true && trading.size > 0;
    const answered = mustWait ? Promise.allSettled(trading).then(answer) : answer();
    trading.add(answered);
    const end = () => trading.delete(answered);
    answered.then(end, end);
    return answered;
  }

  #begin(begun: Waiting): void {
    begun.hasBegun = true;
    if (this.#waiting[0] !== begun) return;
    while (this.#waiting[0]?.hasBegun) this.#waiting.shift();
    this.#waiting[0]?.take?.();
  }
}
