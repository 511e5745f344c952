/**
 * What the user has entered in the order ticket, and nothing derived from it: cost, fee, maximum
 * and errors are derived in summary.ts and errors.ts. Numbers are stored as typed.
 */
import type {
  Decimal,
  OrderType,
  SelfTradePrevention,
  Side,
  TimeInForce,
} from "#contract/types.ts";
import { numberText } from "../../format/typed-number.ts";

/** The field in which the size was last entered; the others are derived. */
export type Sizing =
  | { readonly kind: "quantity"; readonly text: string }
  | { readonly kind: "total"; readonly text: string }
  | { readonly kind: "percent"; readonly percent: number };

/** What the order waits for; "oco" is a limit order with a stop beside it. */
export type Condition = "none" | "stop" | "takeProfit" | "trailingStop" | "oco";

/**
 * Fields that only some orders have: the trigger price, the trailing distance in percent, the
 * visible part of an iceberg, the local time at which an order ends, and the prices at which a
 * bought or sold position is closed.
 */
export const TEXT_FIELDS = [
  "trigger",
  "trail",
  "display",
  "end",
  "takeProfit",
  "stopLoss",
] as const;
export type TextField = (typeof TEXT_FIELDS)[number];

export type TicketField = "price" | "quantity" | "total" | TextField;

/** Why an entry cannot be sent, for the field at fault. */
export interface TicketError {
  readonly field: TicketField;
  readonly message: string;
}

/** The user's decisions, without the form's progress. */
export interface TicketEntries {
  readonly side: Side;
  /** How it goes to the market, at once or once its condition is met. */
  readonly type: OrderType;
  readonly condition: Condition;
  readonly priceText: string;
  readonly sizing: Sizing;
  readonly timeInForce: TimeInForce;
  readonly postOnly: boolean;
  readonly isIceberg: boolean;
  /** With a take-profit, a stop-loss or both, placed when the order has filled. */
  readonly hasExits: boolean;
  /** null uses the market's default. */
  readonly selfTradePrevention: SelfTradePrevention | null;
  /** Basis points by which a market order may be worse than the best price; null for the band. */
  readonly slippageBps: number | null;
  readonly texts: Readonly<Record<TextField, string>>;
}

export interface TicketState extends TicketEntries {
  /** The price is the market's, offered in an empty field: the user has neither typed nor chosen it. */
  readonly isPriceOffered: boolean;
  /** Fields that the user has left once: only these show errors until an attempt. */
  readonly visited: readonly TicketField[];
  /** The user tried to send, so all missing fields show errors. */
  readonly tried: boolean;
}

export type TicketAction =
  | { readonly type: "sideChosen"; readonly side: Side }
  /** A limit or market order without a condition. */
  | { readonly type: "typeChosen"; readonly orderType: OrderType }
  | { readonly type: "conditionChosen"; readonly condition: Exclude<Condition, "none"> }
  /** How an order with a trigger goes to the market. */
  | { readonly type: "executionChosen"; readonly orderType: OrderType }
  | { readonly type: "priceTyped"; readonly text: string }
  /** The market's price, for an empty field. */
  | { readonly type: "priceOffered"; readonly price: Decimal }
  /** A price from the book, the chart or an arrow key. */
  | { readonly type: "priceChosen"; readonly price: Decimal }
  | { readonly type: "quantityTyped"; readonly text: string }
  | { readonly type: "totalTyped"; readonly text: string }
  | { readonly type: "percentChosen"; readonly percent: number }
  | { readonly type: "textTyped"; readonly field: TextField; readonly text: string }
  | { readonly type: "timeInForceChosen"; readonly timeInForce: TimeInForce }
  | { readonly type: "postOnlyToggled" }
  | { readonly type: "icebergToggled" }
  | { readonly type: "exitsToggled" }
  | { readonly type: "selfTradesChosen"; readonly mode: SelfTradePrevention | null }
  | { readonly type: "slippageChosen"; readonly slippageBps: number | null }
  | { readonly type: "fieldLeft"; readonly field: TicketField }
  | { readonly type: "tried" }
  /** The order was accepted, or the user cleared the ticket. */
  | { readonly type: "cleared" }
  | { readonly type: "marketChanged" }
  /** The entries from before signing in. */
  | { readonly type: "restored"; readonly entries: TicketEntries };

const EMPTY: Sizing = { kind: "quantity", text: "" };
const NO_TEXTS: TicketEntries["texts"] = {
  trigger: "",
  trail: "",
  display: "",
  end: "",
  takeProfit: "",
  stopLoss: "",
};

export const INITIAL_TICKET: TicketState = {
  side: "buy",
  type: "limit",
  condition: "none",
  priceText: "",
  sizing: EMPTY,
  timeInForce: "gtc",
  postOnly: false,
  isIceberg: false,
  hasExits: false,
  selfTradePrevention: null,
  slippageBps: null,
  texts: NO_TEXTS,
  isPriceOffered: false,
  visited: [],
  tried: false,
};

