/** The filters of the tables of orders and fills. */
import type { OrderKind, Side } from "#contract/enumerations.ts";
import { orderKindOf } from "#contract/order-words.ts";
import type { Order } from "#contract/types.ts";

export interface OrderFilter {
  /** The market; all markets if absent. */
  readonly market?: string;
  /** The side; both sides if absent. */
  readonly side?: Side;
  /** The kind of order, which fills do not have; all kinds if absent. */
  readonly kind?: OrderKind;
}

export const NO_FILTER: OrderFilter = {};

/** Filters open orders, all of which the page has; the server filters the order history. */
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

/** The number of filters that are set, without the market. */
export function filterCount({ side, kind }: OrderFilter): number {
  return [side, kind].filter((each) => each !== undefined).length;
}

export function isFiltered(filter: OrderFilter): boolean {
  return filterCount(filter) > 0 || filter.market !== undefined;
}

/** The filtered values, derived from the choices. */
export interface OrderFilterChoice {
  readonly filter: OrderFilter;
  /** Symbols of the markets to choose from. */
  readonly markets: readonly string[];
  /** Fills have no kind. */
  readonly hasKinds: boolean;
  readonly onChange: (filter: OrderFilter) => void;
}
