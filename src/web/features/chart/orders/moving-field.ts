/** The one number of an open order that moves it on the chart: its price, its trigger price or its distance. */
import { formatDecimal, trimDecimal } from "#contract/decimal.ts";
import type { Decimal, Order } from "#contract/types.ts";
import { completeNumber, trailBpsOf } from "../../../format/typed-number.ts";
import { changeableFields, type OrderChange } from "../../../session/order-change.ts";
import { lineOf } from "./order-line.ts";

export interface MovingField {
  readonly label: string;
  readonly unit: string | undefined;
  /** The present value, without digit grouping. */
  readonly text: Decimal;
  /** The change to the typed value; null if that is not a valid number. */
  readonly changeTo: (typed: string) => OrderChange | null;
}

/** Null for an order that has no such number: at the market as soon as its entry order has filled. */
export function movingField(order: Order): MovingField | null {
  const changeable = changeableFields(order);
  if (changeable.includes("trailBps")) {
    return {
      label: "Distance",
      unit: "%",
      text: trimDecimal(formatDecimal(order.special?.trigger?.trailBps ?? 0, 2)),
      changeTo: (typed) => {
        const trailBps = trailBpsOf(typed);
        return trailBps === null ? null : { trailBps };
      },
    };
  }
  const line = lineOf(order);
  if (line === null || !changeable.includes(line.field)) return null;
  const { field, price } = line;
  return {
    label: field === "price" ? "Price" : "Trigger price",
    unit: undefined,
    text: price,
    changeTo: (typed) => ({ [field]: completeNumber(typed) }),
  };
}
