/** Parses and validates the amount of an adjustment as an administrator types it. */
import type { Decimal } from "#contract/types.ts";
import { formatDecimal } from "../../format/decimal-text.ts";
import { numberText } from "../../format/typed-number.ts";

/** Amounts stay below this number of smallest units. */
const UNITS_END = 2n ** 53n;
const AMOUNT = /^[-+]?(\d+)(?:\.(\d+))?$/;

/** Normalises an amount in the viewer's number format: "− 1,250.50" → "-1250.50". */
export function parseAmount(typed: string): Decimal {
  const [, sign = "", digits = ""] = /^\s*([-−+]?)(.*)$/.exec(typed) ?? [];
  return (sign === "" || sign === "+" ? "" : "-") + numberText(digits);
}

/** An example of a debit, in the viewer's number format. */
export const exampleAmount = () => formatDecimal("-12.5", 2);

/** @returns an error message; null for a valid signed amount other than zero */
export function amountProblem(typed: string, scale: number): string | null {
  const match = AMOUNT.exec(parseAmount(typed));
  if (match === null) return `Enter an amount such as 250 or ${exampleAmount()}`;
  const [, whole = "", fraction = ""] = match;
  if (/^0*$/.test(whole + fraction)) return "Enter more or less than zero";
  if (fraction.length > scale) return `At most ${scale} decimals`;
  if (BigInt(whole + fraction.padEnd(scale, "0")) >= UNITS_END) return "This is too much";
  return null;
}
