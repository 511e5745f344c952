/**
 * Refusals of orders, with Binance's codes and texts: -1013 for filters, -2010 for other refusals
 * of a new order, -2011 for refusals of a cancellation
 * (https://developers.binance.com/docs/binance-spot-api-docs/errors).
 */
import { REJECT_REASONS, type RejectReason } from "#engine/reject-reasons.ts";
import type { OrderRecord } from "../../records/orders.ts";
import type { FunctionError } from "../../functions/function-error.ts";
import { statusOf } from "./describe-order.ts";
import {
  ApiError,
  invalidParameter,
  outsideWindow,
  overloaded,
  tooManyOrders,
} from "../api-error.ts";

const INVALID_MESSAGE = -1013;
const NEW_ORDER_REJECTED = -2010;
const CANCEL_REJECTED = -2011;
const NO_SUCH_ORDER = -2013;
const AMEND_REJECTED = -2038;

/** Errors of placing an order, except those that follow from its parameters. */
export const PLACING_ERRORS = [
  INVALID_MESSAGE,
  -1102,
  -1106,
  -1128,
  -1130,
  NEW_ORDER_REJECTED,
  CANCEL_REJECTED,
] as const;

type Refusal = () => ApiError;

const filter =
  (name: string): Refusal =>
  () =>
    new ApiError(INVALID_MESSAGE, `Filter failure: ${name}`);
const rejected =
  (text: string): Refusal =>
  () =>
    new ApiError(NEW_ORDER_REJECTED, text);

export const icebergNotSmaller = rejected("IcebergQty exceeds QTY.");
export const unsupportedCombination = rejected("Unsupported order combination");
export const duplicateOrder = rejected("Duplicate order sent.");
export const marketClosed = (): ApiError => new ApiError(INVALID_MESSAGE, "Market is closed.");
export const noSuchOrder = (): ApiError => new ApiError(NO_SUCH_ORDER, "Order does not exist.");
export const unknownOrder = (): ApiError => new ApiError(CANCEL_REJECTED, "Unknown order sent.");

/**
 * Refuses a cancellation if the order is not in the state that the caller requires.
 * @throws ApiError
 */
export function checkRestriction(
  order: OrderRecord,
  restriction: "ONLY_NEW" | "ONLY_PARTIALLY_FILLED",
): void {
  const wanted = restriction === "ONLY_NEW" ? "NEW" : "PARTIALLY_FILLED";
  if (statusOf(order) === wanted) return;
  throw new ApiError(CANCEL_REJECTED, "Order was not canceled due to cancel restrictions.");
}

export const quantityIncrease = (): ApiError =>
  new ApiError(AMEND_REJECTED, "Order amend (quantity increase) is not supported.");
export const unchangedOrder = (): ApiError =>
  new ApiError(AMEND_REJECTED, "The requested action would change no state; rejecting.");

/**
 * Whether the error is a refusal to cancel the order, because of the order's state or because there
 * is no such order.
 */
export function isCancelRefusal(error: unknown): error is ApiError {
  return error instanceof ApiError && error.code === CANCEL_REJECTED;
}

/** Converts a refusal of an order to one of an amendment. Filters keep their code. */
export function asAmendRefusal(error: ApiError): ApiError {
  const isOfOrder = error.code === NEW_ORDER_REJECTED || error.code === CANCEL_REJECTED;
  return isOfOrder ? new ApiError(AMEND_REJECTED, error.message) : error;
}

/** The engine's reasons that Binance has a text for; the others keep the exchange's own text. */
const BINANCE_REFUSALS: Partial<Record<RejectReason, Refusal>> = {
  unknownOrder,
  invalidReplacement: () =>
    new ApiError(
      CANCEL_REJECTED,
      "An order is replaced by one of its own market and side, and only if it is of no list.",
    ),
  nothingToChange: unchangedOrder,
  duplicateClientOrderId: duplicateOrder,
  marketNotTrading: marketClosed,
  invalidPrice: filter("PRICE_FILTER"),
  invalidQuantity: filter("LOT_SIZE"),
  quantityTooLarge: filter("LOT_SIZE"),
  notionalTooSmall: filter("NOTIONAL"),
  notionalTooLarge: filter("NOTIONAL"),
  priceOutsideBand: filter("PERCENT_PRICE_BY_SIDE"),
  tooManyOpenOrders: filter("EXCHANGE_MAX_NUM_ORDERS"),
  tooManyAlgoOrders: filter("EXCHANGE_MAX_NUM_ALGO_ORDERS"),
  invalidDisplay: filter("ICEBERG_PARTS"),
  // Invalid trigger prices are reported as invalid prices.
  invalidTrigger: filter("TRAILING_DELTA"),
  invalidAmount: () => invalidParameter("quoteOrderQty"),
  insufficientAvailable: rejected("Account has insufficient balance for requested action."),
  wouldCross: rejected("Order would immediately match and take."),
  wouldTriggerAtOnce: rejected("Stop price would trigger immediately."),
  accountFrozen: rejected("This action is disabled on this account."),
  requestExpired: outsideWindow,
  marketBusy: overloaded,
  limitReached: overloaded,
};

const reasons: ReadonlySet<string> = new Set(REJECT_REASONS);

/** Converts an error of the exchange to Binance's. */
export function apiErrorOf({ data }: FunctionError): ApiError {
  const { code, message, retryAfterMs } = data;
  if (code === "tooManyRequests") return tooManyOrders(message, retryAfterMs);
  if (!reasons.has(code)) return rejected(message)();
  const known = BINANCE_REFUSALS[code as RejectReason];
  return known === undefined ? rejected(message)() : known();
}
