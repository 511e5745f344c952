/**
 * Formats the engine's integers as exact decimals, with the catalogue's scales of coins and
 * markets.
 */
import { formatDecimal, multiplyDecimals } from "#contract/decimal.ts";
import type { Catalogue } from "../views/catalogue.ts";

export function amountText(catalogue: Catalogue, assetId: number, units: number | bigint): string {
  return formatDecimal(units, catalogue.coin(assetId).definition.scale);
}

/** The price in the quote coin; "" for an order without a price. */
export function priceText(catalogue: Catalogue, marketId: number, priceTicks: number): string {
  if (priceTicks === 0) return "";
  return multiplyDecimals(catalogue.market(marketId).tickSize, String(priceTicks));
}

/** The quantity in the base coin. */
export function quantityText(catalogue: Catalogue, marketId: number, quantityLots: number): string {
  const { base, definition } = catalogue.market(marketId);
  return formatDecimal(BigInt(quantityLots) * BigInt(definition.lotUnits), base.scale);
}

export function timeText(timestampMs: number): string {
  return new Date(timestampMs).toISOString();
}
