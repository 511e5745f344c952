/** The live data that a ticket is validated against, and what is derived from its entries with them. */
import type { Book, Decimal, Market } from "#contract/types.ts";

export interface TicketContext {
  readonly market: Market;
  /** The market's book; null while loading. */
  readonly book: Book | null;
  /** Value of one quote coin in the settlement coin; null if unknown. */
  readonly settlement: { readonly coin: string; readonly rate: Decimal } | null;
  /** The market's last price, which triggers are compared with; null if unknown. */
  readonly last: Decimal | null;
  readonly available: { readonly base: Decimal; readonly quote: Decimal } | null;
  readonly fees: { readonly makerFeeBps: number; readonly takerFeeBps: number };
  /** Ledger decimals of both coins. */
  readonly scales: { readonly base: number; readonly quote: number };
}

export interface Money {
  readonly coin: string;
  readonly amount: Decimal;
}

export interface TicketSummary {
  /** The limit price if it is a number; null for market orders. */
  readonly price: Decimal | null;
  /** The worst price at which a market order with a cap may trade; null without a cap. */
  readonly cap: Decimal | null;
  /** Quantity as entered or derived, in whole lots; an estimate for market orders by total. */
  readonly quantity: Decimal | null;
  /** Quote amount as entered or derived; an estimate for market orders by quantity. */
  readonly total: Decimal | null;
  readonly isEstimate: boolean;
  /** The largest quantity that can be ordered now; null if unknown. */
  readonly quantityMax: Decimal | null;
  readonly totalMax: Decimal | null;
  /** The most that the order debits, and what it credits after the fee. */
  readonly pays: Money | null;
  readonly receives: Money | null;
  readonly fee: Money | null;
  /** The fee's value in the quote coin, at the order's average price. */
  readonly feeValue: Decimal | null;
  /** Which fee applies: "both" if a part trades at once and the remainder rests. */
  readonly feeRole: "maker" | "taker" | "both";
  readonly averagePrice: Decimal | null;
  /** How much worse the average price is than the best price, in percent with two decimals. */
  readonly impactPercent: Decimal | null;
  /** Whether the order is larger than the visible book. */
  readonly exceedsBook: boolean;
  /** Whether the order would trade at once, at least in part. */
  readonly wouldTrade: boolean;
}
