/** Which rows of the tables of orders and fills are shown. */
import { orderKind } from "#contract/order-words.ts";
import type { Order, Side } from "#contract/types.ts";

export interface OrderFilter {
  /** All markets if absent. */
  readonly market?: string;
  /** Both sides if absent. */
  readonly side?: Side;
  /** A kind of ORDER_KINDS, for orders only; all if absent. */
  readonly kind?: string;
}

export const NO_FILTER: OrderFilter = {};

export function matchesOrder(order: Order, filter: OrderFilter): boolean {
  return (
    matchesSide(order, filter) && (filter.kind === undefined || orderKind(order) === filter.kind)
  );
}

/** Markets are filtered by the server. */
export function matchesSide(row: { readonly side: Side }, { side }: OrderFilter): boolean {
  return side === undefined || row.side === side;
}

/** How many of the filters are set, besides the market's. */
export function filterCount({ side, kind }: OrderFilter): number {
  return [side, kind].filter((each) => each !== undefined).length;
}
