/** Finds plans that practice money earns where coins with value are traded. */
import type { DeclaredCatalogue } from "./declared-catalogue.ts";

const EARNS: Readonly<Record<string, string>> = {
  paid: "is paid with",
  volume: "is earned by volume in",
};

/**
 * A sentence for each plan of which the price or the volume is in practice money, which everyone may
 * take each day, while another coin is funded: its fees hold in that coin's markets too. The operator
 * decides it by the settlement coin, so it is not a mistake that would prevent a start.
 */
export function planWarnings({
  coins,
  plans,
  settlementCoin,
}: Pick<DeclaredCatalogue, "coins" | "plans" | "settlementCoin">): string[] {
  const funded = coins.filter(({ transfers }) => transfers !== undefined);
  if (funded.length === 0) return [];
  if (funded.some(({ symbol }) => symbol === settlementCoin)) return [];
  const symbols = funded.map(({ symbol }) => symbol).join(", ");
  return plans.flatMap(({ eligibility, slug, volumeLadder }) => {
    const how =
      EARNS[eligibility] ?? (volumeLadder === undefined ? undefined : "has fees by volume in");
    if (how === undefined) return [];
    return [
      `plan ${slug}: ${how} ${settlementCoin}, which is practice money, and holds in the markets of ` +
        `${symbols} too: make a funded coin the settlement coin, or assign the plan`,
    ];
  });
}
