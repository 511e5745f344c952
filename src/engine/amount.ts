/**
 * Exact money. Every quantity of value in the engine is an integer that a float64 holds exactly:
 * an `Amount` counts an asset's smallest unit, `Ticks` count a market's price step, `Lots` its
 * quantity step. Arithmetic on them goes through this file, which refuses to leave the exact range;
 * rounding never happens without a function whose name says which way.
 */
declare const amountBrand: unique symbol;
declare const ticksBrand: unique symbol;
declare const lotsBrand: unique symbol;

/** An integer count of an asset's smallest unit. */
export type Amount = number & { readonly [amountBrand]: true };
/** A price as an integer count of the market's tick. */
export type Ticks = number & { readonly [ticksBrand]: true };
/** A quantity as an integer count of the market's lot. */
export type Lots = number & { readonly [lotsBrand]: true };

/** The largest exact integer; per asset, everything that users own together stays below it. */
export const AMOUNT_MAX = Number.MAX_SAFE_INTEGER;
