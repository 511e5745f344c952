/**
 * The contract's texts for orders, with numbers in the viewer's format. Pages use these;
 * the server and the files it exports use the contract's own.
 */
// oxlint-disable no-restricted-imports -- here they are put into the viewer's format
import {
  type NamedOrder,
  orderChips as chips,
  type OrderChip,
  orderName as name,
  orderTitle as title,
  orderWait as wait,
} from "#contract/order-words.ts";
import { formatGivenPrice } from "./given-price.ts";

/** An order's name: "Limit 64,000.00", "Stop 61,000.00 → market". */
export function orderName(order: NamedOrder): string {
  return name(order, formatGivenPrice);
}

/** An order as one line: "Sell 0.5 BTC · Stop 61,000.00 → market". */
export function orderTitle(order: Parameters<typeof title>[0]): string {
  return title(order, formatGivenPrice);
}

/** The reason why an open order waits outside the book; null if it is in the book. */
export function orderWait(order: NamedOrder): string | null {
  return wait(order, formatGivenPrice);
}

/**
 * An order's chips, such as its time in force.
 * @param formatTime formats the expiry of a GTD order, in milliseconds since 1970
 */
export function orderChips(
  order: NamedOrder,
  formatTime: (timeMs: number) => string,
): readonly OrderChip[] {
  return chips(order, formatTime, formatGivenPrice);
}
