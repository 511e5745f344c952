/** Builds the request for an order or list from a valid ticket. */
import type { PlaceListArgs, PlaceOrderArgs } from "#contract/functions.ts";
import { formatDecimal } from "#contract/decimal.ts";
import type { Decimal, Market } from "#contract/types.ts";
import { completeNumber, trailBpsOf, unitsOf } from "../../format/typed-number.ts";
import type { ConfirmableKind } from "../../session/order-preferences.ts";
import { isSizedByTotal } from "./summary.ts";
import type { TicketSummary } from "./ticket-context.ts";
import { hasExits, isTriggered } from "./ticket-entries.ts";
import type { Terms } from "./ticket-options/ticket-option.ts";
import { optionsOf } from "./ticket-options/ticket-options.ts";
import type { TicketState } from "./ticket-state.ts";

/** A request without client order ids, which submission.ts adds. */
export type TicketRequest =
  | { readonly kind: "order"; readonly order: Omit<PlaceOrderArgs, "clientOrderId"> }
  | { readonly kind: "list"; readonly list: PlaceListArgs };

export function requestOf(
  state: TicketState,
  summary: TicketSummary,
  { symbol: market, priceDecimals }: Market,
): TicketRequest {
  const order = termsOf(state, summary, priceDecimals);
  if (state.condition === "oco") {
    const stop: Terms = {
      side: order.side,
      type: "market",
      ...quantityOf(summary),
      trigger: { type: "stop", price: priceOf(state.texts.trigger, priceDecimals) },
      ...selfTradesOf(state),
    };
    return { kind: "list", list: { market, kind: "oco", orders: [order, stop] } };
  }
  const exits = hasExits(state) ? exitsOf(state, priceDecimals) : [];
  if (exits.length === 0) return { kind: "order", order: { market, ...order } };
  const kind = exits.length === 2 ? "otoco" : "oto";
  return { kind: "list", list: { market, kind, orders: [order, ...exits] } };
}

/** The kind under which the order's confirmation is configured. */
export function confirmedKind(state: TicketState): ConfirmableKind {
  if (state.condition === "oco" || hasExits(state)) return "linked";
  return isTriggered(state) ? "triggered" : state.type;
}

function termsOf(state: TicketState, summary: TicketSummary, priceDecimals: number): Terms {
  const options: Partial<Terms> = Object.assign(
    {},
    ...optionsOf(state).map(({ terms }) => terms(state)),
  );
  const common = { ...options, side: state.side, type: state.type, ...selfTradesOf(state) };
  if (state.type === "limit") {
    return {
      ...common,
      ...triggerOf(state, priceDecimals),
      timeInForce: state.timeInForce,
      ...(summary.price === null ? {} : { price: summary.price }),
      ...quantityOf(summary),
    };
  }
  if (summary.cap !== null) {
    // A market order with its own cap is a limit order at the cap that never rests.
    return {
      ...common,
      type: "limit",
      timeInForce: "ioc",
      price: summary.cap,
      ...quantityOf(summary),
    };
  }
  if (isSizedByTotal(state) && summary.total !== null) {
    return { ...common, ...triggerOf(state, priceDecimals), quoteAmount: summary.total };
  }
  return { ...common, ...triggerOf(state, priceDecimals), ...quantityOf(summary) };
}

function triggerOf(state: TicketState, priceDecimals: number): Pick<Terms, "trigger"> {
  if (!isTriggered(state)) return {};
  if (state.condition === "trailingStop") {
    return { trigger: { type: "trailingStop", trailBps: trailBpsOf(state.texts.trail) ?? 1 } };
  }
  const type = state.condition === "stop" ? "stop" : "takeProfit";
  return { trigger: { type, price: priceOf(state.texts.trigger, priceDecimals) } };
}

/** Terms of the exits: on the opposite side, for the quantity that the entry order received. */
function exitsOf(state: TicketState, priceDecimals: number): Terms[] {
  const common = { side: state.side === "buy" ? "sell" : "buy", ...selfTradesOf(state) } as const;
  const { takeProfit, stopLoss } = state.texts;
  const profit: Terms = { ...common, type: "limit", price: priceOf(takeProfit, priceDecimals) };
  const stop: Terms = {
    ...common,
    type: "market",
    trigger: { type: "stop", price: priceOf(stopLoss, priceDecimals) },
  };
  return [...(takeProfit === "" ? [] : [profit]), ...(stopLoss === "" ? [] : [stop])];
}

/** A typed price with all decimals of the market's prices, as the exchange will name it. */
function priceOf(text: string, priceDecimals: number): Decimal {
  const units = unitsOf(text, priceDecimals);
  return units === null ? completeNumber(text) : formatDecimal(units, priceDecimals);
}

function quantityOf({ quantity }: TicketSummary): Pick<Terms, "quantity"> {
  return quantity === null ? {} : { quantity };
}

function selfTradesOf({ selfTradePrevention }: TicketState): Pick<Terms, "selfTradePrevention"> {
  return selfTradePrevention === null ? {} : { selfTradePrevention };
}
