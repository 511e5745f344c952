/**
 * Where the engine writes its events. An event is a row of float64 numbers in one growing array, so
 * that the hot path allocates nothing and a batch travels between threads as one buffer; strings,
 * and the rare events as JSON, stand in a list beside it in the order of their rows. A row says only
 * that a text belongs to it, so the rows and texts of some commands are the same however they are cut
 * into batches.
 *
 * A row is `[code, sequence, timestampMs, …fields]` and its length follows from its code. Where one
 * event says all that the next one would, as a trade does of the order that it filled, a single row
 * stands for both: they are the most frequent. Rows live between threads of one process only; they
 * are not a stored format. What writes rows and what reads them share a file, because the codes are
 * constants for the compiler only where they are not exported.
 */
import type { Amount, Lots, Ticks } from "./amount.ts";
import type { OrderConditions } from "./commands.ts";
import { endReasonCode, endReasonOf, endStatusCode, endStatusOf } from "./orders/end-codes.ts";
import type { ExchangeEvent, FeeSource } from "./events.ts";
import {
  orderTypeOfFlags,
  packOrderFlags,
  postOnlyOfFlags,
  sideOfFlags,
  timeInForceOfFlags,
} from "./formats/order-flags.ts";
import { REJECT_REASONS, rejectReasonCode, type RejectReason } from "./reject-reasons.ts";

/** What leaves a buffer. */
export interface EventBatch<Rows extends Float64Array = Float64Array> {
  readonly rows: Rows;
  readonly texts: string[];
}

/** Events without a row of their own: they are rare and carry objects. */
type RareEvent = Exclude<
  ExchangeEvent,
  {
    type:
      | "commandRejected"
      | "requestRepeated"
      | "orderPlaced"
      | "traded"
      | "orderRested"
      | "orderEnded"
      | "orderAmended";
  }
>;
type WithoutStamp<E> = E extends ExchangeEvent ? Omit<E, "sequence" | "timestampMs"> : never;
/** A rare event before the buffer stamps it. */
export type UnstampedEvent = WithoutStamp<RareEvent>;

const REJECTED = 1;
const REPEATED = 2;
const PLACED = 3;
const TRADED = 4;
const RESTED = 5;
const ENDED = 6;
const RARE = 7;
const AUCTIONED = 8;
/** A row for two events, the second of which follows from the first. */
const PLACED_AND_RESTED = 9;
const TRADED_AND_FILLED = 10;
const AMENDED = 11;
const PLACED_LENGTH = 17;
const TRADED_LENGTH = 18;
/** Length of a row by its code. */
const ROW_LENGTH = [
  0,
  4,
  5,
  PLACED_LENGTH,
  TRADED_LENGTH,
  10,
  13,
  4,
  21,
  PLACED_LENGTH,
  TRADED_LENGTH,
  15,
];
const ROW_LENGTH_MAX = 21;

export const FEE_FROM_PLAN = 0;
export const FEE_FROM_VOLUME = 1;
const FEE_SOURCES: readonly FeeSource[] = ["plan", "volume", "market"];

/** In a row, that the next of the texts is its own. */
const HAS_TEXT = 1;

const INITIAL_LENGTH = 1 << 12;

export class EventBuffer {
  #rows: Float64Array = new Float64Array(INITIAL_LENGTH);
  #length = 0;
  #texts: string[] = [];
  #sequence = 0;
  #timestampMs = 0;

  get isEmpty(): boolean {
    return this.#length === 0;
  }

  /** Numbers written since the last `clear`, a measure of how full a batch is. */
  get length(): number {
    return this.#length;
  }

