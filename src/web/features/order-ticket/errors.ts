/**
 * Validates the ticket before it is sent: each message names the field and the reason. The server
 * checks everything again; these are the same rules, worded for users.
 */
import { formatDecimal } from "#contract/decimal.ts";
import type { Book, Market } from "#contract/types.ts";
import { formatExact, formatDecimal as print } from "../../format/decimal-text.ts";
import { numberProblem, unitsOf } from "../../format/typed-number.ts";
import { notional } from "./book-walk.ts";
import { isSizedByTotal, readTicket, type TicketNumbers } from "./summary.ts";
import { exitErrors, triggerError } from "./condition-errors.ts";
import { stateRefusal } from "./market-rules.ts";
import { priceProblem, quantityProblem } from "./number-problems.ts";
import type { TicketContext, TicketSummary } from "./ticket-context.ts";
import { isImmediateMarketOrder, isTriggered } from "./ticket-entries.ts";
import { fieldsOf } from "./ticket-options/ticket-options.ts";
import type { TicketError, TicketField, TicketState } from "./ticket-state.ts";

/** Why no order, or none of the chosen kind, can be sent; null if one can. */
export function blockedReason(
  state: TicketState,
  { market, available }: TicketContext,
): string | null {
  return (
    stateRefusal(market.status, state) ?? (available === null ? "Loading your balances…" : null)
  );
}

interface Facts {
  readonly context: TicketContext;
  readonly numbers: TicketNumbers;
  readonly summary: TicketSummary;
  /** Quantity of the order that would be sent, in the integer units of `numbers`. */
  readonly quantity: bigint | null;
  readonly total: bigint | null;
}

/** All errors of the entries, at most one per field. */
export function findErrors(
  state: TicketState,
  context: TicketContext,
  summary: TicketSummary,
): TicketError[] {
  const numbers = readTicket(state, context);
  const quantity =
    summary.quantity === null ? null : unitsOf(summary.quantity, numbers.scales.quantity);
  const total = summary.total === null ? null : unitsOf(summary.total, numbers.scales.quote);
  const facts: Facts = { context, numbers, summary, quantity, total };
  return [
    priceError(state, context),
    sizeError(state, facts),
    triggerError(state, context),
    ...fieldsOf(state).map(({ name, problem }) => {
      const message = problem(state, context, summary);
      return message === null ? null : { field: name, message };
    }),
    ...exitErrors(state, context, summary),
  ].filter((error) => error !== null);
}

/**
 * Filters the errors that are due to be shown: those of fields with text or left once, or all after
 * an attempt to send.
 */
export function shownErrors(state: TicketState, errors: readonly TicketError[]): TicketError[] {
  return errors.filter(
    ({ field }) => state.tried || state.visited.includes(field) || textOf(state, field) !== "",
  );
}

function textOf({ priceText, sizing, texts }: TicketState, field: TicketField): string {
  if (field === "price") return priceText;
  if (field !== "quantity" && field !== "total") return texts[field];
  if (sizing.kind === "percent") return String(sizing.percent);
  return sizing.text;
}

function priceError(state: TicketState, { market, book }: TicketContext): TicketError | null {
  if (state.type !== "limit") return null;
  const error = (message: string): TicketError => ({ field: "price", message });
  const problem = priceProblem("Price", state.priceText, market);
  if (problem !== null) return error(problem);
  // An order with a trigger is checked against band and book only once it triggers.
  if (isTriggered(state)) return null;
  const tooFar = bandProblem(state, market, book);
  if (tooFar !== null) return error(tooFar);
  if (!state.postOnly || book === null) return null;
  const price = unitsOf(state.priceText, market.priceDecimals);
  const best = state.side === "buy" ? book.asks[0] : book.bids[0];
  const bestUnits = best === undefined ? null : unitsOf(best, market.priceDecimals);
  if (price === null || bestUnits === null || best === undefined) return null;
  const crosses = state.side === "buy" ? price >= bestUnits : price <= bestUnits;
  if (!crosses) return null;
  const [wanted, name] = state.side === "buy" ? ["below", "best ask"] : ["above", "best bid"];
  return error(
    `Price must be ${wanted} the ${name} ${formatExact(best)}: a post-only order may not trade at once.`,
  );
}

/**
 * The error for a price outside the market's band, as far as the book can tell: the band's centre
 * lies between best bid and best ask. Prices that pass here may still be refused by the server.
 */
