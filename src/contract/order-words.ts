/**
 * Names of orders, for all places that show one: pages, toasts, activity and exports. The wording is
 * that of docs/order-types.md. Also the condition for which an order waits; order-ends.ts names the
 * reasons for its end.
 */
import { groupThousands, trimDecimal } from "./decimal.ts";
import type { ListKind, OrderKind } from "./enumerations.ts";
import { type OrderTrigger as Trigger, wordsOf } from "./order-options.ts";
import type { Decimal, Order, OrderSpecial } from "./types.ts";

/** Prints a number in full, with all its decimals; pages use the viewer's format. */
export type PrintNumber = (value: Decimal) => string;

/** The fields that name an order, whether it exists or is about to be placed. */
export type NamedOrder = Pick<Order, "side" | "type" | "price" | "timeInForce" | "postOnly"> & {
  readonly special?: OrderSpecial | undefined;
};

const TRIGGERED: Record<Trigger["type"], Record<Order["type"], OrderKind>> = {
  stop: { limit: "stopLimit", market: "stop" },
  takeProfit: { limit: "takeProfitLimit", market: "takeProfit" },
  trailingStop: { limit: "trailingStopLimit", market: "trailingStop" },
};

/**
 * The kind of an order.
 * @param isIceberg whether the book shows only a part of the order
 */
export function kindOf(
  type: Order["type"],
  trigger: Trigger["type"] | undefined,
  isIceberg: boolean,
): OrderKind {
  if (trigger !== undefined) return TRIGGERED[trigger][type];
  return isIceberg ? "iceberg" : type;
}

export const KIND_NAMES: Record<OrderKind, string> = {
  limit: "Limit",
  market: "Market",
  iceberg: "Iceberg",
  stop: "Stop",
  stopLimit: "Stop-limit",
  takeProfit: "Take profit",
  takeProfitLimit: "Take-profit limit",
  trailingStop: "Trailing stop",
  trailingStopLimit: "Trailing stop-limit",
};

/**
 * The kind of an order for a column: "Limit", "Market", "Stop", "Stop-limit", "Take profit",
 * "Trailing stop", "Iceberg" …
 */
export function orderKind(order: NamedOrder): string {
  return KIND_NAMES[orderKindOf(order)];
}

export function orderKindOf({ type, special }: NamedOrder): OrderKind {
  return kindOf(type, special?.trigger?.type, special?.display !== undefined);
}

/**
 * The order with its prices: "Limit 64,000.00", "Market", "Stop 61,000.00 → market",
 * "Trailing 2.5 % → limit 60,900.00".
 */
export function orderName(
  { price, special }: NamedOrder,
  print: PrintNumber = groupThousands,
): string {
  const trigger = special?.trigger;
  const isMarket = price === null;
  if (trigger === undefined) return isMarket ? "Market" : `Limit ${print(price)}`;
  return `${triggerName(trigger, print)} → ${isMarket ? "market" : `limit ${print(price)}`}`;
}

function triggerName({ type, price, trailBps }: Trigger, print: PrintNumber): string {
  if (type === "trailingStop") return `Trailing ${print(trailPercent(trailBps ?? 0))} %`;
  const name = type === "stop" ? "Stop" : "Take profit";
  return price === undefined ? name : `${name} ${print(price)}`;
}

/** A trailing distance in percent: "2.5" for 250 basis points. */
function trailPercent(trailBps: number): Decimal {
  return trimDecimal((trailBps / 100).toFixed(2));
}

/**
 * Side and size: "Buy 0.5 BTC", "Sell BTC for 500 USD"; without a size if the order takes what its
 * working order received.
 */
function orderSize(
  order: Pick<Order, "side" | "market" | "quantity" | "quoteAmount">,
  print: PrintNumber,
): string {
  const { side, quantity, quoteAmount } = order;
  const [base = "", quote = ""] = order.market.split("-");
  const verb = side === "buy" ? "Buy" : "Sell";
  if (quantity !== null) return `${verb} ${print(trimDecimal(quantity))} ${base}`;
  if (quoteAmount === null) return `${verb} ${base}`;
  return `${verb} ${base} for ${print(trimDecimal(quoteAmount))} ${quote}`;
}

/** The whole order in one line: "Sell 0.5 BTC · Stop 61,000.00 → market". */
export function orderTitle(
  order: NamedOrder & Pick<Order, "market" | "quantity" | "quoteAmount">,
  print: PrintNumber = groupThousands,
): string {
  return `${orderSize(order, print)} · ${orderName(order, print)}`;
}

/**
 * A special feature of an order, shown beside its name in a word or two, with a sentence that
 * explains it.
 */
export interface OrderChip {
  readonly text: string;
  readonly meaning: string;
}

const LIST_NAMES: Record<ListKind, string> = { oco: "OCO", oto: "OTO", otoco: "Bracket" };

/**
 * The special features of an order.
 * @param formatTime prints the end of a GTD order, milliseconds since 1970
 */
export function orderChips(
  order: NamedOrder,
  formatTime: (timeMs: number) => string,
  print: PrintNumber = groupThousands,
): readonly OrderChip[] {
  const { type, timeInForce, postOnly, special = {} } = order;
  const { display, listId, listKind, ...others } = special;
  const chips: OrderChip[] = [];
  const add = (text: string, meaning: string) => chips.push({ text, meaning });
  const words = { quantity: (value: Decimal) => print(trimDecimal(value)), time: formatTime };
  const addOptions = (options: OrderSpecial) => {
    for (const [, , text, meaning] of wordsOf(options, words)) add(text, meaning);
  };
  addOptions({ display });
  if (postOnly) add("Post-only", "Never trades at once.");
  if (type === "limit" && timeInForce === "ioc") add("IOC", "What does not trade at once ends.");
  if (type === "limit" && timeInForce === "fok") add("FOK", "All of it at once, or nothing.");
  addOptions(others);
  if (listKind !== undefined) {
    const which = listId === undefined ? "" : ` of list ${listId}`;
    add(LIST_NAMES[listKind], `Linked with the other orders${which}.`);
  }
  return chips;
}

/** The texts of an order's chips as one: "Iceberg 0.002, GTD 2026-11-24T14:00:00.000Z, OCO"; "" if none. */
export function orderConditions(order: NamedOrder, formatTime: (timeMs: number) => string): string {
  return orderChips(order, formatTime)
    .map(({ text }) => text)
    .join(", ");
}

/** The condition for which an open order outside the book waits; null if it is in the book. */
export function orderWait(
  { side, special }: NamedOrder,
  print: PrintNumber = groupThousands,
): string | null {
  if (special?.waitsFor === "workingOrder") return "Waits for its entry order to fill.";
  const trigger = special?.trigger;
  if (special?.waitsFor !== "trigger" || trigger === undefined) return null;
  const { type, price, trailBps } = trigger;
  if (type === "trailingStop") {
    const [way, from] = side === "sell" ? ["fall", "highest"] : ["rise", "lowest"];
    return `Waits for the price to ${way} ${print(trailPercent(trailBps ?? 0))} % from its ${from}.`;
  }
  const isFall = (side === "sell") === (type === "stop");
  return `Waits for the price to ${isFall ? "fall" : "rise"} to ${print(price ?? "0")}.`;
}
