/**
 * The words of the contract for orders and alerts, with their numbers in the viewer's format. Pages
 * take them from here; the server and its files print the contract's own.
 */
// oxlint-disable no-restricted-imports -- here they are put into the viewer's format
import { type AlertCondition, conditionWords as alertWords } from "#contract/alerts.ts";
import {
  type ListKind,
  type NamedOrder,
  orderChips as chips,
  type OrderChip,
  orderName as name,
  orderTitle as title,
  orderWait as wait,
} from "#contract/order-words.ts";
import { formatGivenPrice } from "./given-price.ts";

/** "Limit 64,000.00", "Stop 61,000.00 → market". */
export function orderName(order: NamedOrder): string {
  return name(order, formatGivenPrice);
}

/** The whole order in one line: "Sell 0.5 BTC · Stop 61,000.00 → market". */
export function orderTitle(order: Parameters<typeof title>[0]): string {
  return title(order, formatGivenPrice);
}

/** What an open order outside the book waits for; null if it is in the book. */
export function orderWait(order: NamedOrder): string | null {
  return wait(order, formatGivenPrice);
}

/** @param formatTime prints the end of a GTD order, milliseconds since 1970 */
export function orderChips(
  order: NamedOrder,
  formatTime: (timeMs: number) => string,
  list?: ListKind,
): readonly OrderChip[] {
  return chips(order, formatTime, list, formatGivenPrice);
}

/** "Crosses 65,000.00", "Changes by 2.5 % within 15 min". */
export function conditionWords(condition: AlertCondition): string {
  return alertWords(condition, formatGivenPrice);
}
