/**
 * The rows in which events leave the engine: their codes, lengths and columns.
 *
 * A row is `[code, sequence, timestampMs, …fields]` and its length follows from its code. If one
 * event implies the next, as a trade does the fill of its order, a single row encodes both: these
 * are the most frequent. A row only marks that a text belongs to it, so the rows and texts of
 * commands do not depend on how they are batched. Rows live between threads of one process only;
 * they are not a stored format.
 *
 * The writer of the columns (event-buffer.ts) and the reader here each spell them out: reading an
 * event by a description of its columns takes three times as long, and every view, projection and
 * snapshot reads every event.
 */
import type { Amount, Lots, Ticks } from "./amount.ts";
import type { OrderConditions } from "./commands.ts";
import type { ExchangeEvent, FeeSource } from "./events.ts";
import {
  orderTypeOfFlags,
  postOnlyOfFlags,
  sideOfFlags,
  timeInForceOfFlags,
} from "./formats/order-flags.ts";
import { endReasonOf, LIST_EXPIRED, endStatusOf } from "./orders/end-codes.ts";
import { REJECT_REASONS } from "./reject-reasons.ts";

export interface EventBatch<Rows extends Float64Array = Float64Array> {
  readonly rows: Rows;
  readonly texts: string[];
}

/** Events without a row of their own, which are rare and carry objects. */
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
/** A rare event as passed to the buffer, which adds sequence and time. */
export type UnstampedEvent = WithoutStamp<RareEvent>;

/**
 * Codes of the rows. Code on the hot path declares its own constants: those of another module are
 * loaded and checked at each use.
 */
export const ROW_CODES = {
  REJECTED: 1,
  REPEATED: 2,
  PLACED: 3,
  TRADED: 4,
  RESTED: 5,
  ENDED: 6,
  /** An event without a row of its own, as JSON. */
  RARE: 7,
  AUCTIONED: 8,
  /** A row for two events, the second of which follows from the first. */
  PLACED_AND_RESTED: 9,
  TRADED_AND_FILLED: 10,
  AMENDED: 11,
} as const;
const { REJECTED, REPEATED, PLACED, TRADED, RESTED, ENDED, RARE, AUCTIONED } = ROW_CODES;
const { PLACED_AND_RESTED, TRADED_AND_FILLED, AMENDED } = ROW_CODES;

export const ROW_LENGTH = [0, 4, 5, 17, 18, 10, 13, 4, 21, 17, 18, 15];

/** The sources of fees, indexed by their codes in rows. */
export const FEE_SOURCES: readonly FeeSource[] = ["plan", "volume", "market"];

/** Marks in a row that the next text belongs to it. */
export const HAS_TEXT = 1;

/** The events of a batch as objects, in the order in which they happened. */
export function decodeEvents(batch: EventBatch): ExchangeEvent[] {
  const { value } = decodeInSlices(batch, Infinity).next();
  return value?.events ?? [];
}

/**
 * Consecutive events of a batch. Unless `isWhole`, the next slice continues with the same command.
 */
export interface EventSlice {
  readonly events: ExchangeEvent[];
  readonly isWhole: boolean;
}

/** Decodes a batch in slices of at least `eventsMin` events, except for the last slice. */
export function* decodeInSlices(
  batch: EventBatch,
  eventsMin: number,
): Generator<EventSlice, undefined> {
  const { rows } = batch;
  // The rows consume their texts in order.
  let texts = 0;
  const nextText = () => batch.texts[texts++];
  let events: ExchangeEvent[] = [];
  for (let at = 0; at < rows.length;) {
    events.push(decodeRow(rows, nextText, at));
    if (rows[at] === PLACED_AND_RESTED) events.push(decodeRested(rows, at));
    else if (rows[at] === TRADED_AND_FILLED) events.push(decodeFilled(rows, at));
    const next = at + ROW_LENGTH[rows[at]];
    if (events.length >= eventsMin || next >= rows.length) {
      yield { events, isWhole: next >= rows.length || rows[next + 1] !== rows[at + 1] };
      events = [];
    }
    at = next;
  }
}

function decodeRow(rows: Float64Array, nextText: () => string, at: number): ExchangeEvent {
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
        clientOrderId: rows[at + 14] === HAS_TEXT ? nextText() : "",
        ...(rows[at + 15] === HAS_TEXT && {
          conditions: JSON.parse(nextText()) as OrderConditions,
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
        ...(rows[at + 8] === LIST_EXPIRED && { isListExpired: true }),
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
        // Last, as in the events' former encoding as JSON: digests of events depend on the order of
        // fields.
        sequence,
        timestampMs,
      };
    case RARE:
      return {
        ...(JSON.parse(nextText()) as UnstampedEvent),
        sequence,
        timestampMs,
      };
    default:
      throw new RangeError(`no event has the code ${rows[at]}`);
  }
}

/** The `orderRested` that the row of a placement implies: the order rests as placed. */
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

/** The `orderEnded` that the row of a trade implies: the maker is filled. */
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
