/**
 * How an account gets a plan, pays for it and leaves it.
 *
 * - A paid plan is charged when its period begins, from the available balance, to the house
 *   account. A plan earned by volume costs nothing but requires that volume. Periods are UTC months
 *   from the moment of the choice; in a month without that day they end on its last day.
 * - An upgrade takes effect at once. The unused part of the current period, by time, is credited.
 * - A downgrade takes effect when the current period ends; choosing the current plan again before
 *   that cancels it. So the same time is never paid for twice.
 * - At the end of a period the next begins if the balance, or the volume, meets the plan's terms of
 *   that day; else the account lapses to the default plan. A frozen account is not charged: it
 *   lapses. Periods that passed while the exchange was down are not charged.
 * - An administrator's assignment ends the period, at no charge and without a refund.
 */
import { shareOf, type Amount } from "../amount.ts";
import { decisionIn, isDecisionOrNone } from "../command-texts.ts";
import { DEFAULT_PLAN_ID, type PlanTerms } from "../markets/catalogue.ts";
import { addMonths } from "../time/calendar.ts";
import type { CommandOf } from "../commands.ts";
import type { PlanLapseReason } from "../events.ts";
import type { Outcome } from "../reject-reasons.ts";
import { HOUSE_ACCOUNT } from "./postings.ts";
import type { EngineState } from "../state.ts";
import type { PlanPeriod } from "./plan-periods.ts";

export function assignPlan(
  { accounts, catalogue, events, planPeriods }: EngineState,
  { account, planId, decision }: CommandOf<"assignPlan">,
): Outcome {
  if (!isDecisionOrNone(decision)) return "invalidCommand";
  if (!accounts.exists(account)) return "unknownAccount";
  if (!catalogue.plans.has(planId)) return "unknownPlan";
  planPeriods.delete(account);
  accounts.assignPlan(account, planId);
  events.rare({ type: "planAssigned", account, planId, ...decisionIn(decision) });
  return "accepted";
}

export function choosePlan(
  state: EngineState,
  { account, planId }: CommandOf<"choosePlan">,
): Outcome {
  const { accounts, catalogue, nowMs, planPeriods, timers } = state;
  if (!accounts.exists(account)) return "unknownAccount";
  if (!catalogue.plans.has(planId)) return "unknownPlan";
  if (accounts.isFrozen(account)) return "accountFrozen";
  const period = planPeriods.find(account);
  if (planId === accounts.planOf(account)) {
    if (period === undefined || period.nextPlanId === 0) return "planUnchanged";
    planPeriods.set({ ...period, nextPlanId: 0 });
    state.events.rare({ type: "planChosen", account, planId, effectiveAtMs: nowMs });
    return "accepted";
  }
  const terms = catalogue.planTerms(planId);
  const refusal = validateOffer(state, account, terms);
  if (refusal !== null) return refusal;
  if (period !== undefined && waitsForEnd(state, period, terms)) {
    if (period.nextPlanId === planId) return "planUnchanged";
    planPeriods.set({ ...period, nextPlanId: planId });
    state.events.rare({ type: "planChosen", account, planId, effectiveAtMs: period.endsAtMs });
    return "accepted";
  }
  if (timers.isFull) return "limitReached";
  const credit = creditOf(state, account, terms);
  if (!canPay(state, account, terms, credit)) return "insufficientAvailable";
  switchTo(state, account, planId, credit, nowMs);
  return "accepted";
}

/** Ends the account's period: the next one begins, another plan follows, or the account lapses. */
export function renewPlan(state: EngineState, account: number): void {
  const { accounts, catalogue, planPeriods } = state;
  planPeriods.ended(account);
  const period = planPeriods.find(account) as PlanPeriod;
  const planId = period.nextPlanId === 0 ? accounts.planOf(account) : period.nextPlanId;
  const terms = catalogue.planTerms(planId);
  const reason = validatePeriod(state, account, terms);
  if (reason !== null) {
    const lapsedPlanId = accounts.planOf(account);
    planPeriods.delete(account);
    accounts.assignPlan(account, DEFAULT_PLAN_ID);
    state.events.rare({
      type: "planLapsed",
      account,
      planId: DEFAULT_PLAN_ID,
      lapsedPlanId,
      reason,
    });
  } else if (period.nextPlanId !== 0) {
    // The next period counts from the end of this one, not from when the engine processed that.
    switchTo(state, account, planId, 0, period.endsAtMs);
  } else if (terms.definition.eligibility === "everyone") {
    planPeriods.delete(account);
  } else {
    beginPeriod(state, account, planId, 0, period.chosenAtMs);
  }
}

