/**
 * Queues the subscribers of changed answers for their next update. Most answers have few, who are
 * queued at once; one client may have hundreds of thousands, who are queued a slice at a time.
 *
 * Invariant: the `unqueued` subscriptions of an audience are those from `next` on, in a circle.
 */
import type { Urgency } from "./executor.ts";

interface Member {
  readonly subscriber: { queueFlush(urgency: Urgency): void };
}

/** The subscriptions of one answer. */
export interface Audience {
  /** In no order. */
  readonly subscriptions: readonly Member[];
  /** How many of them are still to be queued. */
  unqueued: number;
  next: number;
  urgency: Urgency;
}

/** Queueing one takes some 0.2 µs. */
const PER_SLICE = 2_000;

export class FanOut {
  readonly #pending = new Set<Audience>();
  #left = PER_SLICE;
  #isScheduled = false;

  /** Queues all of them: at once, or as many as this turn of the event loop has room for. */
  add(audience: Audience, urgency: Urgency): void {
    const { subscriptions, unqueued } = audience;
    audience.urgency = unqueued > 0 && audience.urgency === "now" ? "now" : urgency;
    audience.unqueued = subscriptions.length;
    this.#run(audience);
    if (audience.unqueued > 0) this.#pending.add(audience);
    this.#schedule();
  }

  /** Call it after a subscription was added at the end. */
  joined(audience: Audience): void {
    if (audience.unqueued > 0) audience.unqueued += 1;
  }

  /** Call it after a subscription was removed, with the one that took its place. */
  moved(audience: Audience, { subscriber }: Member): void {
    if (audience.unqueued > 0) subscriber.queueFlush(audience.urgency);
  }

  #schedule(): void {
    if (this.#isScheduled) return;
    this.#isScheduled = true;
    setImmediate(this.#runSlice);
  }

  #runSlice = (): void => {
    this.#isScheduled = false;
    this.#left = PER_SLICE;
    for (const audience of this.#pending) {
      this.#run(audience);
      if (audience.unqueued > 0) break;
      this.#pending.delete(audience);
    }
    if (this.#pending.size > 0) this.#schedule();
  };

  #run(audience: Audience): void {
    const { subscriptions, urgency } = audience;
    while (audience.unqueued > 0 && this.#left > 0) {
      if (subscriptions.length === 0) {
        audience.unqueued = 0;
        return;
      }
      if (audience.next >= subscriptions.length) audience.next = 0;
      subscriptions[audience.next++].subscriber.queueFlush(urgency);
      audience.unqueued -= 1;
      this.#left -= 1;
    }
  }
}
