/**
 * Takes the engine's responses in their order. The events of a large batch, such as those of an order
 * that meets thousands of others, are delivered in slices, and the thread does other work in between.
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
  /** Takes a response other than a large batch at once. */
  take(response: EngineResponse): void;
  /** False if these are not the next events, or could not be taken. */
  takeSlice(released: ReleasedEvents, events: readonly ExchangeEvent[], isWhole: boolean): boolean;
  /** All of them were taken. */
  finish(released: ReleasedEvents, events: readonly ExchangeEvent[]): void;
}

export class Delivery {
  readonly #owner: DeliveryOwner;
  /** Those that wait while a batch is delivered in slices. */
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
    if (this.#working === undefined && !(maySlice && isLarge(response))) {
      this.#owner.take(response);
      return;
    }
    this.#received.push(response);
    this.#working ??= this.#work();
  }

  async #work(): Promise<void> {
    for (;;) {
      const response = this.#received.shift();
      if (response === undefined || this.#owner.hasFailed()) break;
      if (isLarge(response)) await this.#deliverInSlices(response);
      else this.#owner.take(response);
      await turnOfTheLoop();
    }
    this.#received.length = 0;
    this.#working = undefined;
  }

  async #deliverInSlices(released: ReleasedEvents): Promise<void> {
    const all: ExchangeEvent[] = [];
    for (const { events, isWhole } of decodeInSlices(released.batch, SLICE_EVENTS)) {
      if (all.length > 0) await turnOfTheLoop();
      all.push(...events);
      if (!isWhole) this.#unsettled ??= Promise.withResolvers();
      const isTaken = this.#owner.takeSlice(released, events, isWhole);
      if (isWhole || !isTaken) this.#settle();
      if (!isTaken) return;
    }
    this.#owner.finish(released, all);
  }

  #settle(): void {
    this.#unsettled?.resolve();
    this.#unsettled = undefined;
  }
}

function isLarge(response: EngineResponse): response is EngineResponse & { kind: "events" } {
  return response.kind === "events" && response.batch.rows.length > WHOLE_NUMBERS_MAX;
}

function turnOfTheLoop(): Promise<void> {
  return new Promise((resolve) => setImmediate(resolve));
}
