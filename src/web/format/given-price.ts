import type { Decimal } from "#contract/types.ts";
import { formatPrice } from "./money.ts";

/** Number of digits after the decimal point, trailing zeros included. */
export function decimalsOf(value: Decimal | null): number {
  return value?.split(".")[1]?.length ?? 0;
}

/** A price with the decimals that it has, for places that do not know its market. */
export function formatGivenPrice(price: Decimal | null): string {
  return formatPrice(price, decimalsOf(price));
}