/**
 * Whether the plan takes effect only after the current period: it costs less, or is in another
 * currency.
 */
function waitsForEnd(
  { accounts, catalogue }: EngineState,
  period: PlanPeriod,
  terms: PlanTerms,
): boolean {
  if (period.endsAtMs === 0 || period.price === 0) return false;
  const present = catalogue.planTerms(accounts.planOf(period.account));
  return present.currencyId !== terms.currencyId || priceOf(terms) < period.price;
}

/** Why a period of the plan cannot begin automatically; null if it can. */
function validatePeriod(
  state: EngineState,
  account: number,
  terms: PlanTerms,
): PlanLapseReason | null {
  if (state.accounts.isFrozen(account)) return "accountFrozen";
  const refusal = validateOffer(state, account, terms);
  if (refusal !== null) return refusal;
  return canPay(state, account, terms, 0) ? null : "insufficientAvailable";
}

/** Why the account may not have the plan, whatever its price; null if it may. */
function validateOffer(
  { catalogue, feeTiers }: EngineState,
  account: number,
  terms: PlanTerms,
): "planNotOffered" | "volumeNotReached" | null {
  if (!isOffered(terms)) return "planNotOffered";
  if (terms.definition.eligibility !== "volume") return null;
  const hasEarned =
    terms.currencyId === catalogue.settlementId && feeTiers.volumeOf(account) >= terms.volumeMin;
  return hasEarned ? null : "volumeNotReached";
}

function canPay(
  { ledger }: EngineState,
  account: number,
  terms: PlanTerms,
  credit: number,
): boolean {
  return !isPaid(terms) || terms.price - credit <= ledger.available(account, terms.currencyId);
}

function switchTo(
  state: EngineState,
  account: number,
  planId: number,
  credit: number,
  effectiveAtMs: number,
): void {
  const { accounts, catalogue, planPeriods } = state;
  planPeriods.delete(account);
  accounts.assignPlan(account, planId);
  state.events.rare({ type: "planChosen", account, planId, effectiveAtMs });
  if (catalogue.planTerms(planId).definition.eligibility === "everyone") return;
  beginPeriod(state, account, planId, credit, effectiveAtMs);
}

/** Begins the current period; periods are counted from the choice of the plan. */
function beginPeriod(
  { catalogue, events, ledger, nowMs, planPeriods }: EngineState,
  account: number,
  planId: number,
  credit: number,
  chosenAtMs: number,
): void {
  const terms = catalogue.planTerms(planId);
  const price = priceOf(terms) as Amount;
  const amount = (price - credit) as Amount;
  if (amount > 0) ledger.transfer(account, HOUSE_ACCOUNT, terms.currencyId, amount);
  let months = 1;
  while (addMonths(chosenAtMs, months) <= nowMs) months++;
  const beganAtMs = addMonths(chosenAtMs, months - 1);
  // A one-off purchase is never renewed; an earned plan is checked every month.
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

/**
 * The credit for the unused part of the current period, by time and rounded down, at most the price
 * of the next period.
 */
function creditOf(
  { accounts, catalogue, nowMs, planPeriods }: EngineState,
  account: number,
  terms: PlanTerms,
): number {
  const period = planPeriods.find(account);
  if (period === undefined) return 0;
  const present = catalogue.planTerms(accounts.planOf(account));
  if (present.currencyId !== terms.currencyId) return 0;
  const { beganAtMs, endsAtMs, price } = period;
  const left = endsAtMs === 0 ? price : shareOf(price, endsAtMs - nowMs, endsAtMs - beganAtMs);
  return Math.min(left, priceOf(terms));
}

function isPaid(terms: PlanTerms): boolean {
  return terms.definition.eligibility === "paid";
}

function priceOf(terms: PlanTerms): number {
  return isPaid(terms) ? terms.price : 0;
}

/** Whether users may choose the plan; without a currency nothing can be charged or earned. */
function isOffered(terms: PlanTerms): boolean {
  const { eligibility } = terms.definition;
  return eligibility === "everyone" || (eligibility !== "assigned" && terms.currencyId !== 0);
}
