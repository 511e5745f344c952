/**
 * What a person has entered in the order ticket, and nothing that follows from it: cost, fee,
 * maximum and errors are derived in summary.ts and errors.ts. Numbers stay the text that was typed.
 */
import type { Decimal, OrderType, Side, TimeInForce } from "#contract/types.ts";

/** How the size of the order was said last; the other ways of saying it are derived. */
export type Sizing =
  | { readonly kind: "quantity"; readonly text: string }
  | { readonly kind: "total"; readonly text: string }
  | { readonly kind: "percent"; readonly percent: number };

export type TicketField = "price" | "quantity" | "total";

export interface TicketState {
  readonly side: Side;
  readonly type: OrderType;
  readonly priceText: string;
  readonly sizing: Sizing;
  readonly timeInForce: TimeInForce;
  readonly postOnly: boolean;
  /** Fields that the person has left once: only these complain, until an order is tried. */
  readonly visited: readonly TicketField[];
  /** The person tried to send, so everything that is missing may complain. */
  readonly tried: boolean;
}

export type TicketAction =
  | { readonly type: "sideChosen"; readonly side: Side }
  | { readonly type: "typeChosen"; readonly orderType: OrderType }
  | { readonly type: "priceTyped"; readonly text: string }
  /** A price from the book, the chart or a step key. */
  | { readonly type: "priceChosen"; readonly price: Decimal }
  | { readonly type: "quantityTyped"; readonly text: string }
  | { readonly type: "totalTyped"; readonly text: string }
  | { readonly type: "percentChosen"; readonly percent: number }
  | { readonly type: "timeInForceChosen"; readonly timeInForce: TimeInForce }
  | { readonly type: "postOnlyToggled" }
  | { readonly type: "fieldLeft"; readonly field: TicketField }
  | { readonly type: "tried" }
  /** The order was accepted, or the person cleared the ticket. */
  | { readonly type: "cleared" }
  | { readonly type: "marketChanged" };

const EMPTY: Sizing = { kind: "quantity", text: "" };

export const INITIAL_TICKET: TicketState = {
  side: "buy",
  type: "limit",
  priceText: "",
  sizing: EMPTY,
  timeInForce: "gtc",
  postOnly: false,
  visited: [],
  tried: false,
};

// oxlint-disable-next-line typescript/consistent-return -- the compiler proves that every action has its case
export function reduceTicket(state: TicketState, action: TicketAction): TicketState {
  switch (action.type) {
    case "sideChosen":
      // The size meant the other coin's limit: 100 % of the dollars is not 100 % of the bitcoins.
      if (action.side === state.side) return state;
      return {
        ...state,
        side: action.side,
        sizing: state.sizing.kind === "percent" ? EMPTY : state.sizing,
        tried: false,
      };
    case "typeChosen":
      return action.orderType === state.type
        ? state
        : { ...state, type: action.orderType, visited: [], tried: false };
    case "priceTyped":
      return { ...state, priceText: numberText(action.text) };
    case "priceChosen":
      // A price from the book is meant for a limit order.
      return { ...state, type: "limit", priceText: action.price };
    case "quantityTyped":
      return { ...state, sizing: { kind: "quantity", text: numberText(action.text) } };
    case "totalTyped":
      return { ...state, sizing: { kind: "total", text: numberText(action.text) } };
    case "percentChosen":
      return { ...state, sizing: { kind: "percent", percent: clampPercent(action.percent) } };
    case "timeInForceChosen":
      // Only an order that may rest can be post-only.
      return {
        ...state,
        timeInForce: action.timeInForce,
        postOnly: state.postOnly && action.timeInForce === "gtc",
      };
    case "postOnlyToggled":
      return state.postOnly
        ? { ...state, postOnly: false }
        : { ...state, postOnly: true, timeInForce: "gtc" };
    case "fieldLeft":
      return state.visited.includes(action.field)
        ? state
        : { ...state, visited: [...state.visited, action.field] };
    case "tried":
      return { ...state, tried: true };
    case "cleared":
      return { ...state, sizing: EMPTY, visited: [], tried: false };
    case "marketChanged":
      return { ...state, priceText: "", sizing: EMPTY, visited: [], tried: false };
  }
}

const GROUPED = /^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d*)?$/;

/**
 * Typed or pasted text as a decimal: "64,000.50" loses its grouping, the comma of "0,5" is a point.
 * The field shows the outcome at once, so nobody sends what he did not see. Anything else is kept,
 * to be judged by errors.ts.
 */
export function numberText(text: string): string {
  const trimmed = text.replace(/[\s_']/g, "");
  return GROUPED.test(trimmed) ? trimmed.replaceAll(",", "") : trimmed.replace(",", ".");
}

function clampPercent(percent: number): number {
  return Math.min(100, Math.max(0, Math.round(percent)));
}
