/**
 * The fees of an order as one small integer: both rates in basis points and where they come from.
 * An order's row keeps both rates and two flags. The amount of a fee is calculated by `feeOn` in
 * amount.ts.
 */
import type { Bps } from "../amount.ts";

declare const packedFeesBrand: unique symbol;
declare const rowFeesBrand: unique symbol;

/**
 * Bits 0 to 13: the maker's rate in basis points; 14 to 27: the taker's; 28 and 29: the source; 30:
 * always set.
 */
export type PackedFees = number & { readonly [packedFeesBrand]: true };
/**
 * In an order's row: bit 0 has a client order id, 1 post only, 2 to 15 the maker's basis points, 16
 * to 29 the taker's.
 */
export type RowFees = number & { readonly [rowFeesBrand]: true };

/** Codes of a fee's source. */
export const FEE_SOURCE_PLAN = 0;
export const FEE_SOURCE_VOLUME = 1;
export const FEE_SOURCE_MARKET = 2;

/** A rate is at most 10 000 basis points, which 14 bits hold. */
const RATE_BITS = 14;
const RATE_MASK = (1 << RATE_BITS) - 1;
const SOURCE_SHIFT = 2 * RATE_BITS;
const BOTH_RATES = (1 << SOURCE_SHIFT) - 1;
/** Always set, so that known fees are never 0. */
const KNOWN = 1 << 30;

const HAS_CLIENT_ID = 1;
const IS_POST_ONLY = 2;
const ROW_SHIFT = 2;

export function packFees(makerFeeBps: number, takerFeeBps: number, source: number): PackedFees {
  return (makerFeeBps |
    (takerFeeBps << RATE_BITS) |
    (source << SOURCE_SHIFT) |
    KNOWN) as PackedFees;
}

export const makerFeeBpsOf = (fees: PackedFees): Bps => (fees & RATE_MASK) as Bps;
export const takerFeeBpsOf = (fees: PackedFees): Bps => ((fees >> RATE_BITS) & RATE_MASK) as Bps;
/** The source of fees: 0 the plan, 1 the plan's volume ladder, 2 the market. */
export const feeSourceOf = (fees: PackedFees): number => (fees >> SOURCE_SHIFT) & 3;

/** Packs both rates and two flags for an order's row. */
export function packRowFees(fees: PackedFees, hasClientId: boolean, postOnly: boolean): RowFees {
  return ((hasClientId ? HAS_CLIENT_ID : 0) |
    (postOnly ? IS_POST_ONLY : 0) |
    ((fees & BOTH_RATES) << ROW_SHIFT)) as RowFees;
}

/** The fees packed in an order's row, without their source, which rows do not keep. */
export const feesOfRow = (packed: RowFees): PackedFees =>
  ((packed >> ROW_SHIFT) & BOTH_RATES) as PackedFees;
export const makerFeeBpsOfRow = (packed: RowFees): Bps =>
  ((packed >> ROW_SHIFT) & RATE_MASK) as Bps;
export const hasClientId = (packed: RowFees): boolean => (packed & HAS_CLIENT_ID) !== 0;
export const isPostOnly = (packed: RowFees): boolean => (packed & IS_POST_ONLY) !== 0;