  clear(): void {
    this.#length = 0;
    if (this.#texts.length > 0) this.#texts = [];
  }

  /** Takes everything out, exactly sized: `rows.buffer` may be transferred. */
  take(): EventBatch<Float64Array<ArrayBuffer>> {
    const batch = { rows: this.#rows.slice(0, this.#length), texts: this.#texts };
    this.#length = 0;
    this.#texts = [];
    return batch;
  }

  /** Takes everything out without copying it, and goes on in other rows. */
  exchange(rows: Float64Array): EventBatch {
    const batch = { rows: this.#rows.subarray(0, this.#length), texts: this.#texts };
    this.#rows = rows;
    this.#length = 0;
    this.#texts = [];
    return batch;
  }

  /** What stands in the buffer, decoded; for tests and small uses. */
  decode(): ExchangeEvent[] {
    return decodeEvents({ rows: this.#rows.slice(0, this.#length), texts: this.#texts });
  }

  /** Names the command whose events follow. */
  begin(sequence: number, timestampMs: number): void {
    this.#sequence = sequence;
    this.#timestampMs = timestampMs;
  }

  /** Writes an event that was decoded before, in the row that it came from or would have. */
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
          packOrderFlags(event.side, event.orderType, event.timeInForce, event.postOnly),
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
          endReasonCode(event.reason),
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
    const at = this.#open(REJECTED);
    this.#rows[at + 3] = rejectReasonCode(reason);
  }

  requestRepeated(originalSequence: number, orderId: number): void {
    const at = this.#open(REPEATED);
    const rows = this.#rows;
    rows[at + 3] = originalSequence;
    rows[at + 4] = orderId;
  }

  /** Any event without a row of its own. */
  rare(event: UnstampedEvent): void {
    const at = this.#open(RARE);
    this.#rows[at + 3] = this.#text(JSON.stringify(event));
  }

  /** `feeSource` is a place in FEE_SOURCES, `listId` 0 where the order is of no list. */
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
    const at = this.#open(PLACED);
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
    const at = this.#open(TRADED);
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

  /** The trade that was written last was one of an auction: both orders rested. */
  auctioned(makerReleased: number, makerTicks: number, takerTicks: number): void {
    // `#open` has left room for it.
    const at = this.#length - TRADED_LENGTH;
    const rows = this.#rows;
    rows[at] = AUCTIONED;
    rows[at + 18] = makerReleased;
    rows[at + 19] = makerTicks;
    rows[at + 20] = takerTicks;
    this.#length = at + ROW_LENGTH[AUCTIONED];
  }

  /** The order whose placement was written last rests with all that it asked for. */
  restedAsPlaced(): void {
    this.#rows[this.#length - PLACED_LENGTH] = PLACED_AND_RESTED;
  }

  /** The maker of the trade that was written last has no lot left and ended as filled. */
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
    const at = this.#open(RESTED);
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
    const at = this.#open(ENDED);
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
    const at = this.#open(AMENDED);
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

  /** Makes room for a row, stamps it and returns where it begins. */
  #open(code: number): number {
    const at = this.#length;
    if (at + ROW_LENGTH_MAX > this.#rows.length) this.#grow();
    const rows = this.#rows;
    rows[at] = code;
    rows[at + 1] = this.#sequence;
    rows[at + 2] = this.#timestampMs;
    this.#length = at + ROW_LENGTH[code];
    return at;
  }

  #grow(): void {
    const larger = new Float64Array(this.#rows.length * 2);
    larger.set(this.#rows);
    this.#rows = larger;
  }

  /** Keeps the text of the row being written; returns what stands in the row for it. */
  #text(text: string): number {
    this.#texts.push(text);
    return HAS_TEXT;
  }
}

/** The events of a batch as objects, in the order in which they happened. */
export function decodeEvents(batch: EventBatch): ExchangeEvent[] {
  const { rows } = batch;
  const texts = new TextReader(batch.texts);
  const events: ExchangeEvent[] = [];
  for (let at = 0; at < rows.length; at += ROW_LENGTH[rows[at]]) {
    events.push(decodeRow(rows, texts, at));
    if (rows[at] === PLACED_AND_RESTED) events.push(decodeRested(rows, at));
    else if (rows[at] === TRADED_AND_FILLED) events.push(decodeFilled(rows, at));
  }
  return events;
}

/** Hands out the texts of a batch as its rows ask for them. */
class TextReader {
  readonly #texts: readonly string[];
  #next = 0;

  constructor(texts: readonly string[]) {
    this.#texts = texts;
  }

  next(): string {
    return this.#texts[this.#next++];
  }
}

function decodeRow(rows: Float64Array, texts: TextReader, at: number): ExchangeEvent {
  const sequence = rows[at + 1];
  const timestampMs = rows[at + 2];
  switch (rows[at]) {
    case REJECTED:
      return {
        type: "commandRejected",
        sequence,
        timestampMs,
        reason: REJECT_REASONS[rows[at + 3]],
      };
    case REPEATED:
      return {
        type: "requestRepeated",
        sequence,
        timestampMs,
        originalSequence: rows[at + 3],
        orderId: rows[at + 4],
      };
    case PLACED:
    case PLACED_AND_RESTED:
      return {
        type: "orderPlaced",
        sequence,
        timestampMs,
        orderId: rows[at + 3],
        account: rows[at + 4],
        marketId: rows[at + 5],
        side: sideOfFlags(rows[at + 6]),
        orderType: orderTypeOfFlags(rows[at + 6]),
        timeInForce: timeInForceOfFlags(rows[at + 6]),
        postOnly: postOnlyOfFlags(rows[at + 6]),
        priceTicks: rows[at + 7] as Ticks,
        quantityLots: rows[at + 8] as Lots,
        quoteAmount: rows[at + 9] as Amount,
        heldAmount: rows[at + 10] as Amount,
        makerFeeBps: rows[at + 11],
        takerFeeBps: rows[at + 12],
        feeSource: FEE_SOURCES[rows[at + 13]],
        clientOrderId: rows[at + 14] === HAS_TEXT ? texts.next() : "",
        ...(rows[at + 15] === HAS_TEXT && {
          conditions: JSON.parse(texts.next()) as OrderConditions,
        }),
        ...(rows[at + 16] !== 0 && { listId: rows[at + 16] }),
      };
    case TRADED:
    case TRADED_AND_FILLED:
    case AUCTIONED:
      return {
        type: "traded",
        sequence,
        timestampMs,
        marketId: rows[at + 3],
        tradeId: rows[at + 4],
        takerSide: rows[at + 5] === 1 ? "sell" : "buy",
        priceTicks: rows[at + 6] as Ticks,
        quantityLots: rows[at + 7] as Lots,
        notional: rows[at + 8] as Amount,
        baseAmount: rows[at + 9] as Amount,
        makerOrderId: rows[at + 10],
        takerOrderId: rows[at + 11],
        makerAccount: rows[at + 12],
        takerAccount: rows[at + 13],
        makerFee: rows[at + 14] as Amount,
        takerFee: rows[at + 15] as Amount,
        makerRemainingLots: rows[at + 16] as Lots,
        takerReleased: rows[at + 17] as Amount,
        ...(rows[at] === AUCTIONED && {
          auction: {
            makerReleased: rows[at + 18] as Amount,
            makerTicks: rows[at + 19] as Ticks,
            takerTicks: rows[at + 20] as Ticks,
          },
        }),
      };
    case RESTED:
      return {
        type: "orderRested",
        sequence,
        timestampMs,
        orderId: rows[at + 3],
        account: rows[at + 4],
        marketId: rows[at + 5],
        side: rows[at + 6] === 1 ? "sell" : "buy",
        priceTicks: rows[at + 7] as Ticks,
        remainingLots: rows[at + 8] as Lots,
        visibleLots: rows[at + 9] as Lots,
      };
    case ENDED:
      return {
        type: "orderEnded",
        sequence,
        timestampMs,
        orderId: rows[at + 3],
        account: rows[at + 4],
        marketId: rows[at + 5],
        side: sideOfFlags(rows[at + 6]),
        status: endStatusOf(rows[at + 7]),
        reason: endReasonOf(rows[at + 8]),
        priceTicks: rows[at + 9] as Ticks,
        remainingLots: rows[at + 10] as Lots,
        releasedAmount: rows[at + 11] as Amount,
        wasResting: (rows[at + 6] & 2) === 2,
        visibleLots: rows[at + 12] as Lots,
      };
    case AMENDED:
      return {
        type: "orderAmended",
        orderId: rows[at + 3],
        account: rows[at + 4],
        marketId: rows[at + 5],
        side: sideOfFlags(rows[at + 6]),
        priceTicks: rows[at + 7] as Ticks,
        quantityLots: rows[at + 8] as Lots,
        remainingLots: rows[at + 9] as Lots,
        heldAmount: rows[at + 10] as Amount,
        releasedAmount: rows[at + 11] as Amount,
        keptPriority: (rows[at + 6] & 2) === 2,
        previousPriceTicks: rows[at + 12] as Ticks,
        previousVisibleLots: rows[at + 13] as Lots,
        visibleLots: rows[at + 14] as Lots,
        // Last, as in an event from JSON, which this one was: digests of events see the order.
        sequence,
        timestampMs,
      };
    case RARE:
      return {
        ...(JSON.parse(texts.next()) as UnstampedEvent),
        sequence,
        timestampMs,
      };
    default:
      throw new RangeError(`no event has the code ${rows[at]}`);
  }
}

/** What the row of a placement says of the order that rests as it was placed. */
function decodeRested(rows: Float64Array, at: number): ExchangeEvent {
  const quantityLots = rows[at + 8] as Lots;
  return {
    type: "orderRested",
    sequence: rows[at + 1],
    timestampMs: rows[at + 2],
    orderId: rows[at + 3],
    account: rows[at + 4],
    marketId: rows[at + 5],
    side: sideOfFlags(rows[at + 6]),
    priceTicks: rows[at + 7] as Ticks,
    remainingLots: quantityLots,
    visibleLots: quantityLots,
  };
}

/** What the row of a trade says of the maker whose last lot it took. */
function decodeFilled(rows: Float64Array, at: number): ExchangeEvent {
  return {
    type: "orderEnded",
    sequence: rows[at + 1],
    timestampMs: rows[at + 2],
    orderId: rows[at + 10],
    account: rows[at + 12],
    marketId: rows[at + 3],
    side: rows[at + 5] === 1 ? "buy" : "sell",
    status: "filled",
    reason: "filled",
    priceTicks: rows[at + 6] as Ticks,
    remainingLots: 0 as Lots,
    releasedAmount: 0 as Amount,
    wasResting: true,
    visibleLots: 0 as Lots,
  };
}
