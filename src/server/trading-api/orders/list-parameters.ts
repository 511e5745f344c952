/** The orders of a list from Binance's parameters, whose names have the order as a prefix. */
import { z } from "zod";
import { ORDER_TYPES } from "../order-enumerations.ts";
import { notInPair } from "../api-error.ts";
import { clientOrderId, decimal, symbol } from "../parameters.ts";
import {
  bothLimits,
  icebergNotResting,
  limitOnWrongSide,
  stopLossOnWrongSide,
  takeProfitOnWrongSide,
} from "./list-refusals.ts";
import {
  newOrder,
  orderArgsOf,
  type OrderParameters,
  type ProgramOrderArgs,
} from "./order-parameters.ts";

const { icebergQty, newOrderRespType, price, selfTradePreventionMode, side, stopPrice } =
  newOrder.shape;
const { strategyId, strategyType, timeInForce, trailingDelta } = newOrder.shape;

/** Parameters of each order of a list, except its type. */
const orderShape = {
  clientOrderId: clientOrderId.optional(),
  timeInForce,
  price,
  stopPrice,
  trailingDelta,
  icebergQty,
  strategyId,
  strategyType,
};
const pairType = z.enum(
  ["LIMIT_MAKER", "STOP_LOSS", "STOP_LOSS_LIMIT", "TAKE_PROFIT", "TAKE_PROFIT_LIMIT"],
  "pairType",
);
const pairShape = { type: pairType, ...orderShape };
const workingShape = { type: z.enum(["LIMIT", "LIMIT_MAKER"], "orderType"), ...orderShape };
const pendingShape = { type: z.enum(ORDER_TYPES, "orderType"), ...orderShape };

const listShape = {
  symbol,
  listClientOrderId: clientOrderId.optional(),
  newOrderRespType,
  selfTradePreventionMode,
};
const workingListShape = {
  ...listShape,
  ...named("working", { side, quantity: decimal, ...workingShape }),
};

export const newPair = z.object({
  ...listShape,
  side,
  quantity: decimal,
  ...named("above", pairShape),
  ...named("below", pairShape),
});

/** The deprecated form of `newPair`, with other names for the limit order and the stop. */
export const newFormerPair = z.object({
  ...listShape,
  side,
  quantity: decimal,
  price: decimal,
  limitClientOrderId: orderShape.clientOrderId,
  limitIcebergQty: icebergQty,
  limitStrategyId: strategyId,
  limitStrategyType: strategyType,
  stopClientOrderId: orderShape.clientOrderId,
  stopPrice,
  trailingDelta,
  stopLimitPrice: price,
  stopLimitTimeInForce: timeInForce,
  stopIcebergQty: icebergQty,
  stopStrategyId: strategyId,
  stopStrategyType: strategyType,
});

export const newWorkingAndPending = z.object({
  ...workingListShape,
  ...named("pending", { side, quantity: decimal, ...pendingShape }),
});

export const newWorkingAndPair = z.object({
  ...workingListShape,
  pendingSide: side,
  pendingQuantity: decimal,
  ...named("pendingAbove", pairShape),
  ...named("pendingBelow", pairShape),
});

type Side = z.output<typeof side>;
type PairType = z.output<typeof pairType>;
/** An order of a list, with its parameters' names without their prefix. */
type OrderOfList = OrderParameters & { readonly clientOrderId?: string | undefined };
type Shared = Pick<OrderParameters, "selfTradePreventionMode">;

/** @returns the limit order, then the trigger order. @throws ApiError */
export function argsOfPair(given: z.output<typeof newPair>): ProgramOrderArgs[] {
  return pairArgs(given, given.side, given.quantity, ["above", "below"]);
}

/** @returns the limit order, then the trigger order. @throws ApiError */
export function argsOfFormerPair(given: z.output<typeof newFormerPair>): ProgramOrderArgs[] {
  const { quantity, selfTradePreventionMode: mode, side, stopLimitPrice, trailingDelta } = given;
  const shared = { side, quantity, selfTradePreventionMode: mode };
  const limit: OrderOfList = {
    ...shared,
    type: "LIMIT_MAKER",
    clientOrderId: given.limitClientOrderId,
    price: given.price,
    icebergQty: given.limitIcebergQty,
    strategyId: given.limitStrategyId,
    strategyType: given.limitStrategyType,
  };
  const stop: OrderOfList = {
    ...shared,
    type: stopLimitPrice === undefined ? "STOP_LOSS" : "STOP_LOSS_LIMIT",
    clientOrderId: given.stopClientOrderId,
    price: stopLimitPrice,
    stopPrice: given.stopPrice,
    trailingDelta,
    timeInForce: given.stopLimitTimeInForce,
    icebergQty: given.stopIcebergQty,
    strategyId: given.stopStrategyId,
    strategyType: given.stopStrategyType,
  };
  const stopNames: Readonly<Record<string, string>> = {
    price: "stopLimitPrice",
    timeInForce: "stopLimitTimeInForce",
    icebergQty: "stopIcebergQty",
  };
  return [
    argsOf(limit, (term) => (term === "icebergQty" ? "limitIcebergQty" : term)),
    argsOf(stop, (term) => stopNames[term] ?? term),
  ];
}

