import type { Market } from "#contract/types.ts";
import type { TicketRequest } from "./order-request.ts";
import type { Terms } from "./ticket-options/ticket-option.ts";

/** The orders of a request, to name them to the user. */
export function ordersOf(request: TicketRequest, { symbol: market }: Market) {
  const orders: readonly Terms[] = request.kind === "order" ? [request.order] : request.list.orders;
  return orders.map((terms) => {
    const { side, type, price = null, quantity = null, quoteAmount = null, ...others } = terms;
    const { timeInForce = "gtc", postOnly = false, ...options } = others;
    const special = {
      ...options,
      ...(request.kind === "list" && { listKind: request.list.kind }),
    };
    return { market, side, type, price, quantity, quoteAmount, timeInForce, postOnly, special };
  });
}
