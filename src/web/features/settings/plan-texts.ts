/** Sentences of the plan section: what determines the fees, and what follows the current period. */
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
  return reachedStep(plan, volume) ?? plan;
}

function reachedStep({ volumeLadder }: Plan, volume: Decimal) {
  return volumeLadder.findLast(({ volumeMin }) => compareDecimals(volumeMin, volume) <= 0);
}

/** Explains why new orders pay the present fees. */
export function feeReason({ mine, plans, coin }: PlanFacts): string {
  const plan = planBySlug(plans, mine.plan);
  const step = plan === undefined ? undefined : reachedStep(plan, mine.volume);
  const reason =
    mine.feeSource === "volume" && step !== undefined
      ? `The volume step of ${mine.name} from ${formatMoney(step.volumeMin, 0, coin)} on.`
      : `The fees of ${mine.name}.`;
  return `${reason} Markets with fees of their own charge those.`;
}

/** How much volume is missing to the next lower fees, or that there are none. */
export function nextStepText({ mine, plans, coin }: PlanFacts): string {
  const { nextStep } = mine;
  if (nextStep !== null) {
    return `${formatCost(nextStep.missing, 0, coin)} more for ${feesText(nextStep)}.`;
  }
  const hasLadder = (planBySlug(plans, mine.plan)?.volumeLadder.length ?? 0) > 0;
  return hasLadder
    ? `You are on the highest volume step of ${mine.name}.`
    : `${mine.name} has no volume steps.`;
}

/** What happens when the current period ends; null if the plan has no period. */
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
