import type { Decimal } from "#contract/types.ts";
import { formatPrice } from "./money.ts";

/** The number of digits after the decimal point, including trailing zeros. */
export function decimalsOf(value: Decimal | null): number {
  return value?.split(".")[1]?.length ?? 0;
}

/** A price with the decimals that it has, for places that do not know its market. */
export function formatGivenPrice(price: Decimal | null): string {
  return formatPrice(price, decimalsOf(price));
}
