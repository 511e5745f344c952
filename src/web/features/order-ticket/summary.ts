/**
 * Everything that follows from what is entered in the ticket: the order that would be sent, its cost,
 * fee, maximum and effect on the price. Pure and exact; estimates come from the visible book and say
 * that they are estimates.
 */
import { divide, formatDecimal, isDecimal, parseDecimal } from "#contract/decimal.ts";
import type { PlaceOrderArgs } from "#contract/functions.ts";
import type { Book, Decimal, Market } from "#contract/types.ts";
import {
  affordable,
  feeOf,
  type Level,
  notional,
  readLevels,
  type TicketScales,
  type Walk,
  walkQuantity,
  walkQuote,
} from "./book-walk.ts";
import type { TicketState } from "./ticket-state.ts";

export interface TicketContext {
  readonly market: Market;
  /** null while loading. */
  readonly book: Book | null;
  readonly available: { readonly base: Decimal; readonly quote: Decimal } | null;
  readonly fees: { readonly makerFeeBps: number; readonly takerFeeBps: number };
  /** Ledger decimals of both coins. */
  readonly scales: { readonly base: number; readonly quote: number };
}

export interface Money {
  readonly coin: string;
  readonly amount: Decimal;
}

export interface TicketSummary {
  /** The limit price where it is a number; null for market orders. */
  readonly price: Decimal | null;
  /** As entered or derived, in whole lots; an estimate for market orders by total. */
  readonly quantity: Decimal | null;
  /** Quote amount as entered or derived; an estimate for market orders by quantity. */
  readonly total: Decimal | null;
  readonly isEstimate: boolean;
  /** The most that can be ordered now: null while unknown. */
  readonly quantityMax: Decimal | null;
  readonly totalMax: Decimal | null;
  /** What leaves the balance at most, and what comes in after the fee. */
  readonly pays: Money | null;
  readonly receives: Money | null;
  readonly fee: Money | null;
  /** Which fee applies: "both" where one part trades at once and the rest waits. */
  readonly feeRole: "maker" | "taker" | "both";
  readonly averagePrice: Decimal | null;
  /** How much worse than the best price the average is, percent with two decimals. */
  readonly impactPercent: Decimal | null;
  /** The order is larger than what the page sees of the book. */
  readonly exceedsBook: boolean;
  /** The whole or a part would trade at once. */
  readonly wouldTrade: boolean;
}

/** The entered numbers as integers; `null` where the text is no usable number. */
export interface TicketNumbers {
  readonly scales: TicketScales;
  readonly lot: bigint;
  readonly price: bigint | null;
  readonly quantity: bigint | null;
  readonly total: bigint | null;
  readonly availableBase: bigint | null;
  readonly availableQuote: bigint | null;
  /** The side of the book that this order would trade against. */
  readonly levels: readonly Level[];
}

/** The most digits that anybody types; longer texts are no numbers here. */
export const TEXT_LENGTH_MAX = 32;

/** @returns null for empty, malformed or too fine numbers */
export function unitsOf(text: string, scale: number): bigint | null {
  const number = complete(text);
  if (number.length > TEXT_LENGTH_MAX || !isDecimal(number)) return null;
  try {
    return parseDecimal(number, scale);
  } catch {
    // More decimals than the scale has: errors.ts says so.
    return null;
  }
}

/** ".5" and "5." are numbers to a person. */
function complete(text: string): string {
  const whole = text.startsWith(".") ? `0${text}` : text;
  return whole.endsWith(".") ? whole.slice(0, -1) : whole;
}

export function readTicket(state: TicketState, context: TicketContext): TicketNumbers {
  const { market, book, available } = context;
  const price = market.priceDecimals;
  const quantity = market.quantityDecimals;
  const scales: TicketScales = {
    price,
    quantity,
    base: Math.max(context.scales.base, quantity),
    quote: Math.max(context.scales.quote, price + quantity),
  };
  const opposite = book === null ? [] : state.side === "buy" ? book.asks : book.bids;
  const { sizing } = state;
  return {
    scales,
    lot: unitsOf(market.lotSize, quantity) ?? 1n,
    price: state.type === "limit" ? unitsOf(state.priceText, price) : null,
    quantity: sizing.kind === "quantity" ? unitsOf(sizing.text, quantity) : null,
    total: sizing.kind === "total" ? unitsOf(sizing.text, scales.quote) : null,
    availableBase: available === null ? null : unitsOf(available.base, scales.base),
    availableQuote: available === null ? null : unitsOf(available.quote, scales.quote),
    levels: readLevels(
      opposite.map((text, index) => unitsOf(text, index % 2 === 0 ? price : quantity) ?? 0n),
    ),
  };
}

