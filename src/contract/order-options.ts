/**
 * The optional terms of orders, one entry each: the kind of its value, and the words for an order that
 * has it. Arguments (arguments.ts) and texts (order-words.ts, the order's page) are derived from it, so a
 * new option is added here alone. Pages load this file: the schemas of the kinds are in arguments.ts.
 */
import type { Decimal, ListKind, OrderTriggerType, SelfTradePrevention } from "./enumerations.ts";
import { SELF_TRADE_NAMES } from "./self-trade-names.ts";

/** The price condition for which an order waits: "trailingStop" has a distance, the others have a price. */
export interface OrderTrigger {
  readonly type: OrderTriggerType;
  /** The price that the last price must reach; of a placed trailing stop, its present one. */
  readonly price?: Decimal;
  /** A trailing stop's distance in basis points. */
  readonly trailBps?: number;
}

export interface OrderOptions {
  /** An iceberg's visible quantity: the largest quantity that the book shows of it. */
  readonly display?: Decimal;
  /** When a "gtd" order expires, milliseconds since 1970. */
  readonly expiresAt?: number;
  /** Default: the market's mode. */
  readonly selfTradePrevention?: SelfTradePrevention;
  readonly trigger?: OrderTrigger;
}

/** The optional terms of an order. */
export interface OrderSpecial extends OrderOptions {
  /** The condition for which the open order waits, in no book; absent once it is activated. */
  readonly waitsFor?: "trigger" | "workingOrder";
  /** The id of the order's list, and its kind. */
  readonly listId?: string;
  readonly listKind?: ListKind;
}

/**
 * An option's name and value on the order's own page; elsewhere a chip beside the order's name, and the
 * sentence that explains the chip.
 */
type OptionWords = readonly [name: string, value: string, chip: string, meaning: string];

/** Prints values for the reader. */
export interface PrintOptions {
  readonly quantity: (quantity: Decimal) => string;
  readonly time: (timeMs: number) => string;
}

/** The kind of a value; arguments.ts has the schema of each kind. */
type KindOf<Value> = Value extends number
  ? "timeMs"
  : Value extends OrderTrigger
    ? "trigger"
    : Value extends SelfTradePrevention
      ? "selfTradePrevention"
      : "decimal";

interface Option<Value> {
  readonly kind: KindOf<Value>;
  /** Absent if the order's name says it. */
  readonly words?: (value: Value, print: PrintOptions) => OptionWords;
}

const SELF_TRADE_EFFECTS: Record<SelfTradePrevention, string> = {
  expireTaker: "ends the incoming order",
  expireMaker: "ends the resting order",
  expireBoth: "ends both orders",
  decrement: "takes the smaller quantity off both",
};

type Values = Required<OrderOptions>;
export type OptionKind = { [Name in keyof Values]: KindOf<Values[Name]> }[keyof Values];

export const ORDER_OPTIONS: { readonly [Name in keyof Values]: Option<Values[Name]> } = {
  display: {
    kind: "decimal",
    words(display, print) {
      const visible = print.quantity(display);
      const meaning = `The book shows ${visible} of it at a time.`;
      return ["Visible quantity", visible, `Iceberg ${visible}`, meaning];
    },
  },
  expiresAt: {
    kind: "timeMs",
    words(expiresAt, print) {
      const end = print.time(expiresAt);
      return ["Ends on", end, `GTD ${end}`, `Ends on ${end}.`];
    },
  },
  selfTradePrevention: {
    kind: "selfTradePrevention",
    words(mode) {
      const name = SELF_TRADE_NAMES[mode];
      const meaning = `Meeting an order of your own ${SELF_TRADE_EFFECTS[mode]}.`;
      return ["Self-trade prevention", name, `STP ${name}`, meaning];
    },
  },
  trigger: { kind: "trigger" },
};

const NAMES = Object.keys(ORDER_OPTIONS) as (keyof OrderOptions)[];

/** The words for those of an order's options that its name does not say. */
export function wordsOf(options: OrderOptions, print: PrintOptions): readonly OptionWords[] {
  return NAMES.flatMap((name) => wordsOfOne(name, options[name], print));
}

function wordsOfOne<Name extends keyof OrderOptions>(
  name: Name,
  value: Values[Name] | undefined,
  print: PrintOptions,
): readonly OptionWords[] {
  const { words }: Option<Values[Name]> = ORDER_OPTIONS[name];
  return value === undefined || words === undefined ? [] : [words(value, print)];
}
