/** Describes the result of a sent order in one sentence. */
import { orderEnd } from "#contract/order-ends.ts";
import type { Market, PlaceOrderResult } from "#contract/types.ts";
import { orderTitle, orderWait } from "../../format/order-words.ts";
import { formatPrice, formatQuantity } from "../../format/money.ts";

export interface Outcome {
  readonly kind: "success" | "info";
  readonly title: string;
  readonly detail: string;
}

// oxlint-disable-next-line typescript/consistent-return -- the compiler proves that every status has its case
export function outcomeOf({ order }: Pick<PlaceOrderResult, "order">, market: Market): Outcome {
  const filled = `${formatQuantity(order.filledQuantity, market.quantityDecimals)} ${market.base}`;
  const verb = order.side === "buy" ? "Bought" : "Sold";
  const average = `at an average of ${formatPrice(order.averagePrice, market.priceDecimals)} ${market.quote}`;
  const end = orderEnd(order) ?? "";
  switch (order.status) {
    case "filled":
      return { kind: "success", title: `${verb} ${filled}`, detail: `Filled ${average}.` };
    case "open":
      return {
        kind: "success",
        title: `${order.side === "buy" ? "Buy" : "Sell"} order placed`,
        detail: `${orderTitle(order)}. ${orderWait(order) ?? "Rests in the book."}`,
      };
    case "partiallyFilled":
      return {
        kind: "success",
        title: `${verb} ${filled} so far`,
        detail: `Filled ${average}; the rest is in the book.`,
      };
    case "expired":
    case "cancelled":
      return order.averagePrice === null
        ? { kind: "info", title: "Nothing was traded", detail: `${orderTitle(order)}. ${end}` }
        : {
            kind: "success",
            title: `${verb} ${filled}`,
            detail: `Filled ${average}; the rest ended. ${end}`,
          };
  }
}
