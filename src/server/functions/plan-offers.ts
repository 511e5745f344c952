/**
 * The effects of the plans on one account: the fees of orders placed now, the next fee tier, and the
 * effect of choosing each plan. The engine decides (fee-tiers.ts, plan-changes.ts); this module
 * predicts its decisions by the same rules.
 */
import { divide, formatDecimal, parseDecimal } from "#contract/decimal.ts";
import type { MyPlan, Plan, PlanChoice, PlanOffer } from "#contract/plans.ts";
import type { FeeSource } from "#contract/types.ts";
import type { PlanLimits } from "../catalogue/plans.ts";
import type { PlanView } from "../views/catalogue.ts";
import type { AccountView } from "../views/ledger-accounts.ts";
import type { Views } from "../views/views.ts";
import { formatSettlement, percentOf, presentPlan, settlementScale } from "./present-market.ts";

export const DEFAULT_PLAN_ID = 1;

export interface FeesNow {
  readonly makerFeeBps: number;
  readonly takerFeeBps: number;
  readonly feeSource: FeeSource;
}

/** The fees of orders placed now in markets without fees of their own. */
export function feesNow(views: Views, account: AccountView | undefined): FeesNow {
  const { definition } = planOf(views, account);
  const volume = volumeOf(views, account);
  const reached = feeTiersOf(views, definition).findLast(({ units }) => units <= volume);
  const { makerFeeBps, takerFeeBps } = reached?.tier ?? definition;
  return { makerFeeBps, takerFeeBps, feeSource: reached === undefined ? "plan" : "volume" };
}

export function presentMyPlan(views: Views, account: AccountView | undefined): MyPlan {
  const plan = planOf(views, account);
  const nowMs = views.nowMs();
  const today = account === undefined ? 0n : views.volumes.today(account.account, nowMs);
  const nextPlan = account === undefined || account.nextPlanId === 0 ? null : account.nextPlanId;
  const renewsAt = periodOf(views, account)?.renewsAtMs ?? 0;
  const following = nextPlan === null ? plan : views.catalogue.plan(nextPlan);
  const isCharged = renewsAt !== 0 && following.definition.eligibility === "paid";
  return {
    plan: plan.definition.slug,
    name: plan.definition.name,
    ...feesNow(views, account),
    volume: formatSettlement(views, volumeOf(views, account)),
    volumeToday: formatSettlement(views, today),
    nextFeeTier: nextFeeTier(views, plan, volumeOf(views, account)),
    renewsAt: renewsAt === 0 ? null : renewsAt,
    renewalCharge: isCharged ? following.definition.price : null,
    nextPlan: nextPlan === null ? null : following.definition.slug,
    isFrozen: account?.isFrozen ?? false,
    offers: views.catalogue.plans().map((offered) => offerOf(views, account, offered)),
  };
}

/** All plans, in order. @param limitsOf the limits of a plan, by its slug */
export function presentPlans({ catalogue }: Views, limitsOf: (slug: string) => PlanLimits): Plan[] {
  const standard = catalogue.plan(DEFAULT_PLAN_ID);
  return catalogue
    .plans()
    .map((plan) => presentPlan(plan, standard, limitsOf(plan.definition.slug)));
}

/** The account's plan; without an account, the default plan. */
export function planOf(views: Views, account: AccountView | undefined): PlanView {
  return views.catalogue.plan(account?.planId ?? DEFAULT_PLAN_ID);
}

/**
 * The account's present period; undefined if it has none. One of a plan that became free ends without
 * an event.
 */
function periodOf(views: Views, account: AccountView | undefined): AccountView["planPeriod"] {
  const period = account?.planPeriod;
  const renewsAt = period?.renewsAtMs ?? 0;
  return renewsAt !== 0 && renewsAt <= views.nowMs() ? undefined : period;
}

function volumeOf(views: Views, account: AccountView | undefined): bigint {
  return account === undefined ? 0n : views.volumes.counted(account.account, views.nowMs());
}

/**
 * The fee tiers of a plan, with volumes in settlement units; empty if the plan counts volume in
 * another coin.
 */
