/** Integers of the engine as exact decimals, by what the catalogue says of coins and markets. */
import { formatDecimal, multiplyDecimals } from "#contract/decimal.ts";
import type { Catalog } from "../views/catalog.ts";

export function amountText(catalog: Catalog, assetId: number, units: number | bigint): string {
  return formatDecimal(units, catalog.coin(assetId).definition.scale);
}

/** "" for an order without a price. */
export function priceText(catalog: Catalog, marketId: number, priceTicks: number): string {
  if (priceTicks === 0) return "";
  return multiplyDecimals(catalog.market(marketId).tickSize, String(priceTicks));
}

/** In coins of the base. */
export function quantityText(catalog: Catalog, marketId: number, quantityLots: number): string {
  const { base, definition } = catalog.market(marketId);
  return formatDecimal(BigInt(quantityLots) * BigInt(definition.lotUnits), base.scale);
}

export function timeText(timestampMs: number): string {
  return new Date(timestampMs).toISOString();
}
