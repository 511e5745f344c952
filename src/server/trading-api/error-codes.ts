/**
 * Every error code of the trading API, with Binance's names
 * (https://developers.binance.com/docs/binance-spot-api-docs/errors). An error with another code
 * does not compile, so the documents are complete.
 */

interface DescribedCode {
  readonly name: string;
  /** HTTP statuses. */
  readonly statuses: readonly number[];
  readonly meaning: string;
}

export const ERROR_CODES = {
  "-1000": {
    name: "UNKNOWN",
    statuses: [404, 405, 413, 415, 500],
    meaning: "There is no such call, its body cannot be read, or the exchange failed.",
  },
  "-1003": {
    name: "TOO_MANY_REQUESTS",
    statuses: [429, 418],
    meaning: "The address or the user has used the request weight of this minute, or is shut out.",
  },
  "-1006": {
    name: "UNEXPECTED_RESP",
    statuses: [503],
    meaning: "The exchange stopped meanwhile: whether the command took effect is unknown.",
  },
  "-1008": {
    name: "SERVER_BUSY",
    statuses: [503],
    meaning: "Too much waits; nothing was done.",
  },
  "-1013": {
    name: "INVALID_MESSAGE",
    statuses: [400],
    meaning: "A filter of the market refuses the order; the text names it.",
  },
  "-1015": {
    name: "TOO_MANY_ORDERS",
    statuses: [429],
    meaning: "The allowance of orders or of cancellations is used up.",
  },
  "-1020": {
    name: "UNSUPPORTED_OPERATION",
    statuses: [400],
    meaning: "The operation is not for a key of this kind.",
  },
  "-1021": {
    name: "INVALID_TIMESTAMP",
    statuses: [400],
    meaning: "The timestamp is ahead of the exchange's time, or the request's window has ended.",
  },
  "-1022": {
    name: "INVALID_SIGNATURE",
    statuses: [400],
    meaning: "The signature is wrong, or the request was sent before.",
  },
  "-1034": {
    name: "TOO_MANY_CONNECTIONS",
    statuses: [429],
    meaning: "The plan allows no more WebSockets, or subscriptions of user data.",
  },
  "-1100": {
    name: "ILLEGAL_CHARS",
    statuses: [400],
    meaning: "A parameter has characters that it may not have.",
  },
  "-1101": {
    name: "TOO_MANY_PARAMETERS",
    statuses: [400],
    meaning: "The call does not know a parameter, or one is repeated.",
  },
  "-1102": {
    name: "MANDATORY_PARAM_EMPTY_OR_MALFORMED",
    statuses: [400],
    meaning: "A parameter is missing.",
  },
  "-1105": { name: "PARAM_EMPTY", statuses: [400], meaning: "A parameter is empty." },
  "-1106": {
    name: "PARAM_NOT_REQUIRED",
    statuses: [400],
    meaning: "An order of this type does not have the parameter.",
  },
  "-1115": { name: "INVALID_TIF", statuses: [400], meaning: "There is no such time in force." },
  "-1116": { name: "INVALID_ORDER_TYPE", statuses: [400], meaning: "There is no such order type." },
  "-1117": { name: "INVALID_SIDE", statuses: [400], meaning: "There is no such side." },
  "-1120": { name: "BAD_INTERVAL", statuses: [400], meaning: "There are no such candles." },
  "-1121": { name: "BAD_SYMBOL", statuses: [400], meaning: "There is no such market." },
  "-1125": {
    name: "INVALID_LISTEN_KEY",
    statuses: [400],
    meaning: "The key has no such listen key.",
  },
  "-1127": {
    name: "MORE_THAN_XX_HOURS",
    statuses: [400],
    meaning: "The period is longer than the call answers.",
  },
  "-1128": {
    name: "OPTIONAL_PARAMS_BAD_COMBO",
    statuses: [400],
    meaning: "Parameters that exclude each other are together.",
  },
  "-1130": {
    name: "INVALID_PARAMETER",
    statuses: [400],
    meaning: "A parameter has a value that it may not have.",
  },
  "-1131": {
    name: "BAD_RECV_WINDOW",
    statuses: [400],
    meaning: "`recvWindow` is longer than 60 000 milliseconds.",
  },
  "-1134": {
    name: "BAD_STRATEGY_TYPE",
    statuses: [400],
    meaning: "`strategyType` is less than 1 000 000.",
  },
  "-1135": {
    name: "INVALID_JSON",
    statuses: [400],
    meaning: "A request over a WebSocket cannot be read.",
  },
  "-1145": {
    name: "INVALID_CANCEL_RESTRICTIONS",
    statuses: [400],
    meaning: "There is no such restriction of a cancellation.",
  },
  "-1158": {
    name: "OCO_ORDER_TYPE_REJECTED",
    statuses: [400],
    meaning: "A pair here is a limit order and a stop: it has no order of this type.",
  },
  "-1160": {
    name: "OCO_ICEBERGQTY_TIMEINFORCE",
    statuses: [400],
    meaning: "An iceberg of a list is good till it is cancelled.",
  },
  "-1165": {
    name: "BUY_OCO_LIMIT_MUST_BE_BELOW",
    statuses: [400],
    meaning: "The limit order of a pair to buy is the one below.",
  },
  "-1166": {
    name: "SELL_OCO_LIMIT_MUST_BE_ABOVE",
    statuses: [400],
    meaning: "The limit order of a pair to sell is the one above.",
  },
  "-1168": {
    name: "BOTH_OCO_ORDERS_CANNOT_BE_LIMIT",
    statuses: [400],
    meaning: "One order of a pair must be a stop.",
  },
  "-1196": {
    name: "BUY_OCO_STOP_LOSS_MUST_BE_ABOVE",
    statuses: [400],
    meaning: "The stop of a pair to buy is the one above.",
  },
  "-1197": {
    name: "SELL_OCO_STOP_LOSS_MUST_BE_BELOW",
    statuses: [400],
    meaning: "The stop of a pair to sell is the one below.",
  },
  "-1198": {
    name: "BUY_OCO_TAKE_PROFIT_MUST_BE_BELOW",
    statuses: [400],
    meaning: "A take profit of a pair to buy would be the one below.",
  },
  "-1199": {
    name: "SELL_OCO_TAKE_PROFIT_MUST_BE_ABOVE",
    statuses: [400],
    meaning: "A take profit of a pair to sell would be the one above.",
  },
  "-1220": {
    name: "SYMBOL_DOES_NOT_MATCH_STATUS",
    statuses: [400],
    meaning: "The market is not in the state that the request names.",
  },
  "-2010": {
    name: "NEW_ORDER_REJECTED",
    statuses: [400],
    meaning: "The exchange refuses the order; the text says why.",
  },
  "-2011": {
    name: "CANCEL_REJECTED",
    statuses: [400],
    meaning: "There is no such open order, or it may not be cancelled so.",
  },
  "-2013": { name: "NO_SUCH_ORDER", statuses: [400], meaning: "The caller has no such order." },
  "-2014": {
    name: "BAD_API_KEY_FMT",
    statuses: [401],
    meaning: "The key is missing or cannot be a key.",
  },
  "-2015": {
    name: "REJECTED_MBX_KEY",
    statuses: [401],
    meaning: "The key is unknown, expired, of another address, or may not do this.",
  },
  "-2018": {
    name: "NO_SUCH_ORDER_LIST",
    statuses: [400],
    meaning: "The caller has no such list of orders.",
  },
  "-2021": {
    name: "ORDER_CANCEL_REPLACE_PARTIALLY_FAILED",
    statuses: [409],
    meaning: "The new order is placed, but nothing was cancelled; `data` has both answers.",
  },
  "-2022": {
    name: "ORDER_CANCEL_REPLACE_FAILED",
    statuses: [400],
    meaning: "Nothing was cancelled and nothing placed; `data` has both answers.",
  },
  "-2038": {
    name: "ORDER_AMEND_REJECTED",
    statuses: [400],
    meaning: "The order cannot be amended so.",
  },
  "-4001": { name: "INVALID_OPERATION", statuses: [400], meaning: "No coin can be deposited." },
  "-4019": { name: "NO_WITHDRAWAL", statuses: [400], meaning: "No coin can be withdrawn." },
} as const satisfies Readonly<Record<string, DescribedCode>>;

type CodeIn<Text> = Text extends `${infer Code extends number}` ? Code : never;

export type ErrorCode = CodeIn<keyof typeof ERROR_CODES>;