function feeTiersOf(views: Views, { currency, volumeLadder = [] }: PlanView["definition"]) {
  if (currency !== views.settlementCoin) return [];
  const scale = settlementScale(views);
  return volumeLadder.map((tier) => ({ tier, units: parseDecimal(tier.volumeMin, scale) }));
}

function nextFeeTier(views: Views, plan: PlanView, volume: bigint): MyPlan["nextFeeTier"] {
  const next = feeTiersOf(views, plan.definition).find(({ units }) => units > volume);
  if (next === undefined) return null;
  return {
    ...next.tier,
    missing: formatSettlement(views, next.units - volume),
    progressPercent: percentOf(volume, next.units),
  };
}

function offerOf(views: Views, account: AccountView | undefined, offered: PlanView): PlanOffer {
  const offer = (choice: PlanChoice, charge: string | null = null): PlanOffer => {
    const waits = choice === "atPeriodEnd" || choice === "next";
    const effectiveAt = waits ? (periodOf(views, account)?.renewsAtMs ?? null) : null;
    return { plan: offered.definition.slug, choice, charge, effectiveAt };
  };
  const { eligibility, currency } = offered.definition;
  const isPresent = offered.planId === planOf(views, account).planId;
  const next = account?.nextPlanId ?? 0;
  if (isPresent && next === 0) return offer("current");
  if (account?.isFrozen === true) return offer("accountFrozen");
  if (isPresent) return offer("keep");
  if (offered.planId === next) return offer("next");
  const isOffered =
    eligibility === "everyone" || (eligibility !== "assigned" && currency !== undefined);
  if (!isOffered) return offer("assignedOnly");
  if (eligibility === "volume" && !hasEarned(views, account, offered)) {
    return offer("volumeNotReached");
  }
  if (waitsForEnd(views, account, offered)) return offer("atPeriodEnd");
  if (eligibility !== "paid") return offer("atOnce");
  const coin = currency === undefined ? undefined : views.catalogue.coinBySymbol(currency);
  if (account === undefined || coin === undefined) return offer("insufficientAvailable");
  const { assetId, definition } = coin;
  const units = priceOf(views, offered) - creditOf(views, account, offered);
  const charge = formatDecimal(units, definition.scale);
  const available = BigInt(views.accounts.available(account.account, assetId));
  return offer(units > available ? "insufficientAvailable" : "chargeNow", charge);
}

function hasEarned(views: Views, account: AccountView | undefined, offered: PlanView): boolean {
  const { volumeMin, currency } = offered.definition;
  if (currency !== views.settlementCoin) return false;
  return volumeOf(views, account) >= parseDecimal(volumeMin, settlementScale(views));
}

function waitsForEnd(views: Views, account: AccountView | undefined, offered: PlanView): boolean {
  const period = periodOf(views, account);
  if (period === undefined || period.renewsAtMs === 0 || period.price === 0) return false;
  const present = planOf(views, account).definition;
  const isOtherCoin = present.currency !== offered.definition.currency;
  return isOtherCoin || priceOf(views, offered) < BigInt(period.price);
}

function priceOf(views: Views, { definition }: PlanView): bigint {
  const { currency, eligibility, price } = definition;
  const coin = currency === undefined ? undefined : views.catalogue.coinBySymbol(currency);
  if (coin === undefined || eligibility !== "paid") return 0n;
  return parseDecimal(price, coin.definition.scale);
}

/**
 * The credit for the rest of the current period: its price in proportion to the time left, rounded
 * down, at most the price of the next period.
 */
function creditOf(views: Views, account: AccountView, offered: PlanView): bigint {
  const period = periodOf(views, account);
  const isSameCoin = planOf(views, account).definition.currency === offered.definition.currency;
  if (period === undefined || !isSameCoin) return 0n;
  const { beganAtMs, renewsAtMs } = period;
  const price = BigInt(period.price);
  const left =
    renewsAtMs === 0
      ? price
      : divide(price * BigInt(renewsAtMs - views.nowMs()), BigInt(renewsAtMs - beganAtMs), "down");
  const priceNext = priceOf(views, offered);
  return left < priceNext ? left : priceNext;
}
