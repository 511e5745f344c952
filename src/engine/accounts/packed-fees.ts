/**
 * The fees of an order as one small integer: both rates in basis points and where they come from. An
 * order's row keeps both rates beside two flags. Never: how much a fee is (amount.ts: feeOn).
 */
import type { Bps } from "../amount.ts";

declare const packedFeesBrand: unique symbol;
declare const rowFeesBrand: unique symbol;

/** Bit 0 to 13 the maker's bps, 14 to 27 the taker's, 28 and 29 the source, 30 set. */
export type PackedFees = number & { readonly [packedFeesBrand]: true };
/** In an order's row: bit 0 client order id, 1 post only, 2 to 15 maker's bps and 16 to 29 taker's. */
export type RowFees = number & { readonly [rowFeesBrand]: true };

/** The order in which the sources are packed. */
export const FROM_PLAN = 0;
export const FROM_VOLUME = 1;
export const FROM_MARKET = 2;

/** Fees are at most 10 000 bps, which 14 bits hold. */
const RATE_BITS = 14;
const RATE_MASK = (1 << RATE_BITS) - 1;
const SOURCE_SHIFT = 2 * RATE_BITS;
const BOTH_RATES = (1 << SOURCE_SHIFT) - 1;
/** Set so that known fees are never 0. */
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
/** 0 for the plan, 1 for its volume ladder, 2 for the market. */
export const feeSourceOf = (fees: PackedFees): number => (fees >> SOURCE_SHIFT) & 3;

/** The fees kept in an order's row. */
export function packRowFees(fees: PackedFees, hasClientId: boolean, postOnly: boolean): RowFees {
  return ((hasClientId ? HAS_CLIENT_ID : 0) |
    (postOnly ? IS_POST_ONLY : 0) |
    ((fees & BOTH_RATES) << ROW_SHIFT)) as RowFees;
}

/** Both rates; a row does not keep their source. */
export const feesOfRow = (packed: RowFees): PackedFees =>
  ((packed >> ROW_SHIFT) & BOTH_RATES) as PackedFees;
export const makerFeeBpsOfRow = (packed: RowFees): Bps =>
  ((packed >> ROW_SHIFT) & RATE_MASK) as Bps;
export const hasClientId = (packed: RowFees): boolean => (packed & HAS_CLIENT_ID) !== 0;
export const isPostOnly = (packed: RowFees): boolean => (packed & IS_POST_ONLY) !== 0;
