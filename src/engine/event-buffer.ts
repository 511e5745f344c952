/**
 * Where the engine writes its events. An event is a row of float64 numbers in one growing array, so
 * that the hot path allocates nothing and a batch travels between threads as one buffer; strings,
 * and rare events as JSON, are kept in a separate list in the order of their rows (event-rows.ts).
 */
import type { OrderConditions } from "./commands.ts";
import {
  decodeEvents,
  decodeInSlices,
  FEE_SOURCES,
  HAS_TEXT,
  ROW_CODES,
  ROW_LENGTH,
  type EventBatch,
  type UnstampedEvent,
} from "./event-rows.ts";
import type { ExchangeEvent } from "./events.ts";
import { packOrderFlags } from "./formats/order-flags.ts";
import { endReasonCode, endStatusCode } from "./orders/end-codes.ts";
import { rejectReasonCode, type RejectReason } from "./reject-reasons.ts";

export { decodeEvents, decodeInSlices, type EventBatch };

const { REJECTED, REPEATED, PLACED, TRADED, RESTED, ENDED, RARE, AUCTIONED } = ROW_CODES;
const { PLACED_AND_RESTED, TRADED_AND_FILLED, AMENDED } = ROW_CODES;
const PLACED_LENGTH = ROW_LENGTH[PLACED];
const TRADED_LENGTH = ROW_LENGTH[TRADED];
const RESTED_LENGTH = ROW_LENGTH[RESTED];
const ENDED_LENGTH = ROW_LENGTH[ENDED];
const AMENDED_LENGTH = ROW_LENGTH[AMENDED];
const ROW_LENGTH_MAX = Math.max(...ROW_LENGTH);

const INITIAL_CAPACITY = 1 << 12;

export class EventBuffer {
  #rows: Float64Array = new Float64Array(INITIAL_CAPACITY);
  #length = 0;
  #texts: string[] = [];
  #sequence = 0;
  #timestampMs = 0;

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  /** How many numbers were written since the buffer was last emptied: how full a batch is. */
  get length(): number {
    return this.#length;
  }

