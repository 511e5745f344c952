/** What became of a sent order, in one sentence. */
import type { PlaceOrderResult } from "#contract/types.ts";
import type { Market, Order } from "#contract/types.ts";
import { formatCost, formatPrice, formatQuantity } from "../../format/money.ts";

export interface Outcome {
  readonly kind: "success" | "info";
  readonly title: string;
  readonly detail: string;
}

// oxlint-disable-next-line typescript/consistent-return -- the compiler proves that every status has its case
export function outcomeOf({ order }: PlaceOrderResult, market: Market): Outcome {
  const filled = `${formatQuantity(order.filledQuantity, market.quantityDecimals)} ${market.base}`;
  const verb = order.side === "buy" ? "Bought" : "Sold";
  const average = `at an average of ${formatPrice(order.averagePrice, market.priceDecimals)} ${market.quote}`;
  const nothing = order.averagePrice === null;
  switch (order.status) {
    case "filled":
      return { kind: "success", title: `${verb} ${filled}`, detail: `Filled ${average}.` };
    case "open":
      return {
        kind: "success",
        title: `${order.side === "buy" ? "Buy" : "Sell"} order placed`,
        detail: `${wishOf(order, market)} waits in the book.`,
      };
    case "partiallyFilled":
      return {
        kind: "success",
        title: `${verb} ${filled} so far`,
        detail: `Filled ${average}; the rest waits in the book.`,
      };
    case "expired":
    case "cancelled":
      return nothing
        ? {
            kind: "info",
            title: "Nothing was traded",
            detail: `${wishOf(order, market)} found no match and ended.`,
          }
        : {
            kind: "success",
            title: `${verb} ${filled}`,
            detail: `Filled ${average}; the rest found no match and ended.`,
          };
  }
}

function wishOf(order: Order, market: Market): string {
  const size =
    order.quantity === null
      ? formatCost(order.quoteAmount, market.quoteDecimals, market.quote)
      : `${formatQuantity(order.quantity, market.quantityDecimals)} ${market.base}`;
  return order.price === null
    ? size
    : `${size} at ${formatPrice(order.price, market.priceDecimals)} ${market.quote}`;
}
