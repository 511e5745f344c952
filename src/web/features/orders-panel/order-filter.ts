/** Which rows of the tables of orders and fills are shown. */
import type { OrderKind, Side } from "#contract/enumerations.ts";
import { orderKindOf } from "#contract/order-words.ts";
import type { Order } from "#contract/types.ts";

export interface OrderFilter {
  /** All markets if absent. */
  readonly market?: string;
  /** Both sides if absent. */
  readonly side?: Side;
  /** For orders only; all kinds if absent. */
  readonly kind?: OrderKind;
}

export const NO_FILTER: OrderFilter = {};

/** For open orders, which are all here; the server filters all others. */
export function matchesOrder(order: Order, { side, kind }: OrderFilter): boolean {
  return (
    (side === undefined || order.side === side) &&
    (kind === undefined || orderKindOf(order) === kind)
  );
}

/** Fills have no kind. */
export function fillFilter({ market, side }: OrderFilter): OrderFilter {
  return { ...(market !== undefined && { market }), ...(side !== undefined && { side }) };
}

/** How many of the filters are set, besides the market's. */
export function filterCount({ side, kind }: OrderFilter): number {
  return [side, kind].filter((each) => each !== undefined).length;
}

export function isFiltered(filter: OrderFilter): boolean {
  return filterCount(filter) > 0 || filter.market !== undefined;
}

/** What is filtered, and from what is chosen. */
export interface OrderFilterChoice {
  readonly filter: OrderFilter;
  /** Symbols of the markets to choose from. */
  readonly markets: readonly string[];
  /** Fills have no kind. */
  readonly hasKinds: boolean;
  readonly onChange: (filter: OrderFilter) => void;
}
