/** The enumerated values of arguments and answers, as arrays for programs and as types. */

/** An exact decimal number such as "0.00012300"; a leading "-" if negative. */
export type Decimal = string;

export const SIDES = ["buy", "sell"] as const;
export type Side = (typeof SIDES)[number];
export const ORDER_TYPES = ["limit", "market"] as const;
export type OrderType = (typeof ORDER_TYPES)[number];
export const TIMES_IN_FORCE = ["gtc", "ioc", "fok", "gtd"] as const;
export type TimeInForce = (typeof TIMES_IN_FORCE)[number];
/** How the cost of sold coins is determined: by average cost, or first in, first out. */
export const COST_METHODS = ["average", "fifo"] as const;
export type CostMethod = (typeof COST_METHODS)[number];
export const TRIGGER_TYPES = ["stop", "takeProfit", "trailingStop"] as const;
export type OrderTriggerType = (typeof TRIGGER_TYPES)[number];
/**
 * Kinds of orders as owners see them, derived from the type, the trigger and the visible quantity.
 */
export const ORDER_KINDS = [
  "limit",
  "market",
  "iceberg",
  "stop",
  "stopLimit",
  "takeProfit",
  "takeProfitLimit",
  "trailingStop",
  "trailingStopLimit",
] as const;
export type OrderKind = (typeof ORDER_KINDS)[number];
/** Orders that depend on each other; "otoco" is a bracket. */
export const LIST_KINDS = ["oco", "oto", "otoco"] as const;
export type ListKind = (typeof LIST_KINDS)[number];
export const SELF_TRADE_PREVENTIONS = [
  "expireTaker",
  "expireMaker",
  "expireBoth",
  "decrement",
] as const;
export type SelfTradePrevention = (typeof SELF_TRADE_PREVENTIONS)[number];
export const ORDER_STATUSES = [
  "open",
  "partiallyFilled",
  "filled",
  "cancelled",
  "expired",
] as const;
export type OrderStatus = (typeof ORDER_STATUSES)[number];
/**
 * The states of a market, which decide the orders that it accepts: all, those for an auction,
 * post-only ones, or none.
 */
export const MARKET_STATUSES = [
  "preOpen",
  "auction",
  "trading",
  "postOnly",
  "cancelOnly",
  "halted",
  "closed",
] as const;
export type MarketStatus = (typeof MARKET_STATUSES)[number];
export const COIN_STATUSES = [
  "listed",
  "depositOnly",
  "withdrawOnly",
  "delisting",
  "hidden",
] as const;
export type CoinStatus = (typeof COIN_STATUSES)[number];
export const CANDLE_INTERVALS = [
  "1s",
  "1m",
  "3m",
  "5m",
  "15m",
  "30m",
  "1h",
  "2h",
  "4h",
  "6h",
  "8h",
  "12h",
  "1d",
  "3d",
  "1w",
  "1M",
] as const;
export type CandleInterval = (typeof CANDLE_INTERVALS)[number];
