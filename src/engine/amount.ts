/**
 * Exact money. Every quantity of value in the engine is an integer that a float64 holds exactly:
 * an `Amount` counts an asset's smallest unit, `Ticks` count a market's price step, `Lots` its
 * quantity step. Arithmetic on them goes through this file, which refuses to leave the exact range;
 * rounding never happens without a function whose name says which way.
 */
declare const amountBrand: unique symbol;
declare const ticksBrand: unique symbol;
declare const lotsBrand: unique symbol;
declare const bpsBrand: unique symbol;

/** An integer count of an asset's smallest unit. */
export type Amount = number & { readonly [amountBrand]: true };
/** A price as an integer count of the market's tick. */
export type Ticks = number & { readonly [ticksBrand]: true };
/** A quantity as an integer count of the market's lot. */
export type Lots = number & { readonly [lotsBrand]: true };
/** A rate in basis points, 0 to 10 000. */
export type Bps = number & { readonly [bpsBrand]: true };

/** The compiler treats this as a constant; an exported one is loaded and checked at each use. */
const EXACT_MAX = Number.MAX_SAFE_INTEGER;
/**
 * The largest exact integer, which is also the maximum number of units of an asset that one account
 * may own.
 */
export const AMOUNT_MAX = EXACT_MAX;

/** One basis point is a hundredth of a percent. */
const BPS_ONE = 10_000;

/** Whether a number can be an amount: an exact integer and not negative. */
export function isAmount(value: number): value is Amount {
  return Number.isSafeInteger(value) && value >= 0;
}

/**
 * ⌊a / b⌋ for integers 0 ≤ a ≤ AMOUNT_MAX, b ≥ 1. The float64 quotient of two exact integers is
 * never rounded up to the next integer: that would require a distance of less than 1/b.
 */
export function divideRoundingDown(a: number, b: number): number {
  return Math.floor(a / b);
}

/** ⌈a / b⌉ for integers 0 ≤ a ≤ AMOUNT_MAX, b ≥ 1. */
export function divideRoundingUp(a: number, b: number): number {
  const quotient = Math.floor(a / b);
  return quotient * b === a ? quotient : quotient + 1;
}

/**
 * ⌈value × bps / 10 000⌉ for integers 0 ≤ value ≤ AMOUNT_MAX and bps ≤ 10 000, so never more than
 * the value. The multiplication is split at 10 000 so that it cannot overflow: with
 * value = 10 000 q + r it is q × bps + ⌈r × bps / 10 000⌉.
 */
export function bpsRoundingUp(value: number, bps: number): number {
  const whole = Math.floor(value / BPS_ONE);
  const rest = value - whole * BPS_ONE;
  return whole * bps + divideRoundingUp(rest * bps, BPS_ONE);
}

/** ⌊value × bps / 10 000⌋, as exact as `bpsRoundingUp`. */
export function bpsRoundingDown(value: number, bps: number): number {
  const whole = Math.floor(value / BPS_ONE);
  const rest = value - whole * BPS_ONE;
  return whole * bps + divideRoundingDown(rest * bps, BPS_ONE);
}

/**
 * The fee on an amount, rounded up to the next unit; never more than the amount. Rounding is
 * monotone: a product beyond the exact range never rounds back into it.
 */
export function feeOn(amount: Amount, bps: Bps): Amount {
  const product = amount * bps;
  if (product <= EXACT_MAX) return divideRoundingUp(product, BPS_ONE) as Amount;
  return bpsRoundingUp(amount, bps) as Amount;
}

/**
 * Parses a decimal string such as "49.90" into units of an asset of this scale; undefined if it has
 * more decimals than the scale or exceeds the exact range. The text must be digits with at most one
 * point between them.
 */
export function parseUnits(decimal: string, scale: number): Amount | undefined {
  const [whole, fraction = ""] = decimal.split(".");
  const digits = fraction.replace(/0+$/, "");
  if (digits.length > scale) return undefined;
  // Parsing rounds monotonically: a number beyond the exact range never rounds back into it.
  const units = Number(whole + digits.padEnd(scale, "0"));
  return isAmount(units) ? units : undefined;
}

/**
 * ⌊amount × part / whole⌋ for integers 0 ≤ part ≤ whole, whole ≥ 1. Exact but slow, so only for
 * rare uses.
 */
export function shareOf(amount: Amount, part: number, whole: number): Amount {
  return Number((BigInt(amount) * BigInt(part)) / BigInt(whole)) as Amount;
}
