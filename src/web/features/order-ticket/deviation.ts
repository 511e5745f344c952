/** Computes how far an order's price is from the market. */
import {
  compareDecimals,
  divideDecimals,
  isDecimal,
  multiplyDecimals,
  subtractDecimals,
} from "#contract/decimal.ts";
import type { Decimal } from "#contract/types.ts";
import { completeNumber } from "../../format/typed-number.ts";
import type { Deviation } from "../../session/order-preferences.ts";
import type { TicketContext, TicketSummary } from "./ticket-context.ts";
import { isImmediateMarketOrder, isTriggered } from "./ticket-entries.ts";
import type { TicketState } from "./ticket-state.ts";

/**
 * The deviation in percent with two decimals, positive if worse. For a limit order it is relative to
 * the best opposite price; for a triggered order, to its trigger; for a market order it is the price
 * impact.
 */
export function deviationOf(
  state: TicketState,
  { book }: TicketContext,
  summary: TicketSummary,
): Decimal | null {
  if (isImmediateMarketOrder(state)) return summary.impactPercent;
  const best = (state.side === "buy" ? book?.asks[0] : book?.bids[0]) ?? null;
  const reference = isTriggered(state) ? completeNumber(state.texts.trigger) : best;
  if (summary.price === null || reference === null) return null;
  if (!isDecimal(reference) || !/[1-9]/.test(reference)) return null;
  const difference = subtractDecimals(summary.price, reference);
  const worse = state.side === "buy" ? difference : multiplyDecimals(difference, "-1");
  return divideDecimals(multiplyDecimals(worse, "100"), reference, 2, "nearest");
}

/** Whether the user wants to confirm an order with this deviation. */
export function isFarOff(deviation: Decimal | null, choice: Deviation): boolean {
  return deviation !== null && choice !== "never" && compareDecimals(deviation, choice) > 0;
}
