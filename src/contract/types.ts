/**
 * The values that travel between the server and the pages. Money, prices and quantities are decimal
 * strings ("1234.50"), never floats; times are milliseconds since 1970 UTC; ids of orders are
 * decimal strings, because programs read them in languages without 53-bit integers.
 */

import type { OrderSpecial } from "./arguments.ts";
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
  /** In the settlement currency; null if nothing trades it yet. */
  price: Decimal | null;
  priceSource: "market" | "simulated" | "none" | "settlement";
  /** Percent over 24 h with two decimals, such as "-1.25"; null if unknown. */
  change24h: Decimal | null;
  /** Traded in 24 h, in the settlement currency. */
  volume24h: Decimal;
  /** Symbols of the markets that trade it. */
  markets: string[];
  /** Up to 48 prices over the last 24 h, oldest first. */
  sparkline: number[];
}

/** Where an order's fees come from: the plan, its volume ladder, or the market's own. */
export type FeeSource = "plan" | "volume" | "market";

/** An account's balance changes in a coin between two moments. */
export interface StatementCoin {
  coin: string;
  /** Available and held together. */
  opening: Decimal;
  closing: Decimal;
  /** The held part of the closing balance. */
  closingHeld: Decimal;
  /** By reason, signed; their sum is `closing - opening`. Holds and releases do not change the total. */
  lines: { reason: LedgerReason; amount: Decimal; entries: number }[];
}
export interface Statement {
  from: number;
  to: number;
  /** The coins that were owned or moved in that time. */
  coins: StatementCoin[];
}

/** An adjustment of a user's balance: one administrator proposes it, another approves it. */
export interface Adjustment {
  adjustmentId: number;
  userId: string;
  coin: string;
  /** Signed: what is added to the user's available balance. */
  amount: Decimal;
  reason: string;
  status: "pending" | "approved" | "rejected";
  /** Ids of administrators. */
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
  /** When it closes by its schedule, milliseconds since 1970; null if that is not planned. */
  closesAt: number | null;
  simulated: boolean;
  /** Largest value of one order in quote coins; null without a limit. */
  notionalMax: Decimal | null;
  /**
   * How far from the market's price a limit order may be, in parts of 10 000: if it would trade at
   * once, and if it would rest. null without a band.
   */
  priceBand: { tradingBps: number; waitingBps: number } | null;
  /** How far above its trigger price a triggered market order buys at most, in basis points. */
  protectionBps: number;
  /** The market's own fees, which replace every plan's; null if it has none. */
  fees: { makerFeeBps: number; takerFeeBps: number } | null;
}

/** A market's state, and its present effect on prices. */
export interface MarketState {
  market: string;
  status: MarketStatus;
  /** Who or what caused it. */
  cause: "listed" | "admin" | "timer" | "breaker" | "schedule";
  since: number;
  /** When it ends by itself; null if it does not. */
  until: number | null;
  /** The states that it enters later, the next first; one with `forSeconds` ends by itself. */
  scheduled: { at: number; status: MarketStatus; forSeconds: number | null }[];
  /** In an auction, where it would end now, according to the book; null if nothing would trade. */
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

/** Numbers for charts: never used in calculations with money. */
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
  /** Absent for a plain order; each field is absent if the order does not have it. */
  special?: OrderSpecial;
  /** Why it ended; absent while it is open. */
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

/** An order after a request, and its trades caused by the request. */
export interface PlaceOrderResult {
  order: Order;
  /** The newest 100, oldest first; all of them are in `fills:history`. */
  fills: Fill[];
}

export interface OrderListResult {
  listId: string;
  orders: Order[];
  /** Of the first order, like one placed alone. */
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
] as const;
export type LedgerReason = (typeof LEDGER_REASONS)[number];

export interface LedgerEntry {
  /** `sequence-index`, unique. */
  id: string;
  sequence: number;
  time: number;
  coin: string;
  /** Signed: the change of this user's balance of that kind. */
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
  /** Of the settlement value of all holdings, percent with two decimals. */
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
  /** Percent with two decimals; null if there was nothing a day ago. */
  dayChangePercent: Decimal | null;
  /** In the settlement currency at the time of each fill. */
  feesPaid: Decimal;
  /** Largest value first. */
  holdings: Holding[];
  /** Equity over time, oldest first, for drawing. */
  curve: { time: number; equity: number }[];
}

/** What one coin has cost and earned, in the settlement coin. */
export interface CoinProfit {
  coin: string;
  name: string;
  quantity: Decimal;
  displayDecimals: number;
  /** What was paid for what is owned now, and for one coin of it; null if nothing is owned. */
  cost: Decimal;
  averageCost: Decimal | null;
  /** null if it has no price. */
  value: Decimal | null;
  unrealisedProfit: Decimal | null;
  /** Within the range, as are the following. */
  realisedProfit: Decimal;
  feesPaid: Decimal;
  bought: Decimal;
  sold: Decimal;
}

/** All values are of one moment. */
export interface ProfitReport {
  settlementCoin: string;
  method: CostMethod;
  /** Largest value first. */
  coins: CoinProfit[];
  total: { unrealisedProfit: Decimal; realisedProfit: Decimal; feesPaid: Decimal };
  /** Paid for plans within the range. */
  planFees: Decimal;
  equity: Decimal;
  /** What the coins that were put in would be worth now, had they only been held. */
  heldValue: Decimal;
}

/**
 * Selects ledger entries of the caller: those of one journal sequence, or its entries in one coin;
 * what an order held and got released in its life; or the trade and fees of one fill. Every entry
 * belongs to exactly one transfer, order or fill.
 */
export type LedgerSelection =
  | { sequence: number; coin?: string }
  | { orderId: string }
  | { orderId: string; sequence: number; tradeId: number };

export interface Page<T> {
  items: T[];
  /** Pass to get the next page; null at the end. */
  cursor: string | null;
}

export interface VenueInfo {
  productName: string;
  settlementCoin: string;
  simulated: boolean;
  /** Whether its coins are paid in and out, are practice money, or some are the one and some the other. */
  funds: "practice" | "funded" | "both";
  development: boolean;
}