export function summarize(state: TicketState, context: TicketContext): TicketSummary {
  const numbers = readTicket(state, context);
  const { scales, lot, levels } = numbers;
  const maximum = maximumOf(state, context, numbers);
  const size = sizeOf(state, context, numbers, maximum);
  const now = tradesAtOnce(state, numbers, size);
  const restsQuantity = size.quantity === null ? 0n : size.quantity - now.quantity;
  const rests: Level[] =
    state.type === "limit" &&
    numbers.price !== null &&
    restsQuantity > 0n &&
    state.timeInForce === "gtc"
      ? [{ price: numbers.price, quantity: restsQuantity }]
      : [];
  const money = moneyOf(state, context, numbers, size, now, rests);
  const best = levels[0]?.price;
  const average =
    now.quantity > 0n
      ? divide(
          now.quote * 10n ** BigInt(scales.price + scales.quantity),
          now.quantity * 10n ** BigInt(scales.quote),
          "nearest",
        )
      : null;
  return {
    price: numbers.price === null ? null : formatDecimal(numbers.price, scales.price),
    quantity: size.quantity === null ? null : formatDecimal(size.quantity, scales.quantity),
    total: size.total === null ? null : formatDecimal(size.total, scales.quote),
    isEstimate: state.type === "market",
    quantityMax:
      maximum.quantity === null
        ? null
        : formatDecimal(wholeLots(maximum.quantity, lot), scales.quantity),
    totalMax: maximum.total === null ? null : formatDecimal(maximum.total, scales.quote),
    ...money,
    feeRole: feeRoleOf(state, now, rests),
    averagePrice: average === null ? null : formatDecimal(average, scales.price),
    impactPercent: average === null || best === undefined ? null : impactOf(average, best),
    exceedsBook: state.type === "market" && levels.length > 0 && !now.complete,
    wouldTrade: now.quantity > 0n,
  };
}

/** The order to send, for a ticket without errors. */
export function orderOf(
  state: TicketState,
  summary: TicketSummary,
  market: Market,
): Omit<PlaceOrderArgs, "clientOrderId"> {
  const common = { market: market.symbol, side: state.side, type: state.type };
  if (state.type === "limit") {
    return {
      ...common,
      timeInForce: state.timeInForce,
      postOnly: state.postOnly,
      ...(summary.price === null ? {} : { price: summary.price }),
      ...(summary.quantity === null ? {} : { quantity: summary.quantity }),
    };
  }
  if (isSizedByTotal(state)) {
    return { ...common, ...(summary.total === null ? {} : { quoteAmount: summary.total }) };
  }
  return { ...common, ...(summary.quantity === null ? {} : { quantity: summary.quantity }) };
}

/** Whether a market order says how much to spend or raise rather than how many coins. */
export function isSizedByTotal({ type, side, sizing }: TicketState): boolean {
  if (type !== "market") return false;
  return sizing.kind === "total" || (sizing.kind === "percent" && side === "buy");
}

interface Size {
  readonly quantity: bigint | null;
  readonly total: bigint | null;
}

function wholeLots(quantity: bigint, lot: bigint): bigint {
  return (quantity / lot) * lot;
}

function maximumOf(state: TicketState, { market }: TicketContext, numbers: TicketNumbers): Size {
  const { scales, lot, levels, price, availableBase, availableQuote } = numbers;
  const cap = unitsOf(market.quantityMax, scales.quantity);
  const capped = (quantity: bigint) => (cap !== null && quantity > cap ? cap : quantity);
  if (state.side === "buy") {
    if (availableQuote === null) return { quantity: null, total: null };
    if (state.type === "market") {
      return {
        quantity: capped(walkQuote(levels, availableQuote, lot, scales).quantity),
        total: availableQuote,
      };
    }
    if (price === null || price <= 0n) return { quantity: null, total: availableQuote };
    const quantity = capped(affordable(availableQuote, price, lot, scales));
    return { quantity, total: notional(price, quantity, scales) };
  }
  if (availableBase === null) return { quantity: null, total: null };
  const quantity = capped(
    wholeLots(availableBase / 10n ** BigInt(scales.base - scales.quantity), lot),
  );
  if (state.type === "market")
    return { quantity, total: walkQuantity(levels, quantity, scales).quote };
  return { quantity, total: price === null ? null : notional(price, quantity, scales) };
}

