/**
 * Events that wait for the database, encoded as the engine encodes them, so that a batch can be
 * transferred to a worker and a long backlog takes little memory. Events that the history does not keep
 * are omitted.
 */
import { EventBuffer, type EventBatch } from "#engine/event-buffer.ts";
import type { ExchangeEvent } from "#engine/events.ts";
import type { Progress } from "./progress.ts";

/** Events of complete commands, and the position after them. */
export interface BacklogBatch {
  readonly events: EventBatch<Float64Array<ArrayBuffer>>;
  readonly end: Progress;
}

/** Numbers in a batch: about two thousand trades, and ten or more milliseconds of database time. */
const BATCH_LENGTH = 32_768;

export class Backlog {
  readonly #people = new Set<number>();
  readonly #full: BacklogBatch[] = [];
  readonly #buffer = new EventBuffer();
  #end: Progress = { sequence: 0, time: 0, originTime: 0 };
  /** The last sequence taken. */
  #takenSequence = 0;

  /** The position up to which events were added. */
  get end(): Progress {
    return this.#end;
  }
  get isEmpty(): boolean {
    return this.#takenSequence === this.#end.sequence;
  }
  /** Approximate memory of the encoded numbers. */
  get bytes(): number {
    return (this.#full.length * BATCH_LENGTH + this.#buffer.length) * 8;
  }

  /** Begins after a snapshot: the tables contain everything up to `end`. */
  restore(end: Progress, people: ReadonlySet<number>): void {
    this.#end = end;
    this.#takenSequence = end.sequence;
    for (const account of people) this.#people.add(account);
  }

  add(event: ExchangeEvent): void {
    const { sequence, timestampMs: time } = event;
    if (sequence !== this.#end.sequence) {
      if (this.#buffer.length >= BATCH_LENGTH) this.#cut();
      const originTime = this.#end.sequence === 0 ? time : this.#end.originTime;
      this.#end = { sequence, time, originTime };
    }
    if (event.type === "accountOpened" && event.kind === "person") this.#people.add(event.account);
    if (this.#isKept(event)) this.#buffer.write(event);
  }

  /** The oldest batch; undefined if none waits. Its numbers may be transferred. */
  take(): BacklogBatch | undefined {
    if (this.#full.length === 0 && !this.isEmpty) this.#cut();
    const batch = this.#full.shift();
    if (batch !== undefined) this.#takenSequence = batch.end.sequence;
    return batch;
  }

  #cut(): void {
    this.#full.push({ events: this.#buffer.take(), end: this.#end });
  }

  #isKept(event: ExchangeEvent): boolean {
    switch (event.type) {
      case "coinListed":
      case "coinUpdated":
      case "marketListed":
      case "marketUpdated":
      case "marketScheduled":
      case "marketStatusChanged":
      case "planDefined":
      case "planUpdated":
      case "practiceFundsTaken":
      case "simulationStarted":
      case "traded":
        return true;
      case "accountOpened":
      case "planAssigned":
      case "planChosen":
      case "planPeriodBegan":
      case "planLapsed":
      case "accountFreezeChanged":
      case "adjustmentProposed":
      case "adjustmentApproved":
      case "adjustmentRejected":
      case "transferChanged":
      case "dustForfeited":
      case "practiceFundsReclaimed":
      case "orderListPlaced":
      case "selfTradePrevented":
      case "orderPlaced":
      case "orderWaiting":
      case "orderActivated":
      case "orderAmended":
      case "waitingOrderAmended":
      case "quantityDecremented":
      case "orderEnded":
        return this.#people.has(event.account);
      default:
        return false;
    }
  }
}
