/**
 * The user's entries in the order ticket. Cost, fee, maximum and errors are derived in summary.ts and
 * errors.ts. Numbers are stored as typed.
 */
import type {
  Decimal,
  OrderType,
  SelfTradePrevention,
  Side,
  TimeInForce,
} from "#contract/types.ts";
import { numberText } from "../../format/typed-number.ts";
import { type Condition, mayRest, type PlainEntries, type Sizing } from "./ticket-entries.ts";
import {
  NO_OPTION_TEXTS,
  type OptionCheckbox,
  UNCHECKED,
} from "./ticket-options/ticket-options.ts";

/**
 * Text fields that only some orders have: the trigger price, the trailing distance in percent, the
 * prices at which the position is closed, and those of the options.
 */
const NO_TEXTS = { trigger: "", trail: "", takeProfit: "", stopLoss: "", ...NO_OPTION_TEXTS };
export type TextField = keyof typeof NO_TEXTS;

export type TicketField = "price" | "quantity" | "total" | TextField;

/** Why an entry is invalid, and the field at fault. */
export interface TicketError {
  readonly field: TicketField;
  readonly message: string;
}

/** The user's entries, without the state of the form. */
export interface TicketEntries extends PlainEntries, Readonly<Record<OptionCheckbox, boolean>> {
  readonly texts: Readonly<Record<TextField, string>>;
}

export interface TicketState extends TicketEntries {
  /** Whether the price is the market's, filled in automatically: the user has neither typed nor chosen it. */
  readonly isPriceOffered: boolean;
  /** Fields that the user has left at least once: only these show errors before an attempt to send. */
  readonly visited: readonly TicketField[];
  /** Whether the user tried to send: all invalid fields then show errors. */
  readonly tried: boolean;
}

export type TicketAction =
  | { readonly type: "sideChosen"; readonly side: Side }
  /** Chooses a limit or market order without a condition. */
  | { readonly type: "typeChosen"; readonly orderType: OrderType }
  | { readonly type: "conditionChosen"; readonly condition: Exclude<Condition, "none"> }
  /** Chooses the type of an order with a trigger. */
  | { readonly type: "executionChosen"; readonly orderType: OrderType }
  | { readonly type: "priceTyped"; readonly text: string }
  /** Fills the market's price into an empty field. */
  | { readonly type: "priceOffered"; readonly price: Decimal }
  /** Sets a price from the book, the chart or an arrow key. */
  | { readonly type: "priceChosen"; readonly price: Decimal }
  | { readonly type: "quantityTyped"; readonly text: string }
  | { readonly type: "totalTyped"; readonly text: string }
  | { readonly type: "percentChosen"; readonly percent: number }
  | { readonly type: "textTyped"; readonly field: TextField; readonly text: string }
  | { readonly type: "timeInForceChosen"; readonly timeInForce: TimeInForce }
  | { readonly type: "exitsToggled" }
  | { readonly type: "optionToggled"; readonly checkbox: OptionCheckbox }
  | { readonly type: "selfTradesChosen"; readonly mode: SelfTradePrevention | null }
  | { readonly type: "slippageChosen"; readonly slippageBps: number | null }
  | { readonly type: "fieldLeft"; readonly field: TicketField }
  | { readonly type: "tried" }
  /** Clears the ticket: the order was accepted, or the user asked for it. */
  | { readonly type: "cleared" }
  | { readonly type: "marketChanged" }
  /** Restores the entries from before signing in. */
  | { readonly type: "restored"; readonly entries: TicketEntries };

const EMPTY: Sizing = { kind: "quantity", text: "" };

export const INITIAL_TICKET: TicketState = {
  side: "buy",
  type: "limit",
  condition: "none",
  priceText: "",
  sizing: EMPTY,
  timeInForce: "gtc",
  hasExits: false,
  selfTradePrevention: null,
  slippageBps: null,
  ...UNCHECKED,
  texts: NO_TEXTS,
  isPriceOffered: false,
  visited: [],
  tried: false,
};

/** The entries without an automatically filled price, which will be filled in again. */
export function entriesOf(state: TicketState): TicketEntries {
  const { visited: _visited, tried: _tried, isPriceOffered, ...entries } = state;
  return isPriceOffered ? { ...entries, priceText: "" } : entries;
}

// oxlint-disable-next-line typescript/consistent-return -- the compiler proves that every action has its case
export function reduceTicket(state: TicketState, action: TicketAction): TicketState {
  switch (action.type) {
    case "sideChosen":
      // A new side clears a percentage, which was a share of the other coin's balance.
      if (action.side === state.side) return state;
      return {
        ...state,
        side: action.side,
        // The price of the other side is filled in again.
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
    case "timeInForceChosen": {
      const chosen = { ...state, timeInForce: action.timeInForce };
      return mayRest(chosen) ? chosen : { ...chosen, ...UNCHECKED };
    }
    case "exitsToggled":
      return { ...state, hasExits: !state.hasExits };
    case "optionToggled": {
      const { [action.checkbox]: was, timeInForce } = state;
      const keepsTime = was || timeInForce === "gtd";
      return { ...state, [action.checkbox]: !was, timeInForce: keepsTime ? timeInForce : "gtc" };
    }
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
    case "restored": {
      if (!isUntouched(state)) return state;
      // An earlier release may have stored fewer entries.
      const texts = { ...state.texts, ...action.entries.texts };
      return { ...state, ...action.entries, texts, isPriceOffered: false };
    }
  }
}

/** Whether neither price nor size has been entered, not even before hydration. */
function isUntouched({ priceText, isPriceOffered, sizing }: TicketState): boolean {
  return (priceText === "" || isPriceOffered) && sizing.kind === "quantity" && sizing.text === "";
}

function clampPercent(percent: number): number {
  return Math.min(100, Math.max(0, Math.round(percent)));
}
