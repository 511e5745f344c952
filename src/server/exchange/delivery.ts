/**
 * Takes the engine's responses in their order. The events of a large batch, such as those of an order
 * that meets thousands of others, are delivered in slices, and what listeners have to do with them is done
 * in pieces; the thread does other work in between.
 */
import { decodeInSlices } from "#engine/event-buffer.ts";
import type { ExchangeEvent } from "#engine/events.ts";
import type { EngineResponse, ReleasedEvents } from "./engine-messages.ts";

/** Folding so many takes some 2 ms. */
const SLICE_EVENTS = 256;
/** A batch with more numbers is delivered in slices: so many have some thousand events. */
const WHOLE_NUMBERS_MAX = 8_192;

export interface DeliveryOwner {
  /** True once nothing more may be taken. */
  hasFailed(): boolean;
  /** Takes a response at once: events only while everything else waits anyway. */
  take(response: EngineResponse): void;
  /** False if these are not the next events, or could not be taken. */
  takeSlice(released: ReleasedEvents, events: readonly ExchangeEvent[], isWhole: boolean): boolean;
  /** All of them were taken. What follows is done in pieces. */
  finish(released: ReleasedEvents, events: readonly ExchangeEvent[]): Iterable<unknown>;
}

export class Delivery {
  readonly #owner: DeliveryOwner;
  /** Those that wait while another is taken in pieces. */
  readonly #received: EngineResponse[] = [];
  #working: Promise<void> | undefined;
  #unsettled: PromiseWithResolvers<void> | undefined;

  constructor(owner: DeliveryOwner) {
    this.#owner = owner;
  }

  /** Undefined if a command's events were delivered to the last one, else a promise of that. */
  get unsettled(): Promise<void> | undefined {
    return this.#unsettled?.promise;
  }

  /** Resolves when everything received was taken. */
  async whenDone(): Promise<void> {
    await this.#working;
  }

  /** @param maySlice false while everything else waits anyway */
  receive(response: EngineResponse, maySlice: boolean): void {
    if (this.#working !== undefined) {
      this.#received.push(response);
    } else if (maySlice) {
      const pieces = this.#pieces(response);
      if (pieces.next().done !== true) this.#working = this.#work(pieces);
    } else {
      this.#owner.take(response);
    }
  }

  /** Takes the rest of a response, and those that come meanwhile. */
  async #work(begun: Iterator<unknown>): Promise<void> {
    let pieces = begun;
    for (;;) {
      do await turnOfTheLoop();
      while (pieces.next().done !== true);
      const response = this.#received.shift();
      if (response === undefined || this.#owner.hasFailed()) break;
      pieces = this.#pieces(response);
    }
    this.#received.length = 0;
    this.#working = undefined;
  }

  *#pieces(response: EngineResponse): Iterator<unknown> {
    if (response.kind !== "events") {
      this.#owner.take(response);
      return;
    }
    const eventsMin = response.batch.rows.length > WHOLE_NUMBERS_MAX ? SLICE_EVENTS : Infinity;
    const all: ExchangeEvent[] = [];
    for (const { events, isWhole } of decodeInSlices(response.batch, eventsMin)) {
      if (all.length > 0) yield;
      all.push(...events);
      if (!isWhole) this.#unsettled ??= Promise.withResolvers();
      const isTaken = this.#owner.takeSlice(response, events, isWhole);
      if (isWhole || !isTaken) this.#settle();
      if (!isTaken) return;
    }
    yield* this.#owner.finish(response, all);
  }

  #settle(): void {
    this.#unsettled?.resolve();
    this.#unsettled = undefined;
  }
}

function turnOfTheLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
