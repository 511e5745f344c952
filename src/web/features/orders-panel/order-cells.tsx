/** Table cells shared by the tables of orders and fills. */
import type { Decimal, Market, Order, OrderStatus, Side } from "#contract/types.ts";
import { compareDecimals } from "#contract/decimal.ts";
import { formatCost, formatPrice, formatQuantity } from "../../format/money.ts";
import { formatExact, NO_VALUE } from "../../format/decimal-text.ts";
import { DirectionMark } from "../../ui/direction-mark.tsx";
import { Badge } from "../../ui/badge.tsx";

export type Markets = ReadonlyMap<string, Market>;

/** Formats a price; with all its digits if the market, and so its number of decimals, is unknown. */
export function printPrice(price: Decimal | null, market: Market | undefined): string {
  if (price === null) return "Market";
  return market === undefined ? formatExact(price) : formatPrice(price, market.priceDecimals);
}

export function printAverage(price: Decimal | null, market: Market | undefined): string {
  return price === null ? NO_VALUE : printPrice(price, market);
}

export function printQuantity(quantity: Decimal | null, market: Market | undefined): string {
  if (quantity === null) return NO_VALUE;
  return market === undefined
    ? formatExact(quantity)
    : formatQuantity(quantity, market.quantityDecimals);
}

/** Formats the requested size in the coin in which it was entered; empty if it follows from another order. */
export function printSize({ quantity, quoteAmount }: Order, market: Market | undefined): string {
  return quantity === null && quoteAmount !== null
    ? formatCost(quoteAmount, market?.quoteDecimals ?? 2, market?.quote)
    : printQuantity(quantity, market);
}

/** Comparator of decimals; null sorts below every number. */
export function compareNullable(left: Decimal | null, right: Decimal | null): number {
  if (left === null || right === null) return left === right ? 0 : left === null ? -1 : 1;
  return compareDecimals(left, right);
}

export function compareTexts(left: string, right: string): number {
  return left < right ? -1 : left > right ? 1 : 0;
}

/** An order's side, expressed by colour, icon and word alike. */
export function SideCell({ side }: { readonly side: Side }) {
  return side === "buy" ? (
    <span className="text-buy">
      <DirectionMark direction="up" className="mr-1.5" />
      Buy
    </span>
  ) : (
    <span className="text-sell">
      <DirectionMark direction="down" className="mr-1.5" />
      Sell
    </span>
  );
}

export function MarketCell({ symbol }: { readonly symbol: string }) {
  const [base, quote] = symbol.split("-");
  return (
    <span className="font-medium">
      {base}
      <span className="font-normal text-faint">/{quote}</span>
    </span>
  );
}

const STATUSES: Record<
  OrderStatus,
  { readonly label: string; readonly tone: "neutral" | "accent" | "buy" | "warn" }
> = {
  open: { label: "Open", tone: "accent" },
  partiallyFilled: { label: "Partially filled", tone: "accent" },
  filled: { label: "Filled", tone: "buy" },
  cancelled: { label: "Cancelled", tone: "neutral" },
  expired: { label: "Expired", tone: "warn" },
};

export function StatusCell({ status }: { readonly status: OrderStatus }) {
  const { label, tone } = STATUSES[status];
  return <Badge tone={tone}>{label}</Badge>;
}
