/** Sentences about the effects of choosing a plan, and why it cannot be chosen. */
import { compareDecimals, subtractDecimals } from "#contract/decimal.ts";
import type { Plan, PlanOffer } from "#contract/plans.ts";
import type { Decimal } from "#contract/types.ts";
import { formatAmount, formatCost, formatMoney } from "../../format/money.ts";
import { formatDate } from "../../format/time.ts";
import { errorDataOf, errorSentence } from "../../session/error-sentence.ts";
import {
  chargeText,
  fallbackName,
  feesAt,
  feesText,
  planBySlug,
  type PlanFacts,
} from "./plan-texts.ts";

export interface ChoiceFacts extends PlanFacts {
  /** Available balance in the settlement coin; null if unknown. */
  readonly available: Decimal | null;
}

/** A plan with the effects of choosing it. */
export interface PlanChoiceRow {
  readonly plan: Plan;
  readonly offer: PlanOffer;
}

/** All plans in catalogue order, each with the effects of choosing it. */
export function choiceRows({ mine, plans }: PlanFacts): PlanChoiceRow[] {
  return mine.offers.flatMap((offer) => {
    const plan = planBySlug(plans, offer.plan);
    return plan === undefined ? [] : [{ plan, offer }];
  });
}

export function canChoose({ choice }: PlanOffer): boolean {
  return (
    choice === "chargeNow" || choice === "atOnce" || choice === "atPeriodEnd" || choice === "keep"
  );
}

/** A plan's price, such as "49 USD a month". */
export function priceText(plan: Plan, coin: string): string {
  switch (plan.eligibility) {
    case "everyone":
      return "No charge";
    case "volume":
      return "Earned by volume";
    case "paid":
      return `${chargeText(plan.price, coin)} a month`;
    case "assigned":
      break;
  }
  return "Assigned";
}

/** A plan's note in the list; if it cannot be chosen, the reason. */
export function choiceNote({ plan, offer }: PlanChoiceRow, facts: ChoiceFacts): string | null {
  const { mine, coin, timeZone } = facts;
  switch (offer.choice) {
    case "volumeNotReached":
      return `Asks for a 30-day volume of ${formatMoney(plan.volumeMin, 0, coin)}; ${formatCost(subtractDecimals(plan.volumeMin, mine.volume), 0, coin)} is missing.`;
    case "insufficientAvailable":
      return insufficientText({ plan, offer }, facts);
    case "accountFrozen":
      return "Your account is frozen: it changes no plan. Ask the operator.";
    case "assignedOnly":
      return "Cannot be chosen: an administrator assigns it.";
    case "next":
      return offer.effectiveAt === null
        ? "Follows your plan."
        : `Follows on ${formatDate(offer.effectiveAt, timeZone)}.`;
    case "chargeNow":
      return "Charged from your balance at once, and every month.";
    case "keep":
      return "Your plan; choose it to take the change back.";
    case "atPeriodEnd":
      return offer.effectiveAt === null
        ? null
        : `Takes effect on ${formatDate(offer.effectiveAt, timeZone)}.`;
    case "atOnce":
    case "current":
      break;
  }
  return null;
}

function insufficientText({ plan, offer }: PlanChoiceRow, { coin, available }: ChoiceFacts) {
  const charge = chargeText(offer.charge ?? plan.price, coin);
  const has = available === null ? "less" : formatAmount(available, 2, coin);
  return `Your balance is not enough: ${charge} is charged at once, and you have ${has} available.`;
}

/** The effects of confirming the choice, one sentence each. */
export function consequencesOf({ plan, offer }: PlanChoiceRow, facts: ChoiceFacts): string[] {
  const { mine, plans, coin, timeZone } = facts;
  const fees = feesText(feesAt(plan, mine.volume));
  const price = chargeText(plan.price, coin);
  const date = offer.effectiveAt === null ? null : formatDate(offer.effectiveAt, timeZone);
  const continues = {
    everyone: [],
    paid: [
      `It renews every month for ${price} from your balance. If that is not enough one day, ${fallbackName(plans)} follows.`,
    ],
    volume: [
      `It continues month by month while your 30-day volume is ${formatMoney(plan.volumeMin, 0, coin)} or more; else ${fallbackName(plans)} follows.`,
    ],
    assigned: [],
  }[plan.eligibility];
  switch (offer.choice) {
    case "chargeNow":
      return [
        chargeSentence({ plan, offer }, facts),
        `${plan.name} holds at once: new orders pay ${fees}.`,
        ...continues,
      ];
    case "atOnce":
      return [
        "Nothing is charged.",
        `${plan.name} holds at once: new orders pay ${fees}.`,
        ...continues,
        ...(planBySlug(plans, mine.plan)?.eligibility === "assigned"
          ? [`You cannot choose ${mine.name} again: an administrator assigns it.`]
          : []),
      ];
    case "atPeriodEnd":
      return [
        `${plan.name} takes effect on ${date ?? "the last day"}, at the end of the period you paid for. ${mine.name} stays until then.`,
        "Nothing is charged now, and nothing is paid back.",
        ...continues,
      ];
    case "keep": {
      const next = mine.nextPlan === null ? undefined : planBySlug(plans, mine.nextPlan);
      return [
        `${plan.name} continues, and ${next?.name ?? "no other plan"} does not follow.`,
        "Nothing is charged now.",
        ...continues,
      ];
    }
    default:
      return [];
  }
}

/** Sentence about the charge now, and the credit for the rest of the current period. */
function chargeSentence({ plan, offer }: PlanChoiceRow, { mine, coin }: ChoiceFacts): string {
  const charge = offer.charge ?? plan.price;
  const credit = subtractDecimals(plan.price, charge);
  const now = `${chargeText(charge, coin)} is charged from your balance now`;
  return compareDecimals(credit, "0") > 0
    ? `${now}: ${chargeText(plan.price, coin)} less ${chargeText(credit, coin)} for the rest of ${mine.name}.`
    : `${now}.`;
}

export function confirmLabel({ plan, offer }: PlanChoiceRow, coin: string): string {
  if (offer.choice === "keep") return `Keep ${plan.name}`;
  const isCharged = offer.choice === "chargeNow";
  return isCharged ? `Pay ${chargeText(offer.charge ?? plan.price, coin)}` : "Change plan";
}

/** The message for a choice that the exchange refused although the page allowed it. */
export function choiceRefusal(error: unknown, row: PlanChoiceRow, facts: ChoiceFacts): string {
  const isShort = errorDataOf(error)?.code === "insufficientAvailable";
  return isShort ? insufficientText(row, facts) : errorSentence(error);
}
