/** Validates the fields of orders with conditions, by the same rules as the server. */
import { compareDecimals } from "#contract/decimal.ts";
import { ICEBERG_PARTS_MAX } from "#contract/iceberg-parts.ts";
import type { Decimal } from "#contract/types.ts";
import { formatExact } from "../../format/decimal-text.ts";
import { formatPrice } from "../../format/money.ts";
import { completeNumber, numberProblem, trailBpsOf, unitsOf } from "../../format/typed-number.ts";
import type { TicketContext, TicketSummary } from "./summary.ts";
import {
  isImmediateMarketOrder,
  mayRest,
  type TextField,
  type TicketError,
  type TicketState,
} from "./ticket-state.ts";

const DAYS_MAX = 366;
const DAY_MS = 86_400_000;

/**
 * Errors of the fields of orders with conditions.
 * @param nowMs milliseconds since 1970
 */
export function conditionErrors(
  state: TicketState,
  context: TicketContext,
  summary: TicketSummary,
  nowMs: number,
): TicketError[] {
  return [
    triggerError(state, context),
    displayError(state, context, summary),
    endError(state, nowMs),
    ...exitErrors(state, context, summary),
  ].filter((error) => error !== null);
}

function triggerError(state: TicketState, context: TicketContext): TicketError | null {
  const { condition, side, texts } = state;
  if (condition === "none") return null;
  if (condition === "trailingStop") {
    if (texts.trail === "") return { field: "trail", message: "Distance is missing." };
    return trailBpsOf(texts.trail) === null
      ? { field: "trail", message: "Distance must be between 0.01 % and 99.99 %." }
      : null;
  }
  const problem = priceProblem("Trigger price", texts.trigger, context);
  if (problem !== null) return { field: "trigger", message: problem };
  const { last, market } = context;
  if (last === null) return null;
  const mustBeAbove = (side === "buy") === (condition !== "takeProfit");
  const difference = compareDecimals(completeNumber(texts.trigger), last);
  if (mustBeAbove ? difference > 0 : difference < 0) return null;
  return {
    field: "trigger",
    message: `Trigger price must be ${mustBeAbove ? "above" : "below"} the last price ${formatPrice(last, market.priceDecimals)} ${market.quote}.`,
  };
}

function displayError(
  state: TicketState,
  { market }: TicketContext,
  { quantity }: TicketSummary,
): TicketError | null {
  if (!state.isIceberg || !mayRest(state)) return null;
  const field: TextField = "display";
  const { quantityDecimals, lotSize, base } = market;
  const problem = numberProblem(
    "Visible quantity",
    state.texts.display,
    lotSize,
    quantityDecimals,
    base,
  );
  if (problem !== null) return { field, message: problem };
  const shown = unitsOf(state.texts.display, quantityDecimals);
  const whole = quantity === null ? null : unitsOf(quantity, quantityDecimals);
  if (shown === null || whole === null) return null;
  if (shown >= whole) return { field, message: "Visible quantity must be less than the quantity." };
  return shown * BigInt(ICEBERG_PARTS_MAX) < whole
    ? { field, message: "Visible quantity must be at least a tenth of the quantity." }
    : null;
}

function endError(state: TicketState, nowMs: number): TicketError | null {
  if (state.type !== "limit" || state.timeInForce !== "gtd") return null;
  const endMs = new Date(state.texts.end).getTime();
  if (Number.isNaN(endMs)) return { field: "end", message: "End is missing." };
  if (endMs <= nowMs) return { field: "end", message: "End must be in the future." };
  return endMs > nowMs + DAYS_MAX * DAY_MS
    ? { field: "end", message: `End must be within ${DAYS_MAX} days.` }
    : null;
}

/** Validates the exits' prices: take-profit and stop-loss must lie on opposite sides of the entry price. */
function exitErrors(
  state: TicketState,
  context: TicketContext,
  summary: TicketSummary,
): (TicketError | null)[] {
  if (!state.hasExits || state.condition !== "none") return [];
  const { takeProfit, stopLoss } = state.texts;
  if (takeProfit === "" && stopLoss === "") {
    return [{ field: "takeProfit", message: "Enter a take-profit, a stop-loss or both." }];
  }
  const entry = isImmediateMarketOrder(state) ? context.last : summary.price;
  const isBuy = state.side === "buy";
  return [
    takeProfit === ""
      ? null
      : exitError("takeProfit", "Take-profit", takeProfit, isBuy, entry, context),
    stopLoss === "" ? null : exitError("stopLoss", "Stop-loss", stopLoss, !isBuy, entry, context),
  ];
}

function exitError(
  field: TextField,
  name: string,
  text: string,
  mustBeAbove: boolean,
  entry: Decimal | null,
  context: TicketContext,
): TicketError | null {
  const problem = priceProblem(name, text, context);
  if (problem !== null) return { field, message: problem };
  if (entry === null) return null;
  const difference = compareDecimals(completeNumber(text), entry);
  if (mustBeAbove ? difference > 0 : difference < 0) return null;
  const bound = mustBeAbove ? "above" : "below";
  return {
    field,
    message: `${name} must be ${bound} the entry price ${formatExact(entry)} ${context.market.quote}.`,
  };
}

function priceProblem(name: string, text: string, { market }: TicketContext): string | null {
  return numberProblem(name, text, market.tickSize, market.priceDecimals, market.quote);
}
