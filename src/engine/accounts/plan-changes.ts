/**
 * How an account comes to a plan, pays for it and leaves it.
 *
 * - A paid plan is charged when its period begins, from what is available, to the house. An earned
 *   plan (by volume) costs nothing and asks for its volume instead. Periods are months of UTC from
 *   the moment of the choice; on a day that a month lacks they end with the month's last day.
 * - Choosing a dearer plan holds at once. What is left of the running period, by time, is credited.
 * - Choosing a cheaper plan holds when the running period ends; choosing the present one again before
 *   that takes the choice back. So nobody pays twice for one time.
 * - At the end of a period the next begins if the balance, or the volume, suffices for the plan's
 *   price of that day; else the account lapses to the default plan. A frozen account is not charged:
 *   it lapses. Periods that passed while nothing ran are not charged.
 * - An administrator's assignment ends the period, at no charge and without a refund.
 */
import { shareOf, type Amount } from "../amount.ts";
import { DEFAULT_PLAN_ID, type PlanTerms } from "../markets/catalogue.ts";
import { addMonths } from "../time/calendar.ts";
import type { AssignPlan, ChoosePlan } from "../commands.ts";
import type { EventBuffer } from "../event-buffer.ts";
import type { PlanLapseReason } from "../events.ts";
import type { Outcome } from "../outcome.ts";
import { HOUSE_ACCOUNT } from "./postings.ts";
import type { EngineState } from "../state.ts";
import type { PlanPeriod } from "./plan-periods.ts";

export class PlanChanges {
  readonly #state: EngineState;

  constructor(state: EngineState) {
    this.#state = state;
  }

  assign({ account, planId }: AssignPlan, events: EventBuffer): Outcome {
    const { accounts, catalogue } = this.#state;
    if (!accounts.exists(account)) return "unknownAccount";
    if (!catalogue.plans.has(planId)) return "unknownPlan";
    this.#endPeriod(account);
    accounts.assignPlan(account, planId);
    events.rare({ type: "planAssigned", account, planId });
    return "accepted";
  }

  choose({ account, planId }: ChoosePlan, nowMs: number, events: EventBuffer): Outcome {
    const { accounts, catalogue, planPeriods, timers } = this.#state;
    if (!accounts.exists(account)) return "unknownAccount";
    if (!catalogue.plans.has(planId)) return "unknownPlan";
    if (accounts.isFrozen(account)) return "accountFrozen";
    const period = planPeriods.find(account);
    if (planId === accounts.planOf(account)) {
      if (period === undefined || period.nextPlanId === 0) return "planUnchanged";
      planPeriods.set({ ...period, nextPlanId: 0 });
      events.rare({ type: "planChosen", account, planId, effectiveAtMs: nowMs });
      return "accepted";
    }
    const terms = catalogue.planTerms(planId);
    if (!isOffered(terms)) return "planNotOffered";
    if (terms.definition.eligibility === "volume" && !this.#hasEarned(account, terms)) {
      return "volumeNotReached";
    }
    if (period !== undefined && this.#waitsForEnd(period, terms)) {
      if (period.nextPlanId === planId) return "planUnchanged";
      planPeriods.set({ ...period, nextPlanId: planId });
      events.rare({ type: "planChosen", account, planId, effectiveAtMs: period.endsAtMs });
      return "accepted";
    }
    if (timers.isFull) return "limitReached";
    const credit = this.#creditOf(account, terms, nowMs);
    if (isPaid(terms) && terms.price - credit > this.#available(account, terms)) {
      return "insufficientAvailable";
    }
    this.#switchTo(account, planId, credit, nowMs, nowMs, events);
    return "accepted";
  }

  /** The account's period has ended: the next begins, another plan follows, or it lapses. */
  renew(account: number, nowMs: number, events: EventBuffer): void {
    const { accounts, catalogue, planPeriods } = this.#state;
    planPeriods.ended(account);
    const period = planPeriods.find(account) as PlanPeriod;
    const planId = period.nextPlanId === 0 ? accounts.planOf(account) : period.nextPlanId;
    const terms = catalogue.planTerms(planId);
    const lapse = this.#refusePeriod(account, terms);
    if (lapse !== null) {
      const lapsedPlanId = accounts.planOf(account);
      this.#endPeriod(account);
      accounts.assignPlan(account, DEFAULT_PLAN_ID);
      events.rare({
        type: "planLapsed",
        account,
        planId: DEFAULT_PLAN_ID,
        lapsedPlanId,
        reason: lapse,
      });
    } else if (period.nextPlanId !== 0) {
      // From the end of the period, not from when somebody noticed.
      this.#switchTo(account, planId, 0, period.endsAtMs, nowMs, events);
    } else if (terms.definition.eligibility === "everyone") {
      this.#endPeriod(account);
    } else {
      this.#beginPeriod(account, planId, 0, period.chosenAtMs, nowMs, events);
    }
  }

