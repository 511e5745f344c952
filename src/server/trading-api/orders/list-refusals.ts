/** Refusals of order lists, with Binance's codes and texts. */
import { ApiError } from "../api-error.ts";
import { PLACING_ERRORS } from "./order-refusals.ts";

const BAD_COMBINATION = -1128;
const NOT_IN_PAIR = -1158;
const ICEBERG_IN_PAIR = -1160;
const BUY_LIMIT_BELOW = -1165;
const SELL_LIMIT_ABOVE = -1166;
const BOTH_LIMITS = -1168;
const BUY_STOP_LOSS_ABOVE = -1196;
const SELL_STOP_LOSS_BELOW = -1197;
const BUY_TAKE_PROFIT_BELOW = -1198;
const SELL_TAKE_PROFIT_ABOVE = -1199;
const NEW_ORDER_REJECTED = -2010;
const CANCEL_REJECTED = -2011;
const NO_SUCH_LIST = -2018;

/** Errors of placing a list, except those that follow from its parameters. */
export const LIST_ERRORS = [...PLACING_ERRORS, ICEBERG_IN_PAIR] as const;

/** Errors of placing a list that has a pair. */
export const PAIR_ERRORS = [
  ...LIST_ERRORS,
  NOT_IN_PAIR,
  BUY_LIMIT_BELOW,
  SELL_LIMIT_ABOVE,
  BOTH_LIMITS,
  BUY_STOP_LOSS_ABOVE,
  SELL_STOP_LOSS_BELOW,
  BUY_TAKE_PROFIT_BELOW,
  SELL_TAKE_PROFIT_ABOVE,
] as const;

type Side = "BUY" | "SELL";

export const bothLimits = (): ApiError =>
  new ApiError(BOTH_LIMITS, "At least one OCO order must be contingent.");

export const limitOnWrongSide = (side: Side): ApiError =>
  side === "BUY"
    ? new ApiError(BUY_LIMIT_BELOW, "A limit order in a buy OCO must be below.")
    : new ApiError(SELL_LIMIT_ABOVE, "A limit order in a sell OCO must be above.");

export const stopLossOnWrongSide = (side: Side): ApiError =>
  side === "BUY"
    ? new ApiError(BUY_STOP_LOSS_ABOVE, "A stop loss order in a buy OCO must be above.")
    : new ApiError(SELL_STOP_LOSS_BELOW, "A stop loss order in a sell OCO must be below.");

export const takeProfitOnWrongSide = (side: Side): ApiError =>
  side === "BUY"
    ? new ApiError(BUY_TAKE_PROFIT_BELOW, "A take profit order in a buy OCO must be below.")
    : new ApiError(SELL_TAKE_PROFIT_ABOVE, "A take profit order in a sell OCO must be above.");

/** An iceberg order must be able to rest in the book. */
export const icebergNotResting = (iceberg: string, timeInForce: string): ApiError =>
  new ApiError(
    ICEBERG_IN_PAIR,
    `Parameter '${iceberg}' is not supported if '${timeInForce}' is not GTC.`,
  );

export const wrongPrices = (): ApiError =>
  new ApiError(NEW_ORDER_REJECTED, "The relationship of the prices for the orders is not correct.");

export const missingListId = (): ApiError =>
  new ApiError(
    BAD_COMBINATION,
    "Combination of optional parameters invalid. Recommendation: 'orderListId' should also be sent.",
  );

export const noSuchList = (): ApiError => new ApiError(NO_SUCH_LIST, "Order list does not exist.");

export const unknownList = (): ApiError =>
  new ApiError(CANCEL_REJECTED, "Unknown order list sent.");
