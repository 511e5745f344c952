/** Why a typed price or quantity is none that its market knows. */
import type { Market } from "#contract/types.ts";
import { numberProblem } from "../../format/typed-number.ts";

/** Why the text is no price of the market; null if it is one. */
export function priceProblem(
  name: string,
  text: string,
  { priceDecimals, quote, tickSize }: Market,
): string | null {
  return numberProblem(name, text, tickSize, priceDecimals, quote);
}

/** Why the text is no quantity of the market; null if it is one. */
export function quantityProblem(
  name: string,
  text: string,
  { base, lotSize, quantityDecimals }: Market,
): string | null {
  return numberProblem(name, text, lotSize, quantityDecimals, base);
}
