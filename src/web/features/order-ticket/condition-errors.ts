/** Validates the fields of triggers and exits, by the same rules as the server. */
import { compareDecimals } from "#contract/decimal.ts";
import type { Decimal } from "#contract/types.ts";
import { formatExact } from "../../format/decimal-text.ts";
import { formatPrice } from "../../format/money.ts";
import { completeNumber, trailBpsOf } from "../../format/typed-number.ts";
import { priceProblem } from "./number-problems.ts";
import type { TicketContext, TicketSummary } from "./ticket-context.ts";
import { hasExits, isImmediateMarketOrder } from "./ticket-entries.ts";
import type { TextField, TicketError, TicketState } from "./ticket-state.ts";

export function triggerError(
  { condition, side, texts }: TicketState,
  { last, market }: TicketContext,
): TicketError | null {
  if (condition === "none") return null;
  if (condition === "trailingStop") {
    if (texts.trail === "") return { field: "trail", message: "Distance is missing." };
    return trailBpsOf(texts.trail) === null
      ? { field: "trail", message: "Distance must be between 0.01 % and 99.99 %." }
      : null;
  }
  const problem = priceProblem("Trigger price", texts.trigger, market);
  if (problem !== null) return { field: "trigger", message: problem };
  if (last === null) return null;
  const mustBeAbove = (side === "buy") === (condition !== "takeProfit");
  const difference = compareDecimals(completeNumber(texts.trigger), last);
  if (mustBeAbove ? difference > 0 : difference < 0) return null;
  return {
    field: "trigger",
    message: `Trigger price must be ${mustBeAbove ? "above" : "below"} the last price ${formatPrice(last, market.priceDecimals)} ${market.quote}.`,
  };
}

/** Validates the exits' prices: take-profit and stop-loss must lie on opposite sides of the entry price. */
export function exitErrors(
  state: TicketState,
  context: TicketContext,
  summary: TicketSummary,
): readonly (TicketError | null)[] {
  if (!hasExits(state)) return [];
  const { takeProfit, stopLoss } = state.texts;
  if (takeProfit === "" && stopLoss === "") {
    return [{ field: "takeProfit", message: "Enter a take-profit, a stop-loss or both." }];
  }
  const entry = isImmediateMarketOrder(state) ? context.last : summary.price;
  const isBuy = state.side === "buy";
  return [
    exitError("takeProfit", "Take-profit", takeProfit, isBuy, entry, context),
    exitError("stopLoss", "Stop-loss", stopLoss, !isBuy, entry, context),
  ];
}

function exitError(
  field: TextField,
  name: string,
  text: string,
  mustBeAbove: boolean,
  entry: Decimal | null,
  { market }: TicketContext,
): TicketError | null {
  if (text === "") return null;
  const problem = priceProblem(name, text, market);
  if (problem !== null) return { field, message: problem };
  if (entry === null) return null;
  const difference = compareDecimals(completeNumber(text), entry);
  if (mustBeAbove ? difference > 0 : difference < 0) return null;
  const bound = mustBeAbove ? "above" : "below";
  return {
    field,
    message: `${name} must be ${bound} the entry price ${formatExact(entry)} ${market.quote}.`,
  };
}
