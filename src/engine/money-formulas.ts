/**
 * The formulas of money, each once: the notional of a price and a quantity in a market, the hold of an
 * order, and the number of lots that an amount covers. A market's unit values have a dedicated type,
 * and test/repository/money-formulas.test.ts refuses multiplying or dividing one elsewhere. Fees:
 * amount.ts, `feeOn`.
 *
 * Exact where the result is at most AMOUNT_MAX; rounding is monotone, so a product beyond the range
 * stays beyond it and may be compared with a limit.
 */
import { divideRoundingDown, type Amount, type Lots } from "./amount.ts";

// Not imported, so that the compiler treats it as a constant.
const BID = 0;

declare const unitsPerLotBrand: unique symbol;
declare const unitsPerTickLotBrand: unique symbol;

/** Base units in one lot. */
export type UnitsPerLot = number & { readonly [unitsPerLotBrand]: true };
/** Quote units that one lot costs at a price of one tick. */
export type UnitsPerTickLot = number & { readonly [unitsPerTickLotBrand]: true };

/** The values of a market's units. */
export interface MarketUnits {
  readonly lotUnits: UnitsPerLot;
  readonly tickLotUnits: UnitsPerTickLot;
}

/** The cost of lots at a price, in quote units. */
export function notionalOf(units: MarketUnits, priceTicks: number, lots: number): Amount {
  return (priceTicks * lots * units.tickLotUnits) as Amount;
}

/** The base units of lots. */
export function baseAmountOf(units: MarketUnits, lots: number): Amount {
  return (lots * units.lotUnits) as Amount;
}

/** The hold of an order of this side for lots at its price: a buy their cost, a sell the lots. */
export function holdFor(
  units: MarketUnits,
  side: number,
  priceTicks: number,
  lots: number,
): Amount {
  return side === BID ? notionalOf(units, priceTicks, lots) : baseAmountOf(units, lots);
}

/** How many lots at a price cost at most this amount of quote units. */
export function affordableLots(units: MarketUnits, priceTicks: number, quoteAmount: number): Lots {
  return divideRoundingDown(quoteAmount, priceTicks * units.tickLotUnits) as Lots;
}

/** How many whole lots are in this amount of base units. */
export function lotsIn(units: MarketUnits, baseAmount: number): Lots {
  return divideRoundingDown(baseAmount, units.lotUnits) as Lots;
}
