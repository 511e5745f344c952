/**
 * Formats decimal strings for users. Works on the digits, so that values of any size are printed
 * exactly, without floating point. Server and browser print the same: in the viewer's format, with
 * a true minus sign.
 */
import type { NumberFormat } from "#contract/formats.ts";
import type { Decimal } from "#contract/types.ts";

import { currentFormats } from "./formats.ts";

/** Printed for a missing value. */
export const NO_VALUE = "–";
const MINUS = "−";

export type Rounding = "nearest" | "down" | "up";

interface Digits {
  readonly negative: boolean;
  /** The integer part without leading zeros, at least "0". */
  readonly whole: string;
  readonly fraction: string;
}

const DECIMAL = /^(-?)0*(\d+)(?:\.(\d*))?$/;

/**
 * Splits a decimal number into sign and digits.
 * @throws RangeError if `value` is not a decimal number
 */
function digitsOf(value: Decimal): Digits {
  const match = DECIMAL.exec(value);
  if (match === null) throw new RangeError(`not a decimal number: ${value}`);
  return { negative: match[1] === "-", whole: match[2] ?? "0", fraction: match[3] ?? "" };
}

function isZero(digits: Digits): boolean {
  return /^0*$/.test(digits.whole + digits.fraction);
}

/** Rounds to `decimals` places: "down" towards zero, "up" away from zero. */
function round(digits: Digits, decimals: number, rounding: Rounding): Digits {
  const { fraction } = digits;
  if (fraction.length <= decimals) return { ...digits, fraction: fraction.padEnd(decimals, "0") };
  const kept = fraction.slice(0, decimals);
  const rest = fraction.slice(decimals);
  const raise =
    rounding === "nearest" ? rest.charAt(0) >= "5" : rounding === "up" && /[1-9]/.test(rest);
  if (!raise) return { ...digits, fraction: kept };
  const raised = (BigInt(digits.whole + kept) + 1n).toString().padStart(decimals + 1, "0");
  return {
    negative: digits.negative,
    whole: raised.slice(0, raised.length - decimals),
    fraction: decimals === 0 ? "" : raised.slice(-decimals),
  };
}

interface Separators {
  readonly thousands: string;
  readonly point: string;
}

/** Separators of groups and decimals; the space is a non-breaking one. */
export const SEPARATORS: Readonly<Record<NumberFormat, Separators>> = {
  commaPoint: { thousands: ",", point: "." },
  pointComma: { thousands: ".", point: "," },
  spaceComma: { thousands: "\u00a0", point: "," },
};

function group(whole: string, thousands: string): string {
  return whole.replace(/\B(?=(?:\d{3})+$)/g, thousands);
}

function print({ negative, whole, fraction }: Digits, sign: "" | "+" = ""): string {
  const { thousands, point } = SEPARATORS[currentFormats().numbers];
  const grouped = group(whole, thousands);
  const magnitude = fraction === "" ? grouped : `${grouped}${point}${fraction}`;
  if (negative) return MINUS + magnitude;
  return sign + magnitude;
}

/** "1234.5" with 2 decimals → "1,234.50". A value that rounds to zero has no sign. */
export function formatDecimal(
  value: Decimal,
  decimals: number,
  rounding: Rounding = "nearest",
): string {
  const rounded = round(digitsOf(value), decimals, rounding);
  return print(isZero(rounded) ? { ...rounded, negative: false } : rounded);
}

/** Like {@link formatDecimal} with "+" before a positive value. */
export function formatSigned(value: Decimal, decimals: number): string {
  const rounded = round(digitsOf(value), decimals, "nearest");
  return isZero(rounded) ? print({ ...rounded, negative: false }) : print(rounded, "+");
}

/** All digits, without trailing zeros: "0.10500000" → "0.105". */
export function formatExact(value: Decimal): string {
  const digits = digitsOf(value);
  const trimmed = { ...digits, fraction: digits.fraction.replace(/0+$/, "") };
  return print(isZero(trimmed) ? { ...trimmed, negative: false } : trimmed);
}

/** Like {@link formatExact} with "+" before a positive value. */
export function formatExactSigned(value: Decimal): string {
  const digits = digitsOf(value);
  const trimmed = { ...digits, fraction: digits.fraction.replace(/0+$/, "") };
  return isZero(trimmed) ? print({ ...trimmed, negative: false }) : print(trimmed, "+");
}

/**
 * Groups the digits of a number that a library printed, keeping a suffix such as that of "1.5M":
 * "1234.50" → "1,234.50". Any other text is returned unchanged.
 */
export function formatPlainNumber(printed: string | number): string {
  const [, number, suffix = ""] = /^(-?\d+(?:\.\d+)?)([A-Z]?)$/.exec(String(printed)) ?? [];
  if (number === undefined) return String(printed);
  return formatDecimal(number, number.split(".")[1]?.length ?? 0) + suffix;
}

const SUFFIXES = ["", "K", "M", "B", "T"] as const;
const SIGNIFICANT_DIGITS = 4;

/**
 * Formats a number below 1 000 with at most four significant digits, and a larger one with two decimals
 * and a suffix: "0.000012345" → "0.00001235", "1234567" → "1.23M".
 */
export function formatCompact(value: Decimal): string {
  const digits = digitsOf(value);
  if (isZero(digits)) return "0";
  if (digits.whole === "0") {
    const leadingZeros = /^0*/.exec(digits.fraction)?.[0].length ?? 0;
    return formatExact(plain(round(digits, leadingZeros + SIGNIFICANT_DIGITS, "nearest")));
  }
  const thousands = Math.min(Math.floor((digits.whole.length - 1) / 3), SUFFIXES.length - 1);
  if (thousands === 0) {
    const rounded = round(digits, Math.max(0, SIGNIFICANT_DIGITS - digits.whole.length), "nearest");
    return rounded.whole.length > 3 ? formatCompact(plain(rounded)) : formatExact(plain(rounded));
  }
  const shift = digits.whole.length - thousands * 3;
  const scaled: Digits = {
    negative: digits.negative,
    whole: digits.whole.slice(0, shift),
    fraction: digits.whole.slice(shift) + digits.fraction,
  };
  const rounded = round(scaled, 2, "nearest");
  if (rounded.whole.length > 3 && thousands < SUFFIXES.length - 1) {
    return `${print({ ...rounded, whole: "1", fraction: "00" })}${SUFFIXES[thousands + 1]}`;
  }
  return `${print(rounded)}${SUFFIXES[thousands]}`;
}

function plain({ negative, whole, fraction }: Digits): Decimal {
  return `${negative ? "-" : ""}${whole}${fraction === "" ? "" : `.${fraction}`}`;
}

/**
 * Index of the first character that differs from the previous text, so that only the changed digits
 * are highlighted; `next.length` if nothing changed.
 */
export function firstChange(previous: string, next: string): number {
  if (previous.length !== next.length) return 0;
  for (let index = 0; index < next.length; index += 1) {
    if (previous.charAt(index) !== next.charAt(index)) return index;
  }
  return next.length;
}