/** An offered price is left out: a new one will be offered later. */
export function entriesOf(state: TicketState): TicketEntries {
  const { visited: _visited, tried: _tried, isPriceOffered, ...entries } = state;
  return isPriceOffered ? { ...entries, priceText: "" } : entries;
}

/** A market order that goes to the book now. */
export function isMarketNow({ type, condition }: TicketEntries): boolean {
  return type === "market" && condition === "none";
}

/** It waits for a price before it goes to the book. */
export function isTriggered({ condition }: TicketEntries): boolean {
  return condition !== "none" && condition !== "oco";
}

/** Only an order that may rest at a limit can be an iceberg, be post-only or have an end. */
export function mayRest({ type, timeInForce }: TicketEntries): boolean {
  return type === "limit" && (timeInForce === "gtc" || timeInForce === "gtd");
}

/** Whether the order has fields that only some orders have, besides its condition. */
export function hasExtraFields(state: TicketEntries): boolean {
  return (
    (state.isIceberg && mayRest(state)) ||
    (state.type === "limit" && state.timeInForce === "gtd") ||
    (state.hasExits && state.condition === "none")
  );
}

// oxlint-disable-next-line typescript/consistent-return -- the compiler proves that every action has its case
export function reduceTicket(state: TicketState, action: TicketAction): TicketState {
  switch (action.type) {
    case "sideChosen":
      // The percentage was of the other coin: 100 % of the dollars is not 100 % of the bitcoins.
      if (action.side === state.side) return state;
      return {
        ...state,
        side: action.side,
        // The other side's price is offered instead.
        priceText: state.isPriceOffered ? "" : state.priceText,
        isPriceOffered: false,
        sizing: state.sizing.kind === "percent" ? EMPTY : state.sizing,
        tried: false,
      };
    case "typeChosen":
      return action.orderType === state.type && state.condition === "none"
        ? state
        : { ...state, type: action.orderType, condition: "none", visited: [], tried: false };
    case "conditionChosen":
      return {
        ...state,
        condition: action.condition,
        type: action.condition === "oco" ? "limit" : "market",
        timeInForce: "gtc",
        hasExits: false,
        isIceberg: false,
        visited: [],
        tried: false,
      };
    case "executionChosen":
      return { ...state, type: action.orderType };
    case "priceTyped":
      return { ...state, priceText: numberText(action.text), isPriceOffered: false };
    case "priceOffered":
      return state.priceText === ""
        ? { ...state, priceText: action.price, isPriceOffered: true }
        : state;
    case "priceChosen":
      // A price picked from the book implies a limit order.
      return { ...state, type: "limit", priceText: action.price, isPriceOffered: false };
    case "quantityTyped":
      return { ...state, sizing: { kind: "quantity", text: numberText(action.text) } };
    case "totalTyped":
      return { ...state, sizing: { kind: "total", text: numberText(action.text) } };
    case "percentChosen":
      return { ...state, sizing: { kind: "percent", percent: clampPercent(action.percent) } };
    case "textTyped": {
      const text = action.field === "end" ? action.text : numberText(action.text);
      return { ...state, texts: { ...state.texts, [action.field]: text } };
    }
    case "timeInForceChosen":
      return withoutContradiction({ ...state, timeInForce: action.timeInForce });
    case "postOnlyToggled":
      return withoutContradiction({
        ...state,
        postOnly: !state.postOnly,
        timeInForce: state.timeInForce === "gtd" || state.postOnly ? state.timeInForce : "gtc",
      });
    case "icebergToggled":
      return {
        ...state,
        isIceberg: !state.isIceberg,
        timeInForce: state.timeInForce === "gtd" || state.isIceberg ? state.timeInForce : "gtc",
      };
    case "exitsToggled":
      return { ...state, hasExits: !state.hasExits };
    case "selfTradesChosen":
      return { ...state, selfTradePrevention: action.mode };
    case "slippageChosen":
      return { ...state, slippageBps: action.slippageBps };
    case "fieldLeft":
      return state.visited.includes(action.field)
        ? state
        : { ...state, visited: [...state.visited, action.field] };
    case "tried":
      return { ...state, tried: true };
    case "cleared":
      return { ...state, sizing: EMPTY, texts: NO_TEXTS, visited: [], tried: false };
    case "marketChanged":
      return {
        ...state,
        priceText: "",
        isPriceOffered: false,
        sizing: EMPTY,
        texts: NO_TEXTS,
        visited: [],
        tried: false,
      };
    case "restored":
      return isUntouched(state) ? { ...state, ...action.entries, isPriceOffered: false } : state;
  }
}

function withoutContradiction(state: TicketState): TicketState {
  const rests = mayRest(state);
  return { ...state, postOnly: state.postOnly && rests, isIceberg: state.isIceberg && rests };
}

/** Neither a price nor a size was entered, not even before the page's script had loaded. */
function isUntouched({ priceText, isPriceOffered, sizing }: TicketState): boolean {
  return (priceText === "" || isPriceOffered) && sizing.kind === "quantity" && sizing.text === "";
}

function clampPercent(percent: number): number {
  return Math.min(100, Math.max(0, Math.round(percent)));
}