  clear(): void {
    this.#length = 0;
    if (this.#texts.length > 0) this.#texts = [];
  }

  /** Removes and returns all rows, exactly sized: `rows.buffer` may be transferred. */
  take(): EventBatch<Float64Array<ArrayBuffer>> {
    const batch = { rows: this.#rows.slice(0, this.#length), texts: this.#texts };
    this.#length = 0;
    this.#texts = [];
    return batch;
  }

  /** Removes and returns all rows without copying them, and continues in the given array. */
  exchange(rows: Float64Array): EventBatch {
    const batch = { rows: this.#rows.subarray(0, this.#length), texts: this.#texts };
    this.#rows = rows;
    this.#length = 0;
    this.#texts = [];
    return batch;
  }

  /** Decodes the buffer's contents; for tests and small uses. */
  decode(): ExchangeEvent[] {
    return decodeEvents({ rows: this.#rows.slice(0, this.#length), texts: this.#texts });
  }

  /** Sets the command to which the following events belong. */
  begin(sequence: number, timestampMs: number): void {
    this.#sequence = sequence;
    this.#timestampMs = timestampMs;
  }

  /**
   * Writes an event that was decoded before, in the row from which it was or would have been
   * decoded.
   */
  write(event: ExchangeEvent): void {
    this.begin(event.sequence, event.timestampMs);
    switch (event.type) {
      case "commandRejected":
        this.commandRejected(event.reason);
        break;
      case "requestRepeated":
        this.requestRepeated(event.originalSequence, event.orderId);
        break;
      case "orderPlaced":
        this.orderPlaced(
          event.orderId,
          event.account,
          event.marketId,
          packOrderFlags(event),
          event.priceTicks,
          event.quantityLots,
          event.quoteAmount,
          event.heldAmount,
          event.makerFeeBps,
          event.takerFeeBps,
          FEE_SOURCES.indexOf(event.feeSource),
          event.clientOrderId,
          event.conditions,
          event.listId ?? 0,
        );
        break;
      case "traded":
        this.traded(
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
        );
        if (event.auction !== undefined) {
          const { makerReleased, makerTicks, takerTicks } = event.auction;
          this.auctioned(makerReleased, makerTicks, takerTicks);
        }
        break;
      case "orderRested":
        this.orderRested(
          event.orderId,
          event.account,
          event.marketId,
          event.side === "sell",
          event.priceTicks,
          event.remainingLots,
          event.visibleLots,
        );
        break;
      case "orderEnded":
        this.orderEnded(
          event.orderId,
          event.account,
          event.marketId,
          event.side === "sell",
          endStatusCode(event.status),
          endReasonCode(event.reason, event.isListExpired),
          event.priceTicks,
          event.remainingLots,
          event.releasedAmount,
          event.wasResting,
          event.visibleLots,
        );
        break;
      case "orderAmended":
        this.orderAmended(
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
      default:
        this.rare(event);
    }
  }

  commandRejected(reason: RejectReason): void {
    const at = this.#open(REJECTED, ROW_LENGTH[REJECTED]);
    this.#rows[at + 3] = rejectReasonCode(reason);
  }

  requestRepeated(originalSequence: number, orderId: number): void {
    const at = this.#open(REPEATED, ROW_LENGTH[REPEATED]);
    const rows = this.#rows;
    rows[at + 3] = originalSequence;
    rows[at + 4] = orderId;
  }

  /** Writes an event that has no row of its own. */
  rare(event: UnstampedEvent): void {
    const at = this.#open(RARE, ROW_LENGTH[RARE]);
    this.#rows[at + 3] = this.#text(JSON.stringify(event));
  }

  /** `feeSource` is an index into FEE_SOURCES, `listId` 0 if the order is in no list. */
  orderPlaced(
    orderId: number,
    account: number,
    marketId: number,
    flags: number,
    priceTicks: number,
    quantityLots: number,
    quoteAmount: number,
    heldAmount: number,
    makerFeeBps: number,
    takerFeeBps: number,
    feeSource: number,
    clientOrderId: string,
    conditions: OrderConditions | undefined,
    listId: number,
  ): void {
    const at = this.#open(PLACED, PLACED_LENGTH);
    const rows = this.#rows;
    rows[at + 3] = orderId;
    rows[at + 4] = account;
    rows[at + 5] = marketId;
    rows[at + 6] = flags;
    rows[at + 7] = priceTicks;
    rows[at + 8] = quantityLots;
    rows[at + 9] = quoteAmount;
    rows[at + 10] = heldAmount;
    rows[at + 11] = makerFeeBps;
    rows[at + 12] = takerFeeBps;
    rows[at + 13] = feeSource;
    rows[at + 14] = clientOrderId === "" ? 0 : this.#text(clientOrderId);
    rows[at + 15] = conditions === undefined ? 0 : this.#text(JSON.stringify(conditions));
    rows[at + 16] = listId;
  }

  traded(
    marketId: number,
    tradeId: number,
    takerSells: boolean,
    priceTicks: number,
    quantityLots: number,
    notional: number,
    baseAmount: number,
    makerOrderId: number,
    takerOrderId: number,
    makerAccount: number,
    takerAccount: number,
    makerFee: number,
    takerFee: number,
    makerRemainingLots: number,
    takerReleased: number,
  ): void {
    const at = this.#open(TRADED, TRADED_LENGTH);
    const rows = this.#rows;
    rows[at + 3] = marketId;
    rows[at + 4] = tradeId;
    rows[at + 5] = takerSells ? 1 : 0;
    rows[at + 6] = priceTicks;
    rows[at + 7] = quantityLots;
    rows[at + 8] = notional;
    rows[at + 9] = baseAmount;
    rows[at + 10] = makerOrderId;
    rows[at + 11] = takerOrderId;
    rows[at + 12] = makerAccount;
    rows[at + 13] = takerAccount;
    rows[at + 14] = makerFee;
    rows[at + 15] = takerFee;
    rows[at + 16] = makerRemainingLots;
    rows[at + 17] = takerReleased;
  }

  /** Marks the trade written last as part of an auction: both orders rested. */
  auctioned(makerReleased: number, makerTicks: number, takerTicks: number): void {
    // `#open` has reserved the space for these fields.
    const at = this.#length - TRADED_LENGTH;
    const rows = this.#rows;
    rows[at] = AUCTIONED;
    rows[at + 18] = makerReleased;
    rows[at + 19] = makerTicks;
    rows[at + 20] = takerTicks;
    this.#length = at + ROW_LENGTH[AUCTIONED];
  }

  /** Marks the placement written last: the order rests in full. */
  restedAsPlaced(): void {
    this.#rows[this.#length - PLACED_LENGTH] = PLACED_AND_RESTED;
  }

  /** Marks the trade written last: the maker has no lot left and ended as filled. */
  makerFilled(): void {
    this.#rows[this.#length - TRADED_LENGTH] = TRADED_AND_FILLED;
  }

  orderRested(
    orderId: number,
    account: number,
    marketId: number,
    sells: boolean,
    priceTicks: number,
    remainingLots: number,
    visibleLots: number,
  ): void {
    const at = this.#open(RESTED, RESTED_LENGTH);
    const rows = this.#rows;
    rows[at + 3] = orderId;
    rows[at + 4] = account;
    rows[at + 5] = marketId;
    rows[at + 6] = sells ? 1 : 0;
    rows[at + 7] = priceTicks;
    rows[at + 8] = remainingLots;
    rows[at + 9] = visibleLots;
  }

  /** `status` and `reason` are codes of end-codes.ts. */
  orderEnded(
    orderId: number,
    account: number,
    marketId: number,
    sells: boolean,
    status: number,
    reason: number,
    priceTicks: number,
    remainingLots: number,
    releasedAmount: number,
    wasResting: boolean,
    visibleLots: number,
  ): void {
    const at = this.#open(ENDED, ENDED_LENGTH);
    const rows = this.#rows;
    rows[at + 3] = orderId;
    rows[at + 4] = account;
    rows[at + 5] = marketId;
    rows[at + 6] = (sells ? 1 : 0) | (wasResting ? 2 : 0);
    rows[at + 7] = status;
    rows[at + 8] = reason;
    rows[at + 9] = priceTicks;
    rows[at + 10] = remainingLots;
    rows[at + 11] = releasedAmount;
    rows[at + 12] = visibleLots;
  }

  orderAmended(
    orderId: number,
    account: number,
    marketId: number,
    sells: boolean,
    priceTicks: number,
    quantityLots: number,
    remainingLots: number,
    heldAmount: number,
    releasedAmount: number,
    keptPriority: boolean,
    previousPriceTicks: number,
    previousVisibleLots: number,
    visibleLots: number,
  ): void {
    const at = this.#open(AMENDED, AMENDED_LENGTH);
    const rows = this.#rows;
    rows[at + 3] = orderId;
    rows[at + 4] = account;
    rows[at + 5] = marketId;
    rows[at + 6] = (sells ? 1 : 0) | (keptPriority ? 2 : 0);
    rows[at + 7] = priceTicks;
    rows[at + 8] = quantityLots;
    rows[at + 9] = remainingLots;
    rows[at + 10] = heldAmount;
    rows[at + 11] = releasedAmount;
    rows[at + 12] = previousPriceTicks;
    rows[at + 13] = previousVisibleLots;
    rows[at + 14] = visibleLots;
  }

  /** Makes room for a row, stamps it and returns its offset. */
  #open(code: number, length: number): number {
    const at = this.#length;
    if (at + ROW_LENGTH_MAX > this.#rows.length) this.#grow();
    const rows = this.#rows;
    rows[at] = code;
    rows[at + 1] = this.#sequence;
    rows[at + 2] = this.#timestampMs;
    this.#length = at + length;
    return at;
  }

  #grow(): void {
    const larger = new Float64Array(this.#rows.length * 2);
    larger.set(this.#rows);
    this.#rows = larger;
  }

  /** Stores a text of the current row. Returns the number by which the row marks it. */
  #text(text: string): number {
    this.#texts.push(text);
    return HAS_TEXT;
  }
}
