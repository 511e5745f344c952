/**
 * Exact decimal numbers as strings, and as integers at a scale: "1.50" at scale 2 is 150n. Shared
 * by the server and the pages, without floats: nothing here is rounded unless the caller says how.
 */

export type Rounding = "down" | "up" | "nearest";

/** The text is not a valid decimal; the message completes a sentence such as "price …". */
export class DecimalError extends Error {
  override readonly name = "DecimalError";
}

/** Longer text is refused without being parsed; no amount of money needs as many digits. */
export const DECIMAL_LENGTH_MAX = 60;
/**
 * `-?`, digits, optionally a point and more digits. No exponent, plus sign, spaces or separators.
 */
const DECIMAL = /^(-?)(\d+)(?:\.(\d+))?$/;

/**
 * `text` as an integer at a scale: `parseDecimal("1.5", 2)` is 150n. Zeros beyond the scale do not
 * count as decimals: "1.500" is valid at scale 2.
 * @throws DecimalError "is not a number", "is too long" or "has more than 2 decimals"
 */
export function parseDecimal(text: string, scale: number): bigint {
  if (text.length > DECIMAL_LENGTH_MAX) throw new DecimalError("is too long");
  const match = DECIMAL.exec(text);
  if (match === null) throw new DecimalError("is not a number");
  const [, sign, whole, fraction = ""] = match;
  const digits = fraction.length > scale ? fraction.replace(/0+$/, "") : fraction;
  if (digits.length > scale) {
    throw new DecimalError(scale === 0 ? "must be a whole number" : tooManyDecimals(scale));
  }
  const units = BigInt(whole + digits.padEnd(scale, "0"));
  return sign === "-" ? -units : units;
}

function tooManyDecimals(scale: number): string {
  return scale === 1 ? "has more than 1 decimal" : `has more than ${scale} decimals`;
}

/** Whether `text` is a decimal number in the form that this file reads. */
export function isDecimal(text: string): boolean {
  return text.length <= DECIMAL_LENGTH_MAX && DECIMAL.test(text);
}

/** How many decimals the text has, without trailing zeros: "1.50" has 1. */
export function decimalsOf(text: string): number {
  if (!isDecimal(text)) throw new DecimalError("is not a number");
  const point = text.indexOf(".");
  return point < 0 ? 0 : text.slice(point + 1).replace(/0+$/, "").length;
}

/** The text of an integer at a scale, always with `scale` decimals: 150n at 2 is "1.50". */
export function formatDecimal(units: bigint | number, scale: number): string {
  const text = units.toString();
  if (scale === 0) return text;
  const negative = text.startsWith("-");
  const digits = (negative ? text.slice(1) : text).padStart(scale + 1, "0");
  const point = digits.length - scale;
  return `${negative ? "-" : ""}${digits.slice(0, point)}.${digits.slice(point)}`;
}

/** Removes trailing zeros: "1.50" becomes "1.5", "2.00" becomes "2". */
export function trimDecimal(text: string): string {
  return text.includes(".") ? text.replace(/\.?0+$/, "") : text;
}

/** Groups digits for display: "64900.50" becomes "64,900.50". */
export function groupThousands(text: string): string {
  const [whole, fraction] = text.split(".");
  const grouped = whole.replaceAll(/\B(?=(\d{3})+$)/g, ",");
  return fraction === undefined ? grouped : `${grouped}.${fraction}`;
}

/** Negative, 0 or positive, like a comparator. */
export function compareDecimals(left: string, right: string): number {
  const scale = commonScale(left, right);
  const difference = parseDecimal(left, scale) - parseDecimal(right, scale);
  return difference < 0n ? -1 : difference > 0n ? 1 : 0;
}

/** The exact sum, with as many decimals as the longer text. */
export function addDecimals(left: string, right: string): string {
  const scale = commonScale(left, right);
  return formatDecimal(parseDecimal(left, scale) + parseDecimal(right, scale), scale);
}

/** The exact difference, with as many decimals as the longer text. */
export function subtractDecimals(left: string, right: string): string {
  const scale = commonScale(left, right);
  return formatDecimal(parseDecimal(left, scale) - parseDecimal(right, scale), scale);
}

/** The exact product, with as many decimals as both factors together. */
export function multiplyDecimals(left: string, right: string): string {
  const leftScale = writtenDecimals(left);
  const rightScale = writtenDecimals(right);
  const product = parseDecimal(left, leftScale) * parseDecimal(right, rightScale);
  return formatDecimal(product, leftScale + rightScale);
}

/** The quotient with `scale` decimals. @throws DecimalError for a divisor of zero */
export function divideDecimals(
  dividend: string,
  divisor: string,
  scale: number,
  rounding: Rounding,
): string {
  const common = commonScale(dividend, divisor);
  const numerator = parseDecimal(dividend, common) * 10n ** BigInt(scale);
  return formatDecimal(divide(numerator, parseDecimal(divisor, common), rounding), scale);
}

/** Rounds a number to exactly `scale` decimals. */
export function roundDecimal(text: string, scale: number, rounding: Rounding): string {
  const written = writtenDecimals(text);
  const units = parseDecimal(text, written);
  if (written <= scale) return formatDecimal(units * 10n ** BigInt(scale - written), scale);
  return formatDecimal(divide(units, 10n ** BigInt(written - scale), rounding), scale);
}

/**
 * Integer division: "down" towards zero, "up" away from zero, "nearest" with halves away from zero.
 * @throws DecimalError for a divisor of zero
 */
export function divide(dividend: bigint, divisor: bigint, rounding: Rounding): bigint {
  if (divisor === 0n) throw new DecimalError("cannot be divided by zero");
  const quotient = dividend / divisor;
  const remainder = dividend % divisor;
  if (remainder === 0n || rounding === "down") return quotient;
  const away = dividend < 0n === divisor < 0n ? 1n : -1n;
  if (rounding === "up") return quotient + away;
  return 2n * magnitude(remainder) >= magnitude(divisor) ? quotient + away : quotient;
}

function magnitude(value: bigint): bigint {
  return value < 0n ? -value : value;
}

function writtenDecimals(text: string): number {
  if (!isDecimal(text)) throw new DecimalError("is not a number");
  const point = text.indexOf(".");
  return point < 0 ? 0 : text.length - point - 1;
}

function commonScale(left: string, right: string): number {
  return Math.max(writtenDecimals(left), writtenDecimals(right));
}
