/**
 * Events that wait for the database, encoded as the engine encodes them: a worker gets a batch by
 * transfer, and a long backlog takes little memory. Events that history does not keep are left out
 * here already.
 */
import { END_CANCELLED, END_EXPIRED, END_FILLED, endReasonCode } from "#engine/orders/end-codes.ts";
import {
  EventBuffer,
  FEE_FROM_MARKET,
  FEE_FROM_PLAN,
  FEE_FROM_VOLUME,
  type EventBatch,
} from "#engine/event-buffer.ts";
import { packOrderFlags } from "#engine/formats/order-flags.ts";
import type { Traded, ExchangeEvent, FeeSource, OrderEndStatus } from "#engine/events.ts";
import type { Progress } from "./projector.ts";

/** Whole commands and how far they reach. */
export interface BacklogBatch {
  readonly events: EventBatch<Float64Array<ArrayBuffer>>;
  readonly end: Progress;
}

/** Numbers in a batch; about two thousand trades, some ten milliseconds of the database's time. */
const BATCH_LENGTH = 32_768;

const END_CODES: Readonly<Record<OrderEndStatus, number>> = {
  filled: END_FILLED,
  cancelled: END_CANCELLED,
  expired: END_EXPIRED,
};
const FEE_SOURCE_CODES: Readonly<Record<FeeSource, number>> = {
  plan: FEE_FROM_PLAN,
  volume: FEE_FROM_VOLUME,
  market: FEE_FROM_MARKET,
};

export class Backlog {
  readonly #people = new Set<number>();
  readonly #full: BacklogBatch[] = [];
  readonly #buffer = new EventBuffer();
  #end: Progress = { sequence: 0, time: 0, originTime: 0 };
  /** The last sequence that was taken out. */
  #takenSequence = 0;

  /** Everything up to here came in. */
  get end(): Progress {
    return this.#end;
  }
  get isEmpty(): boolean {
    return this.#takenSequence === this.#end.sequence;
  }
  /** Memory that the encoded numbers take, about. */
  get bytes(): number {
    return (this.#full.length * BATCH_LENGTH + this.#buffer.length) * 8;
  }

  /** Begins behind a snapshot: whatever came until `end` is in the tables. */
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
      this.#buffer.begin(sequence, time);
    }
    this.#encode(event);
  }

  /** The oldest batch, undefined where nothing waits. Its numbers may be transferred. */
  take(): BacklogBatch | undefined {
    if (this.#full.length === 0 && !this.isEmpty) this.#cut();
    const batch = this.#full.shift();
    if (batch !== undefined) this.#takenSequence = batch.end.sequence;
    return batch;
  }

  #encodeTrade(event: Traded): void {
    const { auction } = event;
    const trade = [
      event.marketId,
      event.tradeId,
      event.takerSide === "sell",
      event.priceTicks,
      event.quantityLots,
      event.notional,
      event.baseAmount,
      event.makerOrderId,
      event.takerOrderId,
      event.makerAccount,
      event.takerAccount,
      event.makerFee,
      event.takerFee,
      event.makerRemainingLots,
      event.takerReleased,
    ] as const;
    if (auction === undefined) {
      this.#buffer.traded(...trade);
    } else {
      const { makerReleased, makerTicks, takerTicks } = auction;
      this.#buffer.tradedInAuction(...trade, makerReleased, makerTicks, takerTicks);
    }
  }

  #cut(): void {
    this.#full.push({ events: this.#buffer.take(), end: this.#end });
  }

  #encode(event: ExchangeEvent): void {
    const buffer = this.#buffer;
    switch (event.type) {
      case "accountOpened":
        if (event.kind !== "person") break;
        this.#people.add(event.account);
        buffer.rare(event);
        break;
      case "planAssigned":
      case "planChosen":
      case "planPeriodBegan":
      case "planLapsed":
      case "adjustmentApproved":
      case "practiceFundsReclaimed":
        if (this.#people.has(event.account)) buffer.rare(event);
        break;
      case "coinListed":
      case "marketListed":
      case "planDefined":
      case "planUpdated":
      case "practiceFundsTaken":
      case "simulationStarted":
        buffer.rare(event);
        break;
      case "orderPlaced":
        if (!this.#people.has(event.account)) break;
        buffer.orderPlaced(
          event.orderId,
          event.account,
          event.marketId,
          packOrderFlags(event.side, event.orderType, event.timeInForce, event.postOnly),
          event.priceTicks,
          event.quantityLots,
          event.quoteAmount,
          event.heldAmount,
          event.makerFeeBps,
          event.takerFeeBps,
          FEE_SOURCE_CODES[event.feeSource],
          event.clientOrderId,
          event.conditions,
          event.listId ?? 0,
        );
        break;
      case "traded":
        this.#encodeTrade(event);
        break;
      case "orderWaiting":
      case "orderActivated":
      case "quantityDecremented":
        if (this.#people.has(event.account)) buffer.rare(event);
        break;
      case "orderAmended":
        if (!this.#people.has(event.account)) break;
        buffer.orderAmended(
          event.orderId,
          event.account,
          event.marketId,
          event.side === "sell",
          event.priceTicks,
          event.quantityLots,
          event.remainingLots,
          event.heldAmount,
          event.releasedAmount,
          event.keptPriority,
          event.previousPriceTicks,
          event.previousVisibleLots,
          event.visibleLots,
        );
        break;
      case "orderEnded":
        if (!this.#people.has(event.account)) break;
        buffer.orderEnded(
          event.orderId,
          event.account,
          event.marketId,
          event.side === "sell",
          END_CODES[event.status],
          endReasonCode(event.reason),
          event.priceTicks,
          event.remainingLots,
          event.releasedAmount,
          event.wasResting,
          event.visibleLots,
        );
        break;
      default:
        break;
    }
  }
}
