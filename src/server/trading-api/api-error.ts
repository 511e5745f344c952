/**
 * Refusals of the trading API: Binance's codes with Binance's texts, because clients map errors by
 * both (https://developers.binance.com/docs/binance-spot-api-docs/errors).
 */

import type { ErrorCode } from "./error-codes.ts";

export class ApiError extends Error {
  /** The HTTP status. */
  readonly status: number;
  readonly code: ErrorCode;
  /** After how many seconds the same request may succeed. */
  readonly retryAfterSeconds: number | undefined;

  constructor(code: ErrorCode, message: string, status = 400, retryAfterSeconds?: number) {
    super(message);
    this.status = status;
    this.code = code;
    this.retryAfterSeconds = retryAfterSeconds;
  }

  get body(): { readonly code: number; readonly msg: string } {
    return { code: this.code, msg: this.message };
  }
}

const UNKNOWN = -1000;
const TOO_MANY_REQUESTS = -1003;
const UNEXPECTED_RESPONSE = -1006;
const OVERLOADED = -1008;
const TOO_MANY_ORDERS = -1015;
const UNSUPPORTED_OPERATION = -1020;
const INVALID_TIMESTAMP = -1021;
const INVALID_SIGNATURE = -1022;
const TOO_MANY_CONNECTIONS = -1034;
const ILLEGAL_CHARACTERS = -1100;
const TOO_MANY_PARAMETERS = -1101;
const BAD_STRATEGY_TYPE = -1134;
const MISSING_PARAMETER = -1102;
const EMPTY_PARAMETER = -1105;
const UNWANTED_PARAMETER = -1106;
const BAD_TIME_IN_FORCE = -1115;
const BAD_ORDER_TYPE = -1116;
const BAD_SIDE = -1117;
const BAD_CANCEL_RESTRICTIONS = -1145;
const NOT_IN_PAIR = -1158;
const BAD_RECV_WINDOW = -1131;
const BAD_API_KEY_FORMAT = -2014;
const REJECTED_API_KEY = -2015;
const BAD_SYMBOL = -1121;
const OTHER_STATUS = -1220;
const BAD_INTERVAL = -1120;
const INVALID_PARAMETER = -1130;
const OPTIONAL_PARAMETERS = -1128;
const PERIOD_TOO_LONG = -1127;
const INVALID_LISTEN_KEY = -1125;
const WALLET_OPERATION = -4001;
const NO_WITHDRAWAL = -4019;

export const unknownCall = (): ApiError => new ApiError(UNKNOWN, "There is no such call.", 404);

export const wrongMethod = (): ApiError =>
  new ApiError(UNKNOWN, "This call does not take the method of the request.", 405);

export const internalError = (): ApiError =>
  new ApiError(UNKNOWN, "An unknown error occurred while processing the request.", 500);

export const unavailable = (): ApiError =>
  new ApiError(
    UNEXPECTED_RESPONSE,
    "An unexpected response was received from the message bus. Execution status unknown.",
    503,
  );

/** The server is overloaded. The command was not sequenced. */
export const overloaded = (): ApiError =>
  new ApiError(
    OVERLOADED,
    "Server is currently overloaded with other requests. Please try again in a few minutes.",
    503,
  );

export const tooMuchWeight = (
  limit: number,
  status: 418 | 429,
  retryAfterSeconds: number,
): ApiError =>
  new ApiError(
    TOO_MANY_REQUESTS,
    `Too much request weight used; current limit is ${limit} request weight per 1 MINUTE. ` +
      "Please use WebSocket Streams for live updates to avoid polling the API.",
    status,
    retryAfterSeconds,
  );

export const tooManyConnections = (max: number): ApiError =>
  new ApiError(
    TOO_MANY_CONNECTIONS,
    `Too many concurrent connections; current limit is '${max}'.`,
    429,
  );

export const tooManySubscriptions = (max: number): ApiError =>
  new ApiError(
    TOO_MANY_CONNECTIONS,
    `Too many subscriptions of user data; current limit is '${max}'.`,
    429,
  );

/** @param sentence which limit is exceeded, and how long to wait */
export const tooManyOrders = (sentence: string, retryAfterMs = 0): ApiError =>
  new ApiError(
    TOO_MANY_ORDERS,
    `Too many new orders. ${sentence}`,
    429,
    Math.max(1, Math.ceil(retryAfterMs / 1_000)),
  );

export const bodyTooLarge = (bytesMax: number): ApiError =>
  new ApiError(UNKNOWN, `The body may have at most ${bytesMax} bytes.`, 413);

export const unreadableBody = (): ApiError =>
  new ApiError(UNKNOWN, "The body must be application/x-www-form-urlencoded.", 415);

export const aheadOfTime = (): ApiError =>
  new ApiError(
    INVALID_TIMESTAMP,
    "Timestamp for this request was 1000ms ahead of the server's time.",
  );

export const outsideWindow = (): ApiError =>
  new ApiError(INVALID_TIMESTAMP, "Timestamp for this request is outside of the recvWindow.");

