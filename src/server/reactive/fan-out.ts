/**
 * Queues the subscribers of changed answers for their next update. Few subscribers are queued
 * immediately. But an answer may have hundreds of thousands, and a change may concern as many
 * answers: those are queued in slices.
 *
 * Invariant: the `unqueued` subscriptions of an audience are those from `next` on, cyclically.
 */
import type { Urgency } from "./executor.ts";

interface Member {
  readonly subscriber: { queueFlush(urgency: Urgency): void };
}

/** The subscriptions of an answer, and how far they are queued. */
export interface Audience {
  /** Unordered. */
  readonly subscriptions: readonly Member[];
  /** Number of subscriptions not yet queued. */
  unqueued: number;
  next: number;
  urgency: Urgency;
}

/** Subscriptions queued per turn of the event loop; each takes some 0.2 µs. */
const SUBSCRIPTIONS_PER_SLICE = 500;

/** Answers that changed together; those from `next` on are not yet added. */
interface Changed {
  readonly audiences: readonly Audience[];
  readonly urgency: Urgency;
  next: number;
}

export class FanOut {
  readonly #pending = new Set<Audience>();
  /** Changes not yet added, urgent ones first. */
  readonly #changed: Changed[] = [];
  #left = SUBSCRIPTIONS_PER_SLICE;
  #isScheduled = false;

  /** Queues the subscribers of several answers: immediately, as far as this turn's slice allows. */
  addAll(audiences: readonly Audience[], urgency: Urgency): void {
    const changed = { audiences, urgency, next: 0 };
    this.#addFrom(changed);
    if (changed.next === audiences.length) return;
    if (urgency === "now") this.#changed.unshift(changed);
    else this.#changed.push(changed);
    this.#schedule();
  }

  /** Queues an answer's subscribers: immediately, as far as this turn's slice allows. */
  add(audience: Audience, urgency: Urgency): void {
    const { subscriptions, unqueued } = audience;
    audience.urgency = unqueued > 0 && audience.urgency === "now" ? "now" : urgency;
    audience.unqueued = subscriptions.length;
    this.#run(audience);
    if (audience.unqueued > 0) this.#pending.add(audience);
    this.#schedule();
  }

  /** Must be called after a subscription was appended. */
  joined(audience: Audience): void {
    if (audience.unqueued > 0) audience.unqueued += 1;
  }

  /** Must be called after a subscription was removed, with the subscription that took its index. */
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
    this.#left = SUBSCRIPTIONS_PER_SLICE;
    for (const audience of this.#pending) {
      this.#run(audience);
      if (audience.unqueued > 0) break;
      this.#pending.delete(audience);
    }
    while (this.#changed.length > 0 && this.#left > 0) {
      this.#addFrom(this.#changed[0]);
      if (this.#changed[0].next === this.#changed[0].audiences.length) this.#changed.shift();
    }
    if (this.#pending.size > 0 || this.#changed.length > 0) this.#schedule();
  };

  #addFrom(changed: Changed): void {
    while (changed.next < changed.audiences.length && this.#left > 0) {
      this.add(changed.audiences[changed.next++], changed.urgency);
    }
  }

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
