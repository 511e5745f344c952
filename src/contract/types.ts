/**
 * The values that travel between the server and the pages. Money, prices and quantities are decimal
 * strings ("1234.50"), never floats; times are milliseconds since 1970 UTC; order ids are decimal
 * strings, because some languages lack 53-bit integers.
 */

import type {
  CoinStatus,
  CostMethod,
  Decimal,
  MarketStatus,
  OrderStatus,
  OrderType,
  Side,
  TimeInForce,
} from "./enumerations.ts";
import type { OrderSpecial } from "./order-options.ts";

export * from "./enumerations.ts";
export type { OrderSpecial };

export interface Coin {
  /** Such as "BTC"; also the name of its icon, `/coins/btc.svg`. */
  symbol: string;
  name: string;
  kind: "crypto" | "fiat" | "token" | "points" | "simulated";
  status: CoinStatus;
  scale: number;
  displayDecimals: number;
  description: string;
  website: string;
  riskNote: string;
  /** In the settlement coin; null if no market trades it yet. */
  price: Decimal | null;
  priceSource: "market" | "simulated" | "none" | "settlement";
  /** Percent over 24 h with two decimals, such as "-1.25"; null if unknown. */
  change24h: Decimal | null;
  /** 24-hour volume in the settlement coin. */
  volume24h: Decimal;
  /** Symbols of the markets that trade the coin. */
  markets: string[];
  /** Up to 48 prices over the last 24 h, oldest first. */
  sparkline: number[];
}

/** The source of an order's fees: the plan, one of its fee tiers (`volume`), or the market. */
export type FeeSource = "plan" | "volume" | "market";

/** An account's balance changes in a coin between two moments. */
export interface StatementCoin {
  coin: string;
  /** Available and held together. */
  opening: Decimal;
  closing: Decimal;
  /** The held part of the closing balance. */
  closingHeld: Decimal;
  /** Signed changes by reason; their sum is `closing - opening`. Holds and releases do not change the total. */
  lines: { reason: LedgerReason; amount: Decimal; entries: number }[];
}
export interface Statement {
  from: number;
  to: number;
  /** Coins that the account owned or moved in the period. */
  coins: StatementCoin[];
}

/** An adjustment of a user's balance: proposed by one administrator, approved by another. */
export interface Adjustment {
  adjustmentId: number;
  userId: string;
  coin: string;
  /** Signed: the amount added to the user's available balance. */
  amount: Decimal;
  reason: string;
  status: "pending" | "approved" | "rejected";
  /** The administrator's id. */
  proposedBy: string;
  proposedAt: number;
  decidedBy: string | null;
  decidedAt: number | null;
}

export interface CoinAmount {
  coin: string;
  amount: Decimal;
}

export interface Market {
  symbol: string;
  base: string;
  quote: string;
  baseName: string;
  /** Price step, such as "0.01". */
  tickSize: Decimal;
  /** Quantity step, such as "0.0001". */
  lotSize: Decimal;
  notionalMin: Decimal;
  quantityMax: Decimal;
  priceDecimals: number;
  quantityDecimals: number;
  /** Decimals that pages show for quote amounts; the ledger may keep more. */
  quoteDecimals: number;
  status: MarketStatus;
  /** When the market closes by its schedule, milliseconds since 1970; null if it is not scheduled to. */
  closesAt: number | null;
  simulated: boolean;
  /** Whether it trades funded coins; null on an exchange of one kind, which pages show once. */
  funds: "funded" | "practice" | null;
  /** Largest value of one order in quote coins; null without a limit. */
  notionalMax: Decimal | null;
  /**
   * How far from the market's price a limit order may be, in basis points: `tradingBps` if it would
   * trade at once, `restingBps` if it would rest. null without a band.
   */
  priceBand: { tradingBps: number; restingBps: number } | null;
  /** How far above its trigger price a triggered market order may buy, in basis points. */
  protectionBps: number;
  /** The market's own fees, which replace those of every plan; null if it has none. */
  fees: { makerFeeBps: number; takerFeeBps: number } | null;
}

/** A market's state, and its present effect on prices. */
export interface MarketState {
  market: string;
  status: MarketStatus;
  /** The cause of the state. */
  cause: "listed" | "admin" | "timer" | "breaker" | "schedule";
  since: number;
  /** When the state ends by itself; null if it does not. */
  until: number | null;
  /** The market's schedule, the next state first; a state with `forSeconds` ends by itself. */
  scheduled: { at: number; status: MarketStatus; forSeconds: number | null }[];
  /** In an auction, the price and quantity at which it would end now; null if nothing would trade. */
  indicative: { price: Decimal; quantity: Decimal; surplus: Decimal } | null;
  /** The price range for limit orders of each side; null if unlimited. */
  priceBand: { buy: PriceRange; sell: PriceRange } | null;
}

export interface PriceRange {
  lowest: Decimal;
  highest: Decimal;
}

export interface Ticker {
  market: string;
  last: Decimal | null;
  bid: Decimal | null;
  ask: Decimal | null;
  open24h: Decimal | null;
  high24h: Decimal | null;
  low24h: Decimal | null;
  /** Percent with two decimals. */
  change24h: Decimal | null;
  baseVolume24h: Decimal;
  quoteVolume24h: Decimal;
}

/** Levels as flat arrays [price, quantity, price, quantity, …], best first. */
export interface Book {
  market: string;
  /** Incremented by every change of the book. */
  updateId: number;
  bids: Decimal[];
  asks: Decimal[];
}

export interface PublicTrade {
  tradeId: number;
  price: Decimal;
  quantity: Decimal;
  takerSide: Side;
  time: number;
}