export const windowTooLong = (): ApiError =>
  new ApiError(BAD_RECV_WINDOW, "'recvWindow' must be less than 60000.");

export const wrongSignature = (): ApiError =>
  new ApiError(INVALID_SIGNATURE, "Signature for this request is not valid.");

export const repeatedRequest = (): ApiError =>
  new ApiError(INVALID_SIGNATURE, "This request was sent before.");

export const malformedKey = (): ApiError =>
  new ApiError(BAD_API_KEY_FORMAT, "API-key format invalid.", 401);

export const keyRefused = (): ApiError =>
  new ApiError(REJECTED_API_KEY, "Invalid API-key, IP, or permissions for action.", 401);

/** A key that cannot be used. Its owner may know why: the sentence suggests a remedy. */
export const unreadableKey = (sentence: string): ApiError =>
  new ApiError(REJECTED_API_KEY, sentence, 401);

export const unknownMethod = (): ApiError => new ApiError(UNKNOWN, "There is no such method.", 404);

export const sessionNeeded = (): ApiError =>
  new ApiError(REJECTED_API_KEY, "The connection has no session: log on first.", 401);

export const wrongSignatureKind = (): ApiError =>
  new ApiError(UNSUPPORTED_OPERATION, "Only Ed25519 keys can log on to a session.");

export const illegalCharacters = (name: string, legal: string): ApiError =>
  new ApiError(
    ILLEGAL_CHARACTERS,
    `Illegal characters found in parameter '${name}'; legal range is '${legal}'.`,
  );

export const tooManyParameters = (expected: number, received: number): ApiError =>
  new ApiError(
    TOO_MANY_PARAMETERS,
    `Too many parameters; expected '${expected}' and received '${received}'.`,
  );

export const repeatedParameter = (): ApiError =>
  new ApiError(TOO_MANY_PARAMETERS, "Duplicate values for a parameter detected.");

export const missingParameter = (name: string): ApiError =>
  new ApiError(
    MISSING_PARAMETER,
    `Mandatory parameter '${name}' was not sent, was empty/null, or malformed.`,
  );

export const emptyParameter = (name: string): ApiError =>
  new ApiError(EMPTY_PARAMETER, `Parameter '${name}' was empty.`);

export const invalidParameter = (name: string): ApiError =>
  new ApiError(INVALID_PARAMETER, `Data sent for parameter '${name}' is not valid.`);

export const conflictingParameters = (): ApiError =>
  new ApiError(OPTIONAL_PARAMETERS, "Combination of optional parameters invalid.");

export const unwantedParameter = (name: string): ApiError =>
  new ApiError(UNWANTED_PARAMETER, `Parameter '${name}' sent when not required.`);

export const eitherQuantity = (): ApiError =>
  new ApiError(
    MISSING_PARAMETER,
    "Either 'quantity' or 'quoteOrderQty' must be sent, and not both.",
  );

export const missingOrderId = (): ApiError =>
  new ApiError(
    MISSING_PARAMETER,
    "Param 'origClientOrderId' or 'orderId' must be sent, but both were empty/null!",
  );

export const badTimeInForce = (): ApiError =>
  new ApiError(BAD_TIME_IN_FORCE, "Invalid timeInForce.");

export const badCancelRestrictions = (): ApiError =>
  new ApiError(
    BAD_CANCEL_RESTRICTIONS,
    "cancelRestrictions has to be either ONLY_NEW or ONLY_PARTIALLY_FILLED.",
  );

export const badStrategyType = (): ApiError =>
  new ApiError(BAD_STRATEGY_TYPE, "strategyType was less than 1000000.");

export const badOrderType = (): ApiError => new ApiError(BAD_ORDER_TYPE, "Invalid orderType.");

/** An order type that no order of a pair can have. */
export const notInPair = (): ApiError =>
  new ApiError(NOT_IN_PAIR, "Order type not supported in OCO.");

export const badSide = (): ApiError => new ApiError(BAD_SIDE, "Invalid side.");

export const badSymbol = (): ApiError => new ApiError(BAD_SYMBOL, "Invalid symbol.");

export const otherStatus = (): ApiError =>
  new ApiError(OTHER_STATUS, "The symbol's status does not match the requested symbolStatus.");

export const invalidListenKey = (): ApiError =>
  new ApiError(INVALID_LISTEN_KEY, "This listenKey does not exist.");

export const badInterval = (): ApiError => new ApiError(BAD_INTERVAL, "Invalid interval.");

/** @param hours the longest period that the call accepts */
export const periodTooLong = (hours: number): ApiError =>
  new ApiError(PERIOD_TOO_LONG, `More than ${hours} hours between startTime and endTime.`);

export const depositsNotOffered = (): ApiError =>
  new ApiError(WALLET_OPERATION, "Invalid operation: no coin can be deposited here.");

export const depositNotAnnounced = (): ApiError =>
  new ApiError(
    WALLET_OPERATION,
    "Invalid operation: announce the deposit on the page Transfers first.",
  );

export const withdrawalsNotOffered = (): ApiError =>
  new ApiError(NO_WITHDRAWAL, "Current asset is not open for withdrawal.");
