/**
 * Converts an order's terms from Binance's parameters to the arguments that all interfaces share.
 */
import { z } from "zod";
import type { OrderArgs } from "#contract/arguments.ts";
import {
  eitherQuantity,
  conflictingParameters,
  missingParameter,
  unwantedParameter,
} from "../api-error.ts";
import type { OrderTerms } from "#engine/order-terms.ts";
import { parseTerms } from "../../functions/order-terms.ts";
import type { MarketView } from "../../views/catalogue.ts";
import { icebergNotSmaller, unsupportedCombination } from "./order-refusals.ts";
import { clientOrderId, count, decimal, strategyId, strategyType, symbol } from "../parameters.ts";
import { ORDER_TYPES, SELF_TRADE_PREVENTION_MODES } from "../order-enumerations.ts";

type OrderTypeName = (typeof ORDER_TYPES)[number];

const side = z.enum(["BUY", "SELL"], "side");
export const TIMES_IN_FORCE = ["GTC", "IOC", "FOK"] as const;
const timeInForce = z.enum(TIMES_IN_FORCE, "timeInForce");
const selfTradePreventionMode = z.enum(SELF_TRADE_PREVENTION_MODES);
const newOrderRespType = z.enum(["ACK", "RESULT", "FULL"]);
export const cancelRestrictions = z.enum(
  ["ONLY_NEW", "ONLY_PARTIALLY_FILLED"],
  "cancelRestrictions",
);

/** Parameters that an order has, alone or in a list. */
export const orderTerms = {
  timeInForce: timeInForce.optional(),
  quantity: decimal.optional(),
  quoteOrderQty: decimal
    .meta({ description: "What a market order spends or receives, in the quote coin." })
    .optional(),
  price: decimal.optional(),
  stopPrice: decimal.meta({ description: "The price for which the order waits." }).optional(),
  trailingDelta: count
    .meta({
      type: "integer",
      minimum: 0,
      description: "How far a trailing stop follows the market, in basis points.",
    })
    .optional(),
  icebergQty: decimal.meta({ description: "How much of the order the book shows." }).optional(),
  selfTradePreventionMode: selfTradePreventionMode.optional(),
  strategyId: strategyId.optional(),
  strategyType: strategyType.optional(),
};

export const newOrder = z.object({
  symbol,
  side,
  type: z.enum(ORDER_TYPES, "orderType"),
  ...orderTerms,
  newClientOrderId: clientOrderId.optional(),
  newOrderRespType: newOrderRespType.optional(),
});

/** The parameters of one order. */
export type OrderParameters = Pick<z.output<typeof newOrder>, "side" | "type"> &
  Partial<Pick<z.output<typeof newOrder>, keyof typeof orderTerms>>;

type Term = keyof typeof orderTerms;

/** The arguments that all interfaces share, with those that only programs give. */
export interface ProgramOrderArgs extends OrderArgs {
  readonly strategyId?: number | undefined;
  readonly strategyType?: number | undefined;
}

interface Rule {
  /** Whether the order waits for a trigger. */
  readonly isTriggered: boolean;
  readonly needs: readonly Term[];
  readonly allows: readonly Term[];
}

const EVERY: readonly Term[] = ["selfTradePreventionMode", "strategyId", "strategyType"];

/** The terms that a type requires and those that it also allows (Binance's table of the call). */
const RULES: Readonly<Record<OrderTypeName, Rule>> = {
  LIMIT: {
    isTriggered: false,
    needs: ["timeInForce", "quantity", "price"],
    allows: ["icebergQty"],
  },
  LIMIT_MAKER: { isTriggered: false, needs: ["quantity", "price"], allows: ["icebergQty"] },
  MARKET: { isTriggered: false, needs: [], allows: ["quantity", "quoteOrderQty"] },
  STOP_LOSS: { isTriggered: true, needs: ["quantity"], allows: [] },
  STOP_LOSS_LIMIT: {
    isTriggered: true,
    needs: ["timeInForce", "quantity", "price"],
    allows: ["icebergQty"],
  },
  TAKE_PROFIT: { isTriggered: true, needs: ["quantity"], allows: [] },
  TAKE_PROFIT_LIMIT: {
    isTriggered: true,
    needs: ["timeInForce", "quantity", "price"],
    allows: ["icebergQty"],
  },
};