function sizeOf(
  state: TicketState,
  { market }: TicketContext,
  numbers: TicketNumbers,
  maximum: Size,
): Size {
  const { sizing, type } = state;
  const { scales, lot, levels, price } = numbers;
  if (isSizedByTotal(state)) {
    const total =
      sizing.kind === "percent"
        ? shareOf(
            maximum.total,
            sizing.percent,
            10n ** BigInt(scales.quote - Math.min(scales.quote, market.quoteDecimals)),
          )
        : numbers.total;
    if (total === null) return { quantity: null, total: null };
    const { quantity } = walkQuote(levels, total, lot, scales);
    return { quantity: levels.length === 0 ? null : quantity, total };
  }
  if (sizing.kind === "total") {
    if (numbers.total === null || price === null || price <= 0n)
      return { quantity: null, total: numbers.total };
    return { quantity: affordable(numbers.total, price, lot, scales), total: numbers.total };
  }
  const quantity =
    sizing.kind === "percent" ? shareOf(maximum.quantity, sizing.percent, lot) : numbers.quantity;
  if (quantity === null) return { quantity, total: null };
  if (type === "limit")
    return { quantity, total: price === null ? null : notional(price, quantity, scales) };
  return {
    quantity,
    total: levels.length === 0 ? null : walkQuantity(levels, quantity, scales).quote,
  };
}

function shareOf(maximum: bigint | null, percent: number, step: bigint): bigint | null {
  return maximum === null ? null : wholeLots((maximum * BigInt(percent)) / 100n, step);
}

const NOTHING: Walk = { fills: [], quantity: 0n, quote: 0n, worstPrice: null, complete: true };

function tradesAtOnce(
  state: TicketState,
  { scales, lot, levels, price }: TicketNumbers,
  size: Size,
): Walk {
  if (isSizedByTotal(state)) {
    return size.total === null ? NOTHING : walkQuote(levels, size.total, lot, scales);
  }
  if (size.quantity === null) return NOTHING;
  if (state.type === "market") return walkQuantity(levels, size.quantity, scales);
  if (price === null || state.postOnly) return NOTHING;
  return walkQuantity(levels, size.quantity, scales, { price, side: state.side });
}

function moneyOf(
  state: TicketState,
  { market, fees }: TicketContext,
  { scales, price }: TicketNumbers,
  size: Size,
  now: Walk,
  rests: readonly Level[],
): Pick<TicketSummary, "pays" | "receives" | "fee"> {
  const fills = [...now.fills, ...rests];
  if (size.quantity === null || fills.length === 0)
    return { pays: null, receives: null, fee: null };
  const fee =
    feeOf(now.fills, state.side, fees.takerFeeBps, scales) +
    feeOf(rests, state.side, fees.makerFeeBps, scales);
  const restsQuote = rests.reduce(
    (sum, rest) => sum + notional(rest.price, rest.quantity, scales),
    0n,
  );
  const quote = now.quote + restsQuote;
  const base =
    fills.reduce((sum, fill) => sum + fill.quantity, 0n) *
    10n ** BigInt(scales.base - scales.quantity);
  if (state.side === "buy") {
    // What is held: a limit order may cost its limit, although it may trade for less.
    const held =
      price === null
        ? isSizedByTotal(state)
          ? (size.total ?? quote)
          : quote
        : notional(price, size.quantity, scales);
    return {
      pays: { coin: market.quote, amount: formatDecimal(held, scales.quote) },
      receives: { coin: market.base, amount: formatDecimal(base - fee, scales.base) },
      fee: { coin: market.base, amount: formatDecimal(fee, scales.base) },
    };
  }
  return {
    pays: { coin: market.base, amount: formatDecimal(base, scales.base) },
    receives: { coin: market.quote, amount: formatDecimal(quote - fee, scales.quote) },
    fee: { coin: market.quote, amount: formatDecimal(fee, scales.quote) },
  };
}

function feeRoleOf(
  { type }: TicketState,
  now: Walk,
  rests: readonly Level[],
): TicketSummary["feeRole"] {
  if (type === "market") return "taker";
  if (now.quantity === 0n) return "maker";
  return rests.length > 0 ? "both" : "taker";
}

/** Distance of the average from the best price, never negative, in percent with two decimals. */
function impactOf(average: bigint, best: bigint): Decimal {
  const distance = average > best ? average - best : best - average;
  return formatDecimal(divide(distance * 10_000n, best, "nearest"), 2);
}