/** @returns the working order, then the pending order. @throws ApiError */
export function argsOfWorkingAndPending(
  given: z.output<typeof newWorkingAndPending>,
): ProgramOrderArgs[] {
  return (["working", "pending"] as const).map((prefix) => {
    const quantity = given[`${prefix}Quantity`];
    return argsOf(orderOf(given, prefix, given[`${prefix}Side`], quantity), namesOf(prefix));
  });
}

/**
 * @returns the working order, the pending limit order, the pending trigger order. @throws ApiError
 */
export function argsOfWorkingAndPair(
  given: z.output<typeof newWorkingAndPair>,
): ProgramOrderArgs[] {
  const working = orderOf(given, "working", given.workingSide, given.workingQuantity);
  const prefixes = ["pendingAbove", "pendingBelow"] as const;
  return [
    argsOf(working, namesOf("working")),
    ...pairArgs(given, given.pendingSide, given.pendingQuantity, prefixes),
  ];
}

function pairArgs(
  given: Shared,
  side: Side,
  quantity: string,
  [above, below]: readonly [string, string],
): ProgramOrderArgs[] {
  const orders = [above, below].map((prefix) => {
    const order = orderOf(given, prefix, side, quantity);
    return { type: order.type as PairType, args: () => argsOf(order, namesOf(prefix)) };
  });
  const [ofAbove, ofBelow] = orders;
  checkSides(side, ofAbove.type, ofBelow.type);
  const [limit, trigger] = ofAbove.type === "LIMIT_MAKER" ? orders : orders.toReversed();
  return [limit.args(), trigger.args()];
}

/**
 * A pair is a limit order on the better side of the market and a stop on the other. Binance also
 * accepts a stop with a take profit; this exchange does not.
 */
function checkSides(side: Side, above: PairType, below: PairType): void {
  if (above === "LIMIT_MAKER" && below === "LIMIT_MAKER") throw bothLimits();
  const [better, worse] = side === "SELL" ? [above, below] : [below, above];
  if (worse === "LIMIT_MAKER") throw limitOnWrongSide(side);
  if (isTakeProfit(worse)) throw takeProfitOnWrongSide(side);
  if (better === "LIMIT_MAKER") return;
  throw isTakeProfit(better) ? notInPair() : stopLossOnWrongSide(side);
}

function isTakeProfit(type: PairType): boolean {
  return type === "TAKE_PROFIT" || type === "TAKE_PROFIT_LIMIT";
}

/** @param nameOf the parameter's name in the call */
function argsOf(order: OrderOfList, nameOf: (term: string) => string): ProgramOrderArgs {
  const { icebergQty, timeInForce } = order;
  if (icebergQty !== undefined && timeInForce !== undefined && timeInForce !== "GTC") {
    throw icebergNotResting(nameOf("icebergQty"), nameOf("timeInForce"));
  }
  const { clientOrderId } = order;
  return { ...orderArgsOf(order, nameOf), ...(clientOrderId && { clientOrderId }) };
}

/** The parameters of one order, found among those of the list by their prefix. */
function orderOf(given: Shared, prefix: string, side: Side, quantity: string): OrderOfList {
  const nameOf = namesOf(prefix);
  const parameters = given as Readonly<Record<string, unknown>>;
  const names = ["type", ...Object.keys(orderShape)];
  const terms = Object.fromEntries(names.map((name) => [name, parameters[nameOf(name)]]));
  const { selfTradePreventionMode } = given;
  // Safe: the schemas have checked each parameter under its prefixed name.
  return { ...(terms as unknown as OrderOfList), side, quantity, selfTradePreventionMode };
}

function namesOf(prefix: string): (term: string) => string {
  return (term) => prefix + term.charAt(0).toUpperCase() + term.slice(1);
}

type Named<Prefix extends string, Shape> = {
  [Name in keyof Shape & string as `${Prefix}${Capitalize<Name>}`]: Shape[Name];
};

function named<const Prefix extends string, Shape extends z.ZodRawShape>(
  prefix: Prefix,
  shape: Shape,
) {
  const nameOf = namesOf(prefix);
  const entries = Object.entries(shape).map(([name, type]) => [nameOf(name), type]);
  return Object.fromEntries(entries) as Named<Prefix, Shape>;
}
