/**
 * Fields that only the operator's command line changes: how much one administrator may let in or out
 * alone, where deposits are paid to, and how much users may withdraw. An administrator who could
 * change them would not need a second one. Terms that let less through are not among them
 * (tighter-terms.ts).
 */
import type { CatalogueEntry, DeclaredCoin, DeclaredMarket } from "#contract/catalogue.ts";
import { compareDecimals } from "#contract/decimal.ts";
import type { PlanDefinition } from "#engine/commands.ts";
import { describeEntry, type Listing } from "./described-catalogue.ts";
import { fieldDifferences } from "./differences.ts";
import { nameOf } from "./catalogue-changes.ts";
import { areTighter } from "./tighter-terms.ts";

const WITHDRAWAL_LIMITS = ["withdrawalDailyMax", "withdrawalMonthlyMax"] as const;
/** A plan's eligibility decides whose withdrawals it limits. */
const FIELDS_OF_FUNDED_PLANS = [
  ...WITHDRAWAL_LIMITS,
  "eligibility",
  "price",
  "interval",
  "volumeMin",
];

/**
 * The first such field that the entry would change; undefined if none. While a coin is funded, this is
 * the `slug` of a new plan, which could have higher limits than the others, and the `symbol` of a new
 * market of such a coin, whose prices would decide how much of the coin a limit lets out.
 */
export function operatorFieldIn(listing: Listing, entry: CatalogueEntry): string | undefined {
  if (entry.kind === "market") return operatorFieldOfMarket(listing, entry.market);
  const listed = describeEntry(listing, entry.kind, nameOf(entry));
  const after = entry.kind === "coin" ? entry.coin : entry.plan;
  const isFunded = listing.coins().some(({ definition }) => definition.transfers !== undefined);
  if (entry.kind === "plan" && isFunded && listed === undefined) return "slug";
  const before =
    entry.kind === "coin" && listed !== undefined ? (listed as DeclaredCoin) : undefined;
  if (entry.kind === "coin" && areTighter(before?.transfers, entry.coin.transfers))
    return undefined;
  const changed = fieldDifferences(listed ?? {}, after).map(({ name }) => name.split(".")[0]);
  const fields: readonly string[] =
    entry.kind === "coin" ? ["transfers"] : isFunded ? FIELDS_OF_FUNDED_PLANS : WITHDRAWAL_LIMITS;
  return changed.find((name) => fields.includes(name));
}

function operatorFieldOfMarket(
  listing: Listing,
  market: DeclaredMarket,
): "symbol" | "referencePrice" | undefined {
  const [base] = market.symbol.split("-");
  const coin = listing.coins().find(({ definition }) => definition.symbol === base);
  if (coin?.definition.transfers === undefined) return undefined;
  const listed = describeEntry(listing, "market", market.symbol);
  if (listed === undefined) return "symbol";
  const changed = fieldDifferences(listed, market);
  return changed.some(({ name }) => name === "referencePrice") ? "referencePrice" : undefined;
}

/** Whether a user may withdraw more on the second plan than on the first. */
export function raisesWithdrawals(before: PlanDefinition, after: PlanDefinition): boolean {
  return WITHDRAWAL_LIMITS.some((name) => {
    const [old, next] = [before[name], after[name]];
    return old !== undefined && (next === undefined || compareDecimals(next, old) > 0);
  });
}
