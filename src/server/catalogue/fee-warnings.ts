/** Finds markets whose fees rounding makes many times their rate. */
import type { MarketDefinition, PlanDefinition } from "#engine/commands.ts";
import { formatDecimal, trimDecimal } from "#contract/decimal.ts";
import type { DeclaredCatalogue } from "./declared-catalogue.ts";

const BPS_ONE = 10_000;
/** How many times the rate a fee on the smallest quantity may be. */
const TIMES_MAX = 10;

/**
 * A sentence for each market in which a buyer of the smallest quantity pays many times the fee's rate:
 * fees are taken from the proceeds and rounded up to their smallest unit.
 */
export function feeWarnings({
  coins,
  markets,
  plans,
}: Pick<DeclaredCatalogue, "coins" | "markets" | "plans">): string[] {
  return markets.flatMap((market) => {
    const bps = largestFeeBps(market, plans);
    const feeUnits = Math.ceil((market.lotUnits * bps) / BPS_ONE);
    if (feeUnits * BPS_ONE <= market.lotUnits * bps * TIMES_MAX) return [];
    const scale = coins.find(({ symbol }) => symbol === market.base)?.scale ?? 0;
    const text = (units: number) => `${trimDecimal(formatDecimal(units, scale))} ${market.base}`;
    return [
      `market ${market.symbol}: a buyer of ${text(market.lotUnits)} pays a fee of ${text(feeUnits)}, ` +
        `since ${market.base} has no smaller unit: give ${market.base} more decimals, or set the market's fees to 0`,
    ];
  });
}

function largestFeeBps(
  { feeOverride }: MarketDefinition,
  plans: readonly PlanDefinition[],
): number {
  const rates = feeOverride === undefined ? plans : [feeOverride];
  return Math.max(
    0,
    ...rates.flatMap(({ makerFeeBps, takerFeeBps }) => [makerFeeBps, takerFeeBps]),
  );
}