const TRIGGER: readonly Term[] = ["stopPrice", "trailingDelta"];

const TERMS = Object.keys(orderTerms) as Term[];
/** The terms that a type does not know. */
const UNKNOWN = new Map(
  Object.entries(RULES).map(([type, { allows, isTriggered, needs }]) => {
    const known = new Set([...EVERY, ...needs, ...allows, ...(isTriggered ? TRIGGER : [])]);
    return [type, TERMS.filter((term) => !known.has(term))];
  }),
);

/**
 * @param nameOf the parameter's name in the call; in a list it has a prefix
 * @throws ApiError for terms that are missing, not allowed for the order's type, or not supported
 * together
 */
export function orderArgsOf(
  order: OrderParameters,
  nameOf: (term: Term) => string = (term) => term,
): ProgramOrderArgs {
  const { isTriggered, needs } = RULES[order.type];
  for (const term of needs) if (order[term] === undefined) throw missingParameter(nameOf(term));
  for (const term of UNKNOWN.get(order.type) ?? []) {
    if (order[term] !== undefined) throw unwantedParameter(nameOf(term));
  }
  if (
    order.type === "MARKET" &&
    (order.quantity === undefined) === (order.quoteOrderQty === undefined)
  ) {
    throw eitherQuantity();
  }
  const { icebergQty, price, quantity, quoteOrderQty, selfTradePreventionMode: mode } = order;
  const isLimit = price !== undefined;
  const display = icebergQty !== undefined && Number(icebergQty) > 0 ? icebergQty : undefined;
  const mayRest = order.timeInForce === undefined || order.timeInForce === "GTC";
  if (display !== undefined && !mayRest) throw unsupportedCombination();
  return {
    side: order.side === "BUY" ? "buy" : "sell",
    type: isLimit ? "limit" : "market",
    ...(isLimit && order.timeInForce !== undefined && { timeInForce: TIMES[order.timeInForce] }),
    ...(order.type === "LIMIT_MAKER" && { postOnly: true }),
    price,
    quantity,
    quoteAmount: quoteOrderQty,
    display,
    selfTradePrevention: mode === undefined ? undefined : MODES[mode],
    strategyId: order.strategyId,
    strategyType: order.strategyType,
    ...(isTriggered && { trigger: triggerOf(order, nameOf) }),
  };
}

/**
 * The engine's terms of an order.
 * @throws ApiError, or FunctionError that names the invalid argument
 */
export function termsOf(args: ProgramOrderArgs, market: MarketView): OrderTerms {
  const terms = parseTerms(args, market);
  const { conditions, quantityLots } = terms;
  const displayLots = conditions?.displayLots;
  if (displayLots !== undefined && displayLots >= quantityLots) throw icebergNotSmaller();
  const { strategyId: id, strategyType: type } = args;
  // Without any, the order stays a plain one.
  if (id === undefined && type === undefined) return terms;
  return { ...terms, conditions: { ...conditions, strategyId: id, strategyType: type } };
}

const TIMES = { GTC: "gtc", IOC: "ioc", FOK: "fok" } as const;
const MODES = {
  EXPIRE_TAKER: "expireTaker",
  EXPIRE_MAKER: "expireMaker",
  EXPIRE_BOTH: "expireBoth",
  DECREMENT: "decrement",
} as const;

/** A trailing stop follows the market from its placement: it has no activation price. */
function triggerOf(
  { stopPrice, trailingDelta, type }: OrderParameters,
  nameOf: (term: Term) => string,
): NonNullable<OrderArgs["trigger"]> {
  const isStop = type === "STOP_LOSS" || type === "STOP_LOSS_LIMIT";
  if (trailingDelta !== undefined) {
    if (stopPrice !== undefined || !isStop) throw conflictingParameters();
    return { type: "trailingStop", trailBps: trailingDelta };
  }
  if (stopPrice === undefined) throw missingParameter(nameOf("stopPrice"));
  return { type: isStop ? "stop" : "takeProfit", price: stopPrice };
}
