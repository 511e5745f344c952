/**
 * Everything derived from the ticket's entries: the order that would be sent, its cost, fee,
 * maximum and effect on the price. Pure and exact; estimates come from the visible book and are
 * marked as such.
 */
import { divide, formatDecimal } from "#contract/decimal.ts";
import type { Decimal, Market } from "#contract/types.ts";
import { unitsOf } from "../../format/typed-number.ts";
import {
  affordable,
  feeOf,
  type Level,
  notional,
  parseLevels,
  type TicketScales,
  type Walk,
  walkQuantity,
  walkQuote,
} from "./book-walk.ts";
import type { TicketContext, TicketSummary } from "./ticket-context.ts";
import { isImmediateMarketOrder, isTriggered } from "./ticket-entries.ts";
import type { TicketState } from "./ticket-state.ts";

/** The entered numbers as integers; `null` if the text is not a valid number. */
export interface TicketNumbers {
  readonly scales: TicketScales;
  readonly lot: bigint;
  readonly limit: bigint | null;
  /**
   * The order's price: its limit, or the assumed price of an execution at the market after its
   * trigger; null for a market order.
   */
  readonly price: bigint | null;
  /** The worst price of a market order with a cap. */
  readonly cap: bigint | null;
  /** The price at which funds are held; for an OCO that of the more expensive order. */
  readonly worst: bigint | null;
  readonly quantity: bigint | null;
  readonly total: bigint | null;
  readonly availableBase: bigint | null;
  readonly availableQuote: bigint | null;
  /** The side of the book that this order would trade against. */
  readonly levels: readonly Level[];
}

const BPS_ONE = 10_000n;
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
  const cap = capOf(state, market, opposite[0]);
  const limit = state.type === "limit" ? unitsOf(state.priceText, price) : null;
  const ownPrice = state.type === "limit" ? limit : assumedExecutionPrice(state, context);
  return {
    scales,
    lot: unitsOf(market.lotSize, quantity) ?? 1n,
    limit,
    price: ownPrice,
    cap,
    worst:
      cap ??
      (state.condition === "oco"
        ? higherOf(limit, assumedExecutionPrice(state, context))
        : ownPrice),
    quantity: sizing.kind === "quantity" ? unitsOf(sizing.text, quantity) : null,
    total: sizing.kind === "total" ? unitsOf(sizing.text, scales.quote) : null,
    availableBase: available === null ? null : unitsOf(available.base, scales.base),
    availableQuote: available === null ? null : unitsOf(available.quote, scales.quote),
    levels: parseLevels(
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
    !isImmediateMarketOrder(state) &&
    numbers.price !== null &&
    restsQuantity > 0n &&
    (isTriggered(state) || state.timeInForce === "gtc" || state.timeInForce === "gtd")
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
    price: numbers.limit === null ? null : formatDecimal(numbers.limit, scales.price),
    cap: numbers.cap === null ? null : formatDecimal(numbers.cap, scales.price),
    quantity: size.quantity === null ? null : formatDecimal(size.quantity, scales.quantity),
    total: size.total === null ? null : formatDecimal(size.total, scales.quote),
    isEstimate: isImmediateMarketOrder(state),
    quantityMax:
      maximum.quantity === null
        ? null
        : formatDecimal(wholeLots(maximum.quantity, lot), scales.quantity),
    totalMax: maximum.total === null ? null : formatDecimal(maximum.total, scales.quote),
    ...money,
    feeRole: feeRoleOf(state, now, rests),
    averagePrice: average === null ? null : formatDecimal(average, scales.price),
    impactPercent: average === null || best === undefined ? null : impactOf(average, best),
    exceedsBook: isImmediateMarketOrder(state) && levels.length > 0 && !now.complete,
    wouldTrade: now.quantity > 0n,
  };
}

/** Whether a market order is sized by the quote amount to spend or raise instead of by coins. */
export function isSizedByTotal(state: TicketState): boolean {
  const { side, sizing, slippageBps } = state;
  // Orders with a price limit are sized in coins.
  if (!isImmediateMarketOrder(state) || slippageBps !== null) return false;
  return sizing.kind === "total" || (sizing.kind === "percent" && side === "buy");
}

/**
 * The assumed price of an order that executes at the market once triggered; a buy holds funds up to
 * its cap.
 */
function assumedExecutionPrice(state: TicketState, { market, last }: TicketContext): bigint | null {
  if (state.condition === "none") return null;
  const text = state.condition === "trailingStop" ? (last ?? "") : state.texts.trigger;
  const price = unitsOf(text, market.priceDecimals);
  if (price === null || state.side === "sell") return price;
  return price + divide(price * BigInt(market.protectionBps), BPS_ONE, "up");
}

function higherOf(left: bigint | null, right: bigint | null): bigint | null {
  return left === null || right === null || left > right ? left : right;
}

/**
 * The cap of a market order, rounded to a tick towards the best price, so that it is never worse than
 * entered.
 */
