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

/** What a person decided, without how far they have come in the form. */
export interface TicketEntries {
  readonly side: Side;
  readonly type: OrderType;
  readonly priceText: string;
  readonly sizing: Sizing;
  readonly timeInForce: TimeInForce;
  readonly postOnly: boolean;
}

export interface TicketState extends TicketEntries {
  /** The price is the market's, offered to an empty field: nobody has typed or chosen it. */
  readonly isPriceOffered: boolean;
  /** Fields that the person has left once: only these complain, until an order is tried. */
  readonly visited: readonly TicketField[];
  /** The person tried to send, so everything that is missing may complain. */
  readonly tried: boolean;
}

export type TicketAction =
  | { readonly type: "sideChosen"; readonly side: Side }
  | { readonly type: "typeChosen"; readonly orderType: OrderType }
  | { readonly type: "priceTyped"; readonly text: string }
  /** The market's price, for a field with nothing in it. */
  | { readonly type: "priceOffered"; readonly price: Decimal }
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
  | { readonly type: "marketChanged" }
  /** What was entered before signing in. */
  | { readonly type: "restored"; readonly entries: TicketEntries };

const EMPTY: Sizing = { kind: "quantity", text: "" };

export const INITIAL_TICKET: TicketState = {
  side: "buy",
  type: "limit",
  priceText: "",
  sizing: EMPTY,
  timeInForce: "gtc",
  postOnly: false,
  isPriceOffered: false,
  visited: [],
  tried: false,
};

/** An offered price is left out: later another one will be offered. */
export function entriesOf({
  side,
  type,
  priceText,
  isPriceOffered,
  sizing,
  timeInForce,
  postOnly,
}: TicketState): TicketEntries {
  return {
    side,
    type,
    priceText: isPriceOffered ? "" : priceText,
    sizing,
    timeInForce,
    postOnly,
  };
}

// oxlint-disable-next-line typescript/consistent-return -- the compiler proves that every action has its case
export function reduceTicket(state: TicketState, action: TicketAction): TicketState {
  switch (action.type) {
    case "sideChosen":
      // The size meant the other coin's limit: 100 % of the dollars is not 100 % of the bitcoins.
      if (action.side === state.side) return state;
      return {
        ...state,
        side: action.side,
        // The other side's price is offered in its place.
        priceText: state.isPriceOffered ? "" : state.priceText,
        isPriceOffered: false,
        sizing: state.sizing.kind === "percent" ? EMPTY : state.sizing,
        tried: false,
      };
    case "typeChosen":
      return action.orderType === state.type
        ? state
        : { ...state, type: action.orderType, visited: [], tried: false };
    case "priceTyped":
      return { ...state, priceText: numberText(action.text), isPriceOffered: false };
    case "priceOffered":
      return state.priceText === ""
        ? { ...state, priceText: action.price, isPriceOffered: true }
        : state;
    case "priceChosen":
      // A price from the book is meant for a limit order.
      return { ...state, type: "limit", priceText: action.price, isPriceOffered: false };
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
      return {
        ...state,
        priceText: "",
        isPriceOffered: false,
        sizing: EMPTY,
        visited: [],
        tried: false,
      };
    case "restored":
      return isUntouched(state) ? { ...state, ...action.entries, isPriceOffered: false } : state;
  }
}

/** Neither a price nor a size was entered, also not before the page's script was there. */
function isUntouched({ priceText, isPriceOffered, sizing }: TicketState): boolean {
  return (priceText === "" || isPriceOffered) && sizing.kind === "quantity" && sizing.text === "";
}

const GROUPED = /^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d*)?$/;

/**
 * Typed or pasted text as a decimal: "64,000.50" loses its grouping, the comma of "0,5" is a point.
 * The field shows the outcome at once, so nobody sends what they did not see. Anything else is kept,
 * to be judged by errors.ts.
 */
export function numberText(text: string): string {
  const trimmed = text.replace(/[\s_']/g, "");
  return GROUPED.test(trimmed) ? trimmed.replaceAll(",", "") : trimmed.replace(",", ".");
}

function clampPercent(percent: number): number {
  return Math.min(100, Math.max(0, Math.round(percent)));
}
