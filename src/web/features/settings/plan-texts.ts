/** Sentences of the plan section: the source of the fees, and the plan after the current period. */
import { compareDecimals } from "#contract/decimal.ts";
import type { MyPlan, Plan } from "#contract/plans.ts";
import type { Decimal } from "#contract/types.ts";
import { formatExact } from "../../format/decimal-text.ts";
import { formatBps, formatCost, formatMoney } from "../../format/money.ts";
import { formatDate } from "../../format/time.ts";

/** The data that the sentences about plans need. */
export interface PlanFacts {
  readonly mine: MyPlan;
  readonly plans: readonly Plan[];
  /** The settlement coin, in which all amounts are given. */
  readonly coin: string;
  readonly timeZone: string;
}

type Fees = Pick<Plan, "makerFeeBps" | "takerFeeBps">;

export function planBySlug(plans: readonly Plan[], slug: string): Plan | undefined {
  return plans.find((plan) => plan.slug === slug);
}

/** Formats a charge with all digits: "49 USD". */
export function chargeText(amount: Decimal, coin: string): string {
  return `${formatExact(amount)} ${coin}`;
}

/** Formats fees: "0.18% maker, 0.22% taker". */
export function feesText({ makerFeeBps, takerFeeBps }: Fees): string {
  return `${formatBps(makerFeeBps)} maker, ${formatBps(takerFeeBps)} taker`;
}

/** A plan's fees at a 30-day volume. */
export function feesAt(plan: Plan, volume: Decimal): Fees {
  return reachedFeeTier(plan, volume) ?? plan;
}

function reachedFeeTier({ volumeLadder }: Plan, volume: Decimal) {
  return volumeLadder.findLast(({ volumeMin }) => compareDecimals(volumeMin, volume) <= 0);
}

/** Explains why new orders pay the present fees. */
export function feeReason({ mine, plans, coin }: PlanFacts): string {
  const plan = planBySlug(plans, mine.plan);
  const tier = plan === undefined ? undefined : reachedFeeTier(plan, mine.volume);
  const reason =
    mine.feeSource === "volume" && tier !== undefined
      ? `The fee tier of ${mine.name} from ${formatMoney(tier.volumeMin, 0, coin)} on.`
      : `The fees of ${mine.name}.`;
  return `${reason} Markets with fees of their own charge those.`;
}

/** How much volume is missing to the next lower fees, or that there are none. */
export function nextFeeTierText({ mine, plans, coin }: PlanFacts): string {
  const { nextFeeTier } = mine;
  if (nextFeeTier !== null) {
    return `${formatCost(nextFeeTier.missing, 0, coin)} more for ${feesText(nextFeeTier)}.`;
  }
  const hasLadder = (planBySlug(plans, mine.plan)?.volumeLadder.length ?? 0) > 0;
  return hasLadder
    ? `You are on the highest fee tier of ${mine.name}.`
    : `${mine.name} has no fee tiers.`;
}

/** The change at the end of the current period; null if the plan has no period. */
export function periodText(facts: PlanFacts): string | null {
  const { mine, plans, coin, timeZone } = facts;
  if (mine.renewsAt === null) return null;
  const date = formatDate(mine.renewsAt, timeZone);
  if (mine.isFrozen) return `Ends on ${date}: a frozen account is not renewed.`;
  const next = mine.nextPlan === null ? undefined : planBySlug(plans, mine.nextPlan);
  const charge = mine.renewalCharge;
  if (next !== undefined) {
    const price = charge === null ? "" : ` for ${chargeText(charge, coin)} a month`;
    return `Until ${date}; then ${next.name} follows${price}.`;
  }
  if (charge !== null) {
    return `Renews on ${date} for ${chargeText(charge, coin)} from your balance; if that is not enough, ${fallbackName(plans)} follows.`;
  }
  const volumeMin = planBySlug(plans, mine.plan)?.volumeMin ?? "0";
  return `Continues after ${date} if your 30-day volume is ${formatMoney(volumeMin, 0, coin)} or more then; else ${fallbackName(plans)} follows.`;
}

/** Name of the plan to which an account lapses. */
export function fallbackName(plans: readonly Plan[]): string {
  return plans.find(({ eligibility }) => eligibility === "everyone")?.name ?? "the free plan";
}
