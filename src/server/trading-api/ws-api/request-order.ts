/**
 * The order of a connection's requests. They begin in the order in which they were sent, and end in
 * any order: an order is submitted before the next one that was sent, and none waits for reads.
 */
import type { Endpoint } from "../endpoint.ts";

/** The turn of a request among those of its connection. */
export interface RequestTurn {
  /** Resolves when all earlier requests have begun or failed. */
  readonly isNext: Promise<void>;
  /** Must be called when the request has begun: a call that trades has submitted its command. */
  readonly begin: () => void;
}

export class RequestOrder {
  /** Resolves when all requests so far have begun. */
  #haveBegun = Promise.resolve();
  /** Resolves when all calls that trade and have begun so far are answered. */
  #haveTraded = Promise.resolve();

  /** The turn of a request that has arrived. */
  next(): RequestTurn {
    const isNext = this.#haveBegun;
    const { promise: hasBegun, resolve: begin } = Promise.withResolvers<void>();
    this.#haveBegun = isNext.then(() => hasBegun);
    return { isNext, begin };
  }

  /**
   * Answers a call whose turn has come. One that changes orders waits for the answers to earlier
   * calls that trade: the order may be one that was sent just before and is not known yet.
   */
  answer(call: Endpoint, { begin }: RequestTurn, answer: () => Promise<unknown>): Promise<unknown> {
    if (call.security !== "trade") {
      begin();
      return answer();
    }
    const earlier = this.#haveTraded;
    const answered = call.namesOrders === true ? earlier.then(answer) : answer();
    const settled = answered.catch(() => undefined);
    this.#haveTraded = earlier.then(() => settled).then(() => undefined);
    return answered;
  }
}
