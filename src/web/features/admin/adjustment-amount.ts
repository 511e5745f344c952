/** The amount of an adjustment as an administrator types it. */
import type { Decimal } from "#contract/types.ts";

const AMOUNT = /^[-+]?(\d+)(?:\.(\d+))?$/;

/** "− 1,250.50" → "-1250.50" */
export function readAmount(typed: string): Decimal {
  return typed.replaceAll(/[\s,]/g, "").replace("−", "-").replace(/^\+/, "");
}

/** @returns a sentence if invalid, null for a signed amount that is not zero */
export function amountProblem(typed: string, scale: number): string | null {
  const match = AMOUNT.exec(readAmount(typed));
  if (match === null) return "Enter an amount such as 250 or -12.50";
  const [, whole = "", fraction = ""] = match;
  if (/^0*$/.test(whole + fraction)) return "Enter more or less than zero";
  if (fraction.length > scale) return `At most ${scale} decimals`;
  return null;
}