  /** Whether the plan can only follow the running period: it is cheaper, or in another currency. */
  #waitsForEnd(period: PlanPeriod, terms: PlanTerms): boolean {
    if (period.endsAtMs === 0 || period.price === 0) return false;
    const { accounts, catalogue } = this.#state;
    const present = catalogue.planTerms(accounts.planOf(period.account));
    return present.currencyId !== terms.currencyId || priceOf(terms) < period.price;
  }

  /** Why a period of the plan cannot begin by itself, null where it can. */
  #refusePeriod(account: number, terms: PlanTerms): PlanLapseReason | null {
    if (this.#state.accounts.isFrozen(account)) return "accountFrozen";
    if (!isOffered(terms)) return "planNotOffered";
    if (terms.definition.eligibility === "volume" && !this.#hasEarned(account, terms)) {
      return "volumeNotReached";
    }
    if (isPaid(terms) && terms.price > this.#available(account, terms)) {
      return "insufficientAvailable";
    }
    return null;
  }

  #switchTo(
    account: number,
    planId: number,
    credit: number,
    effectiveAtMs: number,
    nowMs: number,
    events: EventBuffer,
  ): void {
    const { accounts, catalogue } = this.#state;
    this.#endPeriod(account);
    accounts.assignPlan(account, planId);
    events.rare({ type: "planChosen", account, planId, effectiveAtMs });
    if (catalogue.planTerms(planId).definition.eligibility === "everyone") return;
    this.#beginPeriod(account, planId, credit, effectiveAtMs, nowMs, events);
  }

  /** The period, of those that are counted from the choice, in which the present lies. */
  #beginPeriod(
    account: number,
    planId: number,
    credit: number,
    chosenAtMs: number,
    nowMs: number,
    events: EventBuffer,
  ): void {
    const { catalogue, ledger, planPeriods } = this.#state;
    const terms = catalogue.planTerms(planId);
    const price = priceOf(terms) as Amount;
    const amount = (price - credit) as Amount;
    if (amount > 0) ledger.transfer(account, HOUSE_ACCOUNT, terms.currencyId, amount);
    let months = 1;
    while (addMonths(chosenAtMs, months) <= nowMs) months++;
    const beganAtMs = addMonths(chosenAtMs, months - 1);
    // What is bought once is never renewed; what is earned is looked at every month.
    const isForEver = isPaid(terms) && terms.definition.interval === "none";
    const endsAtMs = isForEver ? 0 : addMonths(chosenAtMs, months);
    planPeriods.set({ account, chosenAtMs, beganAtMs, endsAtMs, price, nextPlanId: 0 });
    events.rare({
      type: "planPeriodBegan",
      account,
      planId,
      assetId: terms.currencyId,
      amount,
      creditedAmount: credit as Amount,
      beganAtMs,
      renewsAtMs: endsAtMs,
    });
  }

  #endPeriod(account: number): void {
    this.#state.planPeriods.delete(account);
  }

  /** What is left of the running period, by time and rounded down, at most the price of the next. */
  #creditOf(account: number, terms: PlanTerms, nowMs: number): number {
    const { accounts, catalogue, planPeriods } = this.#state;
    const period = planPeriods.find(account);
    if (period === undefined) return 0;
    const present = catalogue.planTerms(accounts.planOf(account));
    if (present.currencyId !== terms.currencyId) return 0;
    const { beganAtMs, endsAtMs, price } = period;
    const left = endsAtMs === 0 ? price : shareOf(price, endsAtMs - nowMs, endsAtMs - beganAtMs);
    return Math.min(left, priceOf(terms));
  }

  #available(account: number, terms: PlanTerms): number {
    return this.#state.ledger.available(account, terms.currencyId);
  }

  #hasEarned(account: number, terms: PlanTerms): boolean {
    const { catalogue, feeTiers } = this.#state;
    return (
      terms.currencyId === catalogue.settlementId && feeTiers.volumeOf(account) >= terms.volumeMin
    );
  }
}

function isPaid(terms: PlanTerms): boolean {
  return terms.definition.eligibility === "paid";
}

function priceOf(terms: PlanTerms): number {
  return isPaid(terms) ? terms.price : 0;
}

/** Whether owners may choose it themselves; nothing can be charged or earned without a currency. */
function isOffered(terms: PlanTerms): boolean {
  const { eligibility } = terms.definition;
  return eligibility === "everyone" || (eligibility !== "assigned" && terms.currencyId !== 0);
}
