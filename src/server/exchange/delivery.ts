/**
 * Delivers the engine's responses in their order. The events of a large batch, such as those of an
 * order that meets thousands of others, are delivered in slices, and listeners process them in chunks;
 * the thread does other work in between.
 */
import { setImmediate as nextTurn } from "node:timers/promises";
import { decodeInSlices } from "#engine/event-buffer.ts";
import type { ExchangeEvent } from "#engine/events.ts";
import type { EngineResponse, ReleasedEvents } from "./engine-messages.ts";

/** Events per slice; folding that many takes some 2 ms. */
const SLICE_EVENTS = 256;
/** A batch with more numbers, which are some thousand events, is delivered in slices. */
const WHOLE_NUMBERS_MAX = 8_192;

export interface DeliveryOwner {
  /** True once no further response may be delivered. */
  hasFailed(): boolean;
  /** Delivers a response at once; events only while everything else waits anyway. */
  take(response: EngineResponse): void;
  /** Delivers a slice. Returns false if these are not the next events, or a listener failed. */
  takeSlice(released: ReleasedEvents, events: readonly ExchangeEvent[], isWhole: boolean): boolean;
  /** Called after all slices of a response; the work that follows is done in chunks. */
  finish(released: ReleasedEvents, events: readonly ExchangeEvent[]): Iterable<unknown>;
}

export class Delivery {
  readonly #owner: DeliveryOwner;
  /** Responses that wait while another one is delivered in chunks. */
  readonly #received: EngineResponse[] = [];
  #working: Promise<void> | undefined;
  #unsettled: PromiseWithResolvers<void> | undefined;

  constructor(owner: DeliveryOwner) {
    this.#owner = owner;
  }

  /**
   * Undefined if the last command's events were delivered completely, else a promise that resolves once
   * they were.
   */
  get unsettled(): Promise<void> | undefined {
    return this.#unsettled?.promise;
  }

  /** Resolves when every response received was delivered. */
  async whenDone(): Promise<void> {
    await this.#working;
  }

  /** @param maySlice false while everything else waits anyway */
  receive(response: EngineResponse, maySlice: boolean): void {
    if (this.#working !== undefined) {
      this.#received.push(response);
    } else if (maySlice) {
      const chunks = this.#chunks(response);
      if (chunks.next().done !== true) this.#working = this.#work(chunks);
    } else {
      this.#owner.take(response);
    }
  }

  /** Delivers the rest of a response, and the responses received in the meantime. */
  async #work(begun: Iterator<unknown>): Promise<void> {
    let chunks = begun;
    for (;;) {
      do await nextTurn();
      while (chunks.next().done !== true);
      const response = this.#received.shift();
      if (response === undefined || this.#owner.hasFailed()) break;
      chunks = this.#chunks(response);
    }
    this.#received.length = 0;
    this.#working = undefined;
  }

  *#chunks(response: EngineResponse): Iterator<unknown> {
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
