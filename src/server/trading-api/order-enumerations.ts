/** The values of Binance's order enumerations that this exchange supports. */

export const ORDER_TYPES = [
  "LIMIT",
  "LIMIT_MAKER",
  "MARKET",
  "STOP_LOSS",
  "STOP_LOSS_LIMIT",
  "TAKE_PROFIT",
  "TAKE_PROFIT_LIMIT",
] as const;

export const SELF_TRADE_PREVENTION_MODES = [
  "EXPIRE_TAKER",
  "EXPIRE_MAKER",
  "EXPIRE_BOTH",
  "DECREMENT",
] as const;
