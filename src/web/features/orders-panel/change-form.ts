/** The fields for amending an open order, and their validation. */
import { compareDecimals, decimalsOf, formatDecimal, trimDecimal } from "#contract/decimal.ts";
import type { Decimal, Market, Order } from "#contract/types.ts";
import { formatExact } from "../../format/decimal-text.ts";
import { completeNumber, numberProblem, trailBpsOf } from "../../format/typed-number.ts";
import { changeableFields, type OrderChange, type OrderField } from "../../session/order-change.ts";

export interface ChangeField {
  readonly field: OrderField;
  readonly label: string;
  readonly unit: string;
  /** The current value, without digit grouping. */
  readonly text: string;
}

export type Typed = Readonly<Partial<Record<OrderField, string>>>;

export function changeFields(order: Order, market: Market): ChangeField[] {
  const { price, quantity, quoteAmount, special } = order;
  const { base, quote } = market;
  const isTriggered = special?.waitsFor !== undefined && special.trigger !== undefined;
  const rows: Record<OrderField, Omit<ChangeField, "field">> = {
    triggerPrice: { label: "Trigger price", unit: quote, text: special?.trigger?.price ?? "" },
    trailBps: {
      label: "Distance",
      unit: "%",
      text: trimDecimal(formatDecimal(special?.trigger?.trailBps ?? 0, 2)),
    },
    price: { label: isTriggered ? "Limit price" : "Price", unit: quote, text: price ?? "" },
    quantity: { label: "Quantity", unit: base, text: trimDecimal(quantity ?? "0") },
    quoteAmount: { label: "Total", unit: quote, text: trimDecimal(quoteAmount ?? "0") },
  };
  return changeableFields(order).map((field) => ({ field, ...rows[field] }));
}

/** The error of a field's text; null if it is valid. */
// oxlint-disable-next-line typescript/consistent-return -- the compiler proves that every field has its case
export function changeProblem(
  { field, label, unit, text: present }: ChangeField,
  text: string,
  order: Order,
  market: Market,
): string | null {
  const { tickSize, priceDecimals, lotSize, quantityDecimals, quoteDecimals } = market;
  switch (field) {
    case "trailBps":
      return trailBpsOf(text) === null ? `${label} must be between 0.01 % and 99.99 %.` : null;
    case "price":
    case "triggerPrice":
      return numberProblem(label, text, tickSize, priceDecimals, unit);
    case "quantity":
      return (
        numberProblem(label, text, lotSize, quantityDecimals, unit) ??
        filledProblem(text, order.filledQuantity, unit)
      );
    case "quoteAmount": {
      const decimals = Math.max(quoteDecimals, decimalsOf(present));
      return numberProblem(label, text, formatDecimal(1, decimals), decimals, unit);
    }
  }
}

function filledProblem(quantity: string, filled: Decimal, coin: string): string | null {
  return compareDecimals(completeNumber(quantity), filled) > 0
    ? null
    : `Quantity must be more than the ${formatExact(filled)} ${coin} already filled.`;
}

/** The change to request, once no field has an error. */
export function changeOf({ trailBps, ...texts }: Typed): OrderChange {
  const distance = trailBps === undefined ? null : trailBpsOf(trailBps);
  const numbers = Object.entries(texts).map(([field, text]) => [field, completeNumber(text)]);
  return { ...Object.fromEntries(numbers), ...(distance === null ? {} : { trailBps: distance }) };
}