/** Floats, for charts only: never used in calculations with money. */
export interface Candle {
  openTime: number;
  open: number;
  high: number;
  low: number;
  close: number;
  /** In base coins. */
  volume: number;
}

export interface Balance {
  coin: string;
  /** Decimals that pages show for its amounts; the ledger may keep more. */
  displayDecimals: number;
  available: Decimal;
  held: Decimal;
  total: Decimal;
  /** The total in the settlement currency; null if the coin has no price. */
  value: Decimal | null;
}

export interface Order {
  orderId: string;
  clientOrderId: string;
  market: string;
  side: Side;
  type: OrderType;
  timeInForce: TimeInForce;
  postOnly: boolean;
  /** null for market orders. */
  price: Decimal | null;
  /** null for market orders by quote amount. */
  quantity: Decimal | null;
  quoteAmount: Decimal | null;
  filledQuantity: Decimal;
  /** Quote amount exchanged so far. */
  filledQuote: Decimal;
  /** null before the first fill. */
  averagePrice: Decimal | null;
  status: OrderStatus;
  makerFeeBps: number;
  takerFeeBps: number;
  feeSource: FeeSource;
  placedAt: number;
  updatedAt: number;
  /** Absent for a plain order; so is each field that the order does not have. */
  special?: OrderSpecial;
  /** Why the order ended; absent while it is open. */
  endReason?: string;
}

export interface Fill {
  tradeId: number;
  orderId: string;
  market: string;
  side: Side;
  price: Decimal;
  quantity: Decimal;
  quoteAmount: Decimal;
  fee: Decimal;
  feeCoin: string;
  feeBps: number;
  feeSource: FeeSource;
  role: "maker" | "taker";
  time: number;
  sequence: number;
}

/** An order after a request, and the trades that the request caused. */
export interface PlaceOrderResult {
  order: Order;
  /** The newest 100, oldest first; all of them are in `fills:history`. */
  fills: Fill[];
}

export interface OrderListResult {
  listId: string;
  orders: Order[];
  /** The fills of the first order, as if it had been placed alone. */
  fills: Fill[];
}

export const LEDGER_REASONS = [
  "practiceFunds",
  "hold",
  "release",
  "trade",
  "makerFee",
  "takerFee",
  "planFee",
  "adjustment",
  "deposit",
  "withdrawal",
  "withdrawalFee",
  "dust",
] as const;
export type LedgerReason = (typeof LEDGER_REASONS)[number];

export interface LedgerEntry {
  /** `sequence-index`, unique. */
  id: string;
  sequence: number;
  time: number;
  coin: string;
  /** Signed: the change of the user's balance of that kind. */
  amount: Decimal;
  balance: "available" | "held";
  reason: LedgerReason;
  orderId: string | null;
}

export interface Holding {
  coin: string;
  name: string;
  quantity: Decimal;
  /** Decimals that pages show for the quantity; the ledger may keep more. */
  displayDecimals: number;
  price: Decimal | null;
  value: Decimal | null;
  /** Share of the settlement value of all holdings, percent with two decimals. */
  share: Decimal | null;
  /** Average price paid per coin, fees included; null for the settlement coin. */
  averageCost: Decimal | null;
  unrealisedProfit: Decimal | null;
  realisedProfit: Decimal;
}

export interface Portfolio {
  settlementCoin: string;
  equity: Decimal;
  /** Equity minus all deposits from outside. */
  profit: Decimal;
  deposited: Decimal;
  dayChange: Decimal;
  /** Percent with two decimals; null if the equity was zero a day ago. */
  dayChangePercent: Decimal | null;
  /** In the settlement coin, valued as of each fill. */
  feesPaid: Decimal;
  /** Largest value first. */
  holdings: Holding[];
  /** Equity over time, oldest first, for drawing. */
  curve: { time: number; equity: number }[];
}

/** The cost and profit of one coin, in the settlement coin. */
export interface CoinProfit {
  coin: string;
  name: string;
  quantity: Decimal;
  displayDecimals: number;
  /** The cost of the present holding, in total and per coin; null if nothing is owned. */
  cost: Decimal;
  averageCost: Decimal | null;
  /** null if the coin has no price. */
  value: Decimal | null;
  unrealisedProfit: Decimal | null;
  /** Within the range, as are the fields below. */
  realisedProfit: Decimal;
  feesPaid: Decimal;
  bought: Decimal;
  sold: Decimal;
}

/** All values are as of one moment. */
export interface ProfitReport {
  settlementCoin: string;
  method: CostMethod;
  /** Largest value first. */
  coins: CoinProfit[];
  total: { unrealisedProfit: Decimal; realisedProfit: Decimal; feesPaid: Decimal };
  /** Fees paid for plans within the range. */
  planFees: Decimal;
  equity: Decimal;
  /** The present value of the deposited coins, had they only been held. */
  heldValue: Decimal;
}

/**
 * Selects ledger entries of the caller: those of one journal sequence, all or in one coin; the holds
 * and releases of one order; or the trade and fees of one fill. Every entry belongs to exactly one
 * transfer, order or fill.
 */
export type LedgerSelection =
  | { sequence: number; coin?: string }
  | { orderId: string }
  | { orderId: string; sequence: number; tradeId: number };

export interface Page<T> {
  items: T[];
  /** The cursor of the next page; null at the end. */
  cursor: string | null;
}

export interface VenueInfo {
  productName: string;
  settlementCoin: string;
  simulated: boolean;
  /** Whether the exchange's coins are practice money, funded by transfers, or some of each kind. */
  funds: "practice" | "funded" | "both";
  development: boolean;
}
