/** How far the requested price is from the market, and at which deviation the user is asked. */
import {
  compareDecimals,
  divideDecimals,
  isDecimal,
  multiplyDecimals,
  subtractDecimals,
} from "#contract/decimal.ts";
import type { Decimal } from "#contract/types.ts";
import { completeNumber } from "../../format/typed-number.ts";
import type { TicketContext, TicketSummary } from "./summary.ts";
import { isMarketNow, isTriggered, type TicketState } from "./ticket-state.ts";

const STORAGE_KEY = "openbell.trade.deviationPercent";
const PERCENT_DEFAULT = "5";
/** Choices for the confirmation; "never" turns it off. */
export const DEVIATION_CHOICES = ["0.5", "1", "2", "5", "10", "never"] as const;
export type DeviationChoice = (typeof DEVIATION_CHOICES)[number];

/**
 * For a limit, its distance from the best opposite price; for a triggered order, from its trigger;
 * for a market order, its effect on the price. In percent, two decimals, positive if worse.
 */
export function deviationOf(
  state: TicketState,
  { book }: TicketContext,
  summary: TicketSummary,
): Decimal | null {
  if (isMarketNow(state)) return summary.impactPercent;
  const best = (state.side === "buy" ? book?.asks[0] : book?.bids[0]) ?? null;
  const reference = isTriggered(state) ? completeNumber(state.texts.trigger) : best;
  if (summary.price === null || reference === null) return null;
  if (!isDecimal(reference) || !/[1-9]/.test(reference)) return null;
  const difference = subtractDecimals(summary.price, reference);
  const worse = state.side === "buy" ? difference : multiplyDecimals(difference, "-1");
  return divideDecimals(multiplyDecimals(worse, "100"), reference, 2, "nearest");
}

export function deviationChoice(): DeviationChoice {
  const kept = localStorage.getItem(STORAGE_KEY);
  return DEVIATION_CHOICES.find((choice) => choice === kept) ?? PERCENT_DEFAULT;
}

export function keepDeviationChoice(choice: DeviationChoice): void {
  localStorage.setItem(STORAGE_KEY, choice);
}

/** Whether the user wants to confirm an order this much worse than the market. */
export function isFarOff(deviation: Decimal | null, choice: DeviationChoice): boolean {
  return deviation !== null && choice !== "never" && compareDecimals(deviation, choice) > 0;
}
