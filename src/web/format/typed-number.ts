/**
 * Numbers as users type them: adding and removing digit grouping, and validation. The text is
 * stored as typed, so that no digit is lost; its exact value is parsed when needed.
 */
import { divide, formatDecimal, isDecimal, parseDecimal } from "#contract/decimal.ts";
import type { Decimal } from "#contract/types.ts";
import { SEPARATORS, formatExact } from "./decimal-text.ts";
import { currentFormats } from "./formats.ts";

/** Longer texts are invalid: no user types so many digits. */
const TEXT_LENGTH_MAX = 32;
/** Patterns of grouped numbers by group separator; spaces are removed before. */
const GROUPED: Readonly<Record<string, RegExp>> = {
  ",": /^[1-9]\d{0,2}(?:,\d{3})+(?:\.\d*)?$/,
  ".": /^[1-9]\d{0,2}(?:\.\d{3})+(?:,\d*)?$/,
};

/**
 * Normalises typed or pasted text by the viewer's format: "64,000.50" loses its grouping, as does
 * "64.000,50" if the viewer's format groups so; the comma of "0,5" becomes a point in every format.
 * Other text is kept, to be reported by {@link numberProblem}.
 */
export function numberText(text: string): string {
  const { thousands } = SEPARATORS[currentFormats().numbers];
  const trimmed = text.replace(/[\s_']/g, "");
  const plain = GROUPED[thousands]?.test(trimmed) ? trimmed.replaceAll(thousands, "") : trimmed;
  return plain.replace(",", ".");
}

/** The typed number as an integer at a scale; null if empty, malformed or too precise. */
export function unitsOf(text: string, scale: number): bigint | null {
  const number = completeNumber(text);
  if (number.length > TEXT_LENGTH_MAX || !isDecimal(number)) return null;
  try {
    return parseDecimal(number, scale);
  } catch {
    // Too many decimals, which numberProblem reports.
    return null;
  }
}

/** Completes ".5" and "5.", which users also type, to decimal numbers. */
export function completeNumber(text: string): string {
  const whole = text.startsWith(".") ? `0${text}` : text;
  return whole.endsWith(".") ? whole.slice(0, -1) : whole;
}

/** A percentage such as "2.5" in basis points; null unless it is a valid trailing distance. */
export function trailBpsOf(text: string): number | null {
  const bps = unitsOf(text, 2);
  return bps === null || bps < 1n || bps > 9_999n ? null : Number(bps);
}

/** The step of a number input's arrow keys. */
export interface NumberStep {
  readonly size: Decimal;
  readonly decimals: number;
  /** The value that an empty field takes; null if it stays empty. */
  readonly start: Decimal | null;
}

/**
 * The number a given count of steps away, on the grid of steps and at least one step. Text that is
 * not a number becomes the start; null if there is none.
 */
export function stepNumber(
  text: string,
  steps: number,
  { size, decimals, start }: NumberStep,
): Decimal | null {
  const step = parseDecimal(size, decimals);
  const units = unitsOf(text, decimals);
  if (units === null) return start;
  const moved = units + BigInt(steps) * step;
  // A number off the grid moves to the next step in the key's direction.
  const onGrid = divide(moved, step, steps > 0 ? "down" : "up") * step;
  return formatDecimal(onGrid < step ? step : onGrid, decimals);
}

/** The error for a text that is not a valid number for its field; null if it is valid. */
export function numberProblem(
  name: string,
  text: string,
  step: Decimal,
  decimals: number,
  coin: string,
): string | null {
  if (text === "") return `${name} is missing.`;
  if (!/^-?\d*\.?\d*$/.test(text) || !/\d/.test(text)) return `${name} is not a number.`;
  if (text.startsWith("-") || !/[1-9]/.test(text)) return `${name} must be more than zero.`;
  const stepText = `${formatExact(step)} ${coin}`;
  const units = unitsOf(text, decimals);
  const stepUnits = unitsOf(step, decimals) ?? 1n;
  if (units === null) {
    return text.length > TEXT_LENGTH_MAX
      ? `${name} is too long.`
      : `${name} must be a multiple of ${stepText}.`;
  }
  return units % stepUnits === 0n ? null : `${name} must be a multiple of ${stepText}.`;
}
