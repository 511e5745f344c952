import type { Decimal } from "#contract/types.ts";
import { formatPrice } from "./money.ts";

/** A price with exactly the decimals that it came with, for places that do not know its market. */
export function formatGivenPrice(price: Decimal | null): string {
  const decimals = price === null ? 0 : (price.split(".")[1]?.length ?? 0);
  return formatPrice(price, decimals);
}