function bandProblem(
  { side, priceText }: TicketState,
  { priceBand, priceDecimals, quote }: Market,
  book: Book | null,
): string | null {
  const price = unitsOf(priceText, priceDecimals);
  if (priceBand === null || book === null || price === null) return null;
  const { tradingBps, restingBps } = priceBand;
  const edge = (text: string | undefined, bps: number, sign: bigint): bigint | null => {
    const best = text === undefined ? null : unitsOf(text, priceDecimals);
    return best === null ? null : best + (sign * best * BigInt(bps)) / 10_000n;
  };
  const highest = edge(book.asks[0], side === "buy" ? tradingBps : restingBps, 1n);
  const lowest = edge(book.bids[0], side === "buy" ? restingBps : tradingBps, -1n);
  const say = (bound: string, units: bigint) =>
    `Price must be ${bound} ${formatExact(formatDecimal(units, priceDecimals))} ${quote}: this market takes no order further from its price.`;
  if (highest !== null && price > highest) return say("at most", highest);
  return lowest !== null && price < lowest ? say("at least", lowest) : null;
}

function sizeError(state: TicketState, facts: Facts): TicketError | null {
  const {
    context: { market, book },
    numbers,
  } = facts;
  const { sizing } = state;
  const field: TicketField = sizing.kind === "total" ? "total" : "quantity";
  const error = (message: string): TicketError => ({ field, message });
  const name = field === "total" ? "Total" : "Quantity";
  if (sizing.kind === "quantity") {
    const problem = quantityProblem(name, sizing.text, market);
    if (problem !== null) return error(problem);
  }
  if (sizing.kind === "total") {
    const step = formatDecimal(1, numbers.scales.quote);
    const problem = numberProblem(name, sizing.text, step, numbers.scales.quote, market.quote);
    if (problem !== null) return error(problem);
  }
  // Without a valid price the size cannot be checked; only the price has an error then.
  if (!isImmediateMarketOrder(state) && (numbers.price === null || numbers.price <= 0n))
    return null;
  if (isImmediateMarketOrder(state) && book !== null && numbers.levels.length === 0) {
    const missing = state.side === "buy" ? "selling" : "buying";
    return error(`${name} cannot be traded: no one is ${missing} ${market.base} right now.`);
  }
  const message = availableProblem(state, facts, name) ?? limitProblem(state, facts, name);
  return message === null ? null : error(message);
}

function availableProblem(state: TicketState, facts: Facts, name: string): string | null {
  const {
    context: { market },
    numbers: { scales, availableBase, availableQuote, lot },
  } = facts;
  if (state.side === "buy") {
    if (availableQuote === null) return null;
    if (availableQuote === 0n) return `${name} needs ${market.quote}, and you have none available.`;
    const cost = holdOf(state, facts);
    if (cost === null || cost <= availableQuote) return null;
    const wanted = print(formatDecimal(cost, scales.quote), market.quoteDecimals, "up");
    const available = print(
      formatDecimal(availableQuote, scales.quote),
      market.quoteDecimals,
      "down",
    );
    return `${name} costs ${wanted} ${market.quote}, but only ${available} ${market.quote} is available.`;
  }
  if (availableBase === null) return null;
  const sellable = (availableBase / 10n ** BigInt(scales.base - scales.quantity) / lot) * lot;
  if (sellable === 0n) return `${name} needs ${market.base}, and you have none available.`;
  const isShort =
    (facts.quantity ?? 0n) > sellable || (isSizedByTotal(state) && exceedsProceeds(facts));
  if (!isShort) return null;
  const available = formatExact(formatDecimal(sellable, scales.quantity));
  return `${name} is more than the ${available} ${market.base} available.`;
}

/** Whether a sale sized by total requests more than everything available would raise. */
function exceedsProceeds({ summary: { totalMax }, total, numbers: { scales } }: Facts): boolean {
  const maximum = totalMax === null ? null : unitsOf(totalMax, scales.quote);
  return total !== null && maximum !== null && total > maximum;
}

function limitProblem(state: TicketState, facts: Facts, name: string): string | null {
  const {
    context: { market },
    numbers: { scales },
    quantity,
  } = facts;
  if (quantity !== null && quantity <= 0n) {
    return `${name} is less than one lot of ${formatExact(market.lotSize)} ${market.base}.`;
  }
  const value = costOf(state, facts);
  const minimum = unitsOf(market.notionalMin, scales.quote) ?? 0n;
  if (value !== null && value < minimum) {
    return `${name} is below the minimum order of ${formatExact(market.notionalMin)} ${market.quote}.`;
  }
  const maximum = unitsOf(market.quantityMax, scales.quantity);
  if (quantity === null || maximum === null || quantity <= maximum) return null;
  return `${name} is above the largest order of ${formatExact(market.quantityMax)} ${market.base}.`;
}

/** The amount that a buy would hold, at the worst price at which it may trade. */
function holdOf(state: TicketState, facts: Facts): bigint | null {
  const { worst, scales } = facts.numbers;
  if (worst === null || facts.quantity === null) return costOf(state, facts);
  return notional(worst, facts.quantity, scales);
}

/** The order's value in the quote coin: at its limit, or estimated from the book. */
function costOf(
  state: TicketState,
  { numbers: { price, scales }, quantity, total }: Facts,
): bigint | null {
  if (isImmediateMarketOrder(state)) return total;
  return price === null || quantity === null ? null : notional(price, quantity, scales);
}