function capOf(state: TicketState, market: Market, best: Decimal | undefined): bigint | null {
  if (!isImmediateMarketOrder(state) || state.slippageBps === null || best === undefined)
    return null;
  const bestUnits = unitsOf(best, market.priceDecimals);
  const tick = unitsOf(market.tickSize, market.priceDecimals) ?? 1n;
  if (bestUnits === null) return null;
  const distance = (bestUnits * BigInt(state.slippageBps)) / BPS_ONE;
  return state.side === "buy"
    ? ((bestUnits + distance) / tick) * tick
    : divide(bestUnits - distance, tick, "up") * tick;
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
    if (isImmediateMarketOrder(state) && numbers.cap === null) {
      return {
        quantity: capped(walkQuote(levels, availableQuote, lot, scales).quantity),
        total: availableQuote,
      };
    }
    const { worst } = numbers;
    if (worst === null || worst <= 0n) return { quantity: null, total: availableQuote };
    const quantity = capped(affordable(availableQuote, worst, lot, scales));
    return { quantity, total: notional(worst, quantity, scales) };
  }
  if (availableBase === null) return { quantity: null, total: null };
  const quantity = capped(
    wholeLots(availableBase / 10n ** BigInt(scales.base - scales.quantity), lot),
  );
  if (isImmediateMarketOrder(state))
    return { quantity, total: walkQuantity(levels, quantity, scales).quote };
  return { quantity, total: price === null ? null : notional(price, quantity, scales) };
}

function sizeOf(
  state: TicketState,
  { market }: TicketContext,
  numbers: TicketNumbers,
  maximum: Size,
): Size {
  const { sizing } = state;
  const { scales, lot, levels } = numbers;
  const price = numbers.cap ?? numbers.price;
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
  if (!isImmediateMarketOrder(state))
    return { quantity, total: price === null ? null : notional(price, quantity, scales) };
  return {
    quantity,
    total: levels.length === 0 ? null : walkQuantity(levels, quantity, scales).quote,
  };
}

function shareOf(maximum: bigint | null, percent: number, step: bigint): bigint | null {
  return maximum === null ? null : wholeLots((maximum * BigInt(percent)) / 100n, step);
}

const NO_FILLS: Walk = { fills: [], quantity: 0n, quote: 0n, worstPrice: null, complete: true };

function tradesAtOnce(
  state: TicketState,
  { scales, lot, levels, price, cap }: TicketNumbers,
  size: Size,
): Walk {
  if (isTriggered(state)) return NO_FILLS;
  if (isSizedByTotal(state)) {
    return size.total === null ? NO_FILLS : walkQuote(levels, size.total, lot, scales);
  }
  if (size.quantity === null) return NO_FILLS;
  const { side } = state;
  if (isImmediateMarketOrder(state)) {
    const limit = cap === null ? undefined : { price: cap, side };
    return walkQuantity(levels, size.quantity, scales, limit);
  }
  if (price === null || state.postOnly) return NO_FILLS;
  return walkQuantity(levels, size.quantity, scales, { price, side });
}

function moneyOf(
  state: TicketState,
  { market, fees }: TicketContext,
  { scales, worst: price }: TicketNumbers,
  size: Size,
  now: Walk,
  rests: readonly Level[],
): Pick<TicketSummary, "pays" | "receives" | "fee" | "feeValue"> {
  const fills = [...now.fills, ...rests];
  if (size.quantity === null || fills.length === 0)
    return { pays: null, receives: null, fee: null, feeValue: null };
  // A triggered market order is a taker.
  const restFeeBps = state.type === "market" ? fees.takerFeeBps : fees.makerFeeBps;
  const fee =
    feeOf(now.fills, state.side, fees.takerFeeBps, scales) +
    feeOf(rests, state.side, restFeeBps, scales);
  const restsQuote = rests.reduce(
    (sum, rest) => sum + notional(rest.price, rest.quantity, scales),
    0n,
  );
  const quote = now.quote + restsQuote;
  const base =
    fills.reduce((sum, fill) => sum + fill.quantity, 0n) *
    10n ** BigInt(scales.base - scales.quantity);
  if (state.side === "buy") {
    // The amount held: a limit order may cost its limit, even if it trades for less.
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
      feeValue: formatDecimal(
        base === 0n ? 0n : divide(fee * quote, base, "nearest"),
        scales.quote,
      ),
    };
  }
  return {
    pays: { coin: market.base, amount: formatDecimal(base, scales.base) },
    receives: { coin: market.quote, amount: formatDecimal(quote - fee, scales.quote) },
    fee: { coin: market.quote, amount: formatDecimal(fee, scales.quote) },
    feeValue: formatDecimal(fee, scales.quote),
  };
}

function feeRoleOf(
  state: TicketState,
  now: Walk,
  rests: readonly Level[],
): TicketSummary["feeRole"] {
  if (state.type === "market") return "taker";
  if (isTriggered(state)) return "both";
  if (now.quantity === 0n) return "maker";
  return rests.length > 0 ? "both" : "taker";
}

/** Distance of the average price from the best price, never negative, in percent with two decimals. */
function impactOf(average: bigint, best: bigint): Decimal {
  const distance = average > best ? average - best : best - average;
  return formatDecimal(divide(distance * 10_000n, best, "nearest"), 2);
}
