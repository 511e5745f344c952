/**
 * An independent model of everything around trading, so simple that it can be verified against
 * docs/plans-and-money.md by reading: plans and their periods, volumes and fees, adjustments, freezes,
 * practice money. BigInt, no cache, volumes summed trade by trade. It shares only types with the engine.
 */
import type { Command, PlanDefinition } from "#engine/commands.ts";
import type { FeeSource, PlanLapseReason } from "#engine/events.ts";
import {
  DAY_MS,
  EXACT_MAX,
  isPositive,
  isText,
  type CommandOf,
  type Fields,
  type ModelMoney,
  type Reasons,
} from "./model-parts.ts";

const EXTERNAL = 1;
const HOUSE = 3;
const ADJUSTMENTS = 4;
const FIRST_ACCOUNT = 16;

export interface ModelCoin {
  readonly symbol: string;
  readonly scale: number;
}

interface Account {
  readonly id: number;
  readonly kind: "person" | "participant";
  planId: number;
  isFrozen: boolean;
  practiceDay: number;
  period: Period | undefined;
  /** Trades quoted in the settlement coin, by day. */
  readonly trades: { readonly day: number; units: bigint }[];
}

interface Period {
  readonly chosenAtMs: number;
  readonly beganAtMs: number;
  /** Infinity if the period never ends. */
  readonly endsAtMs: number;
  readonly price: bigint;
  nextPlanId: number;
}

interface Adjustment {
  readonly adjustmentId: number;
  readonly account: number;
  readonly assetId: number;
  readonly amount: number;
  readonly reason: string;
  readonly proposedBy: string;
}

export interface ModelFees {
  readonly makerFeeBps: number;
  readonly takerFeeBps: number;
  readonly feeSource: FeeSource;
}

export class HouseModel {
  nowMs = 0;
  /** Balance limit of one account for each coin; undefined if none. */
  balanceMax: bigint | undefined;
  readonly #money: ModelMoney;
  readonly #coins: readonly ModelCoin[];
  readonly #plans: PlanDefinition[];
  readonly #versions: number[];
  readonly #accounts: Account[];
  readonly #tell: (event: Fields) => void;
  #adjustments: Adjustment[] = [];
  #adjustmentCount = 0;

  constructor(
    money: ModelMoney,
    coins: readonly ModelCoin[],
    plans: readonly PlanDefinition[],
    kinds: readonly ("person" | "participant")[],
    tell: (event: Fields) => void,
  ) {
    this.#money = money;
    this.#coins = coins;
    this.#plans = [...plans];
    this.#versions = plans.map(() => 1);
    this.#tell = tell;
    this.#accounts = kinds.map((kind, index) => ({
      id: FIRST_ACCOUNT + index,
      kind,
      planId: 1,
      isFrozen: false,
      practiceDay: -1,
      period: undefined,
      trades: [],
    }));
  }

  /** The reasons to refuse a command; empty if it is accepted, undefined if this model does not handle it. */
  carryOut(command: Command): Reasons | undefined {
    switch (command.type) {
      case "takePracticeFunds":
      case "fundParticipant":
        return this.#deposit(command);
      case "assignPlan":
        return this.#assign(command);
      case "choosePlan":
        return this.#choose(command);
      case "updatePlan":
        return this.#updatePlan(command);
      case "proposeAdjustment":
        return this.#propose(command);
      case "approveAdjustment":
        return this.#approve(command);
      case "rejectAdjustment":
        return this.#reject(command);
      case "limitBalances":
        return this.#limitBalances(command);
      default:
        return undefined;
    }
  }

  isAccount(account: number): boolean {
    return this.#find(account) !== undefined;
  }

  isFrozen(account: number): boolean {
    return this.#find(account)?.isFrozen ?? false;
  }

  setFrozen(account: number, isFrozen: boolean): void {
    this.#of(account).isFrozen = isFrozen;
  }

  planOf(account: number): PlanDefinition {
    return this.#plans[this.#of(account).planId - 1];
  }

  /** The largest notional that the account's plan allows in markets with this quote asset. */
  notionalMaxOf(account: number, quote: number): bigint {
    const { currency, notionalMax } = this.planOf(account);
    if (notionalMax === undefined || this.#assetOf(currency) !== quote) return EXACT_MAX;
    return this.#units(notionalMax, quote);
  }

  /** The fees of the account's orders in a market without fees of its own. */
  feesOf(account: number): ModelFees {
    const plan = this.planOf(account);
    const rates = { makerFeeBps: plan.makerFeeBps, takerFeeBps: plan.takerFeeBps };
    const currency = this.#assetOf(plan.currency);
    if (currency === 0 || currency !== this.#settlement) return { ...rates, feeSource: "plan" };
    const volume = this.#volumeOf(account);
    const tier = (plan.volumeLadder ?? []).findLast(
      ({ volumeMin }) => volume >= this.#units(volumeMin, currency),
    );
    if (tier === undefined) return { ...rates, feeSource: "plan" };
    const { makerFeeBps, takerFeeBps } = tier;
    return { makerFeeBps, takerFeeBps, feeSource: "volume" };
  }

  /** Counts a trade of the account on either side. */
  traded(account: number, quote: number, notional: bigint): void {
    if (quote !== this.#settlement) return;
    const { trades } = this.#of(account);
    trades.push({ day: Math.floor(this.nowMs / DAY_MS), units: notional });
  }

  /** The end of every period: when, whose account, and how to apply it. */
  due(): { atMs: number; id: number; happen: () => void }[] {
    return this.#accounts.flatMap((account) =>
      account.period === undefined
        ? []
        : [{ atMs: account.period.endsAtMs, id: account.id, happen: () => this.#renew(account) }],
    );
  }

  // Money

  #deposit(command: CommandOf<"takePracticeFunds" | "fundParticipant">): Reasons {
    const { account: id, assetId, amount } = command;
    const isPractice = command.type === "takePracticeFunds";
    const given = [{ assetId, amount }, ...((isPractice && command.otherCoins) || [])];
    const reasons: Reasons = new Set();
    const account = this.#find(id);
    if (account === undefined) reasons.add("unknownAccount");
    if (given.some((coin) => !this.#isAsset(coin.assetId))) reasons.add("unknownAsset");
    if (given.some((coin) => !isPositive(coin.amount))) reasons.add("invalidAmount");
    const assets = given.map((coin) => coin.assetId);
    if (new Set(assets).size < assets.length) reasons.add("invalidCommand");
    if (account === undefined || reasons.size > 0) return reasons;
    const day = Math.floor(this.nowMs / DAY_MS);
    if (isPractice && account.kind !== "person") reasons.add("invalidCommand");
    if (!isPractice && account.kind !== "participant") reasons.add("notAParticipant");
    if (isPractice && account.practiceDay === day) reasons.add("practiceFundsTakenToday");
    for (const coin of given) this.#addCredit(reasons, id, coin.assetId, BigInt(coin.amount));
    if (reasons.size > 0) return reasons;
    if (isPractice) account.practiceDay = day;
    const type = isPractice ? "practiceFundsTaken" : "participantFunded";
    for (const coin of given) {
      this.#money.move(EXTERNAL, id, coin.assetId, BigInt(coin.amount));
      this.#tell({ type, account: id, assetId: coin.assetId, amount: coin.amount });
    }
    return reasons;
  }

  #propose(command: CommandOf<"proposeAdjustment">): Reasons {
    const { account, assetId, amount, reason, proposedBy } = command;
    const reasons: Reasons = new Set();
    if (!isText(reason, 200) || !isText(proposedBy, 64)) reasons.add("invalidCommand");
    if (!this.isAccount(account)) reasons.add("unknownAccount");
    if (!this.#isAsset(assetId)) reasons.add("unknownAsset");
    if (!isPositive(Math.abs(amount))) reasons.add("invalidAmount");
    if (reasons.size > 0) return reasons;
    const adjustmentId = ++this.#adjustmentCount;
    const proposed = { adjustmentId, account, assetId, amount, reason, proposedBy };
    this.#adjustments.push(proposed);
    this.#tell({ type: "adjustmentProposed", ...proposed });
    return reasons;
  }

  #approve({ adjustmentId, approvedBy }: CommandOf<"approveAdjustment">): Reasons {
    const reasons: Reasons = new Set();
    if (!isText(approvedBy, 64)) reasons.add("invalidCommand");
    const found = this.#adjustments.find((pending) => pending.adjustmentId === adjustmentId);
    if (found === undefined) return reasons.add("unknownAdjustment");
    const { account, assetId, proposedBy } = found;
    if (proposedBy === approvedBy) reasons.add("sameAdministrator");
    const amount = BigInt(found.amount);
    if (amount > 0n) this.#addCredit(reasons, account, assetId, amount);
    if (-amount > this.#money.of(account, assetId)) reasons.add("insufficientAvailable");
    if (reasons.size > 0) return reasons;
    this.#money.move(ADJUSTMENTS, account, assetId, amount);
    this.#adjustments = this.#adjustments.filter((pending) => pending !== found);
    this.#tell({ type: "adjustmentApproved", ...found, approvedBy });
    return reasons;
  }

  #reject({ adjustmentId, rejectedBy }: CommandOf<"rejectAdjustment">): Reasons {
    const reasons: Reasons = new Set();
    if (!isText(rejectedBy, 64)) reasons.add("invalidCommand");
    const found = this.#adjustments.find((pending) => pending.adjustmentId === adjustmentId);
    if (found === undefined) reasons.add("unknownAdjustment");
    if (found === undefined || reasons.size > 0) return reasons;
    this.#adjustments = this.#adjustments.filter((pending) => pending !== found);
    this.#tell({ type: "adjustmentRejected", adjustmentId, account: found.account, rejectedBy });
    return reasons;
  }

  #limitBalances({ unitsMax }: CommandOf<"limitBalances">): Reasons {
    if (!isPositive(unitsMax)) return new Set(["invalidCommand"]);
    this.balanceMax = BigInt(unitsMax);
    this.#tell({ type: "balancesLimited", unitsMax });
    return new Set();
  }

  /** Checks the balance limit or, without one, the limit of all accounts together. */
  #addCredit(reasons: Reasons, account: number, asset: number, amount: bigint): void {
    if (this.balanceMax !== undefined) {
      if (!this.mayOwn(account, asset, amount)) reasons.add("balanceTooLarge");
    } else if (this.supplyOf(asset) + amount > EXACT_MAX) {
      reasons.add("supplyExceeded");
    }
  }

  /** Whether the balance limit allows the account this much more. */
  mayOwn(account: number, asset: number, amount: bigint): boolean {
    if (this.balanceMax === undefined) return true;
    const money = this.#money;
    const total = money.of(account, asset) + money.of(account, asset, "held");
    return total + amount <= this.balanceMax;
  }

  // Plans

  #assign({ account, planId }: CommandOf<"assignPlan">): Reasons {
    const reasons = this.#unknown(account, planId);
    if (reasons.size > 0) return reasons;
    const whose = this.#of(account);
    whose.period = undefined;
    whose.planId = planId;
    this.#tell({ type: "planAssigned", account, planId });
    return reasons;
  }

  #choose({ account, planId }: CommandOf<"choosePlan">): Reasons {
    const reasons = this.#unknown(account, planId);
    if (reasons.size > 0) return reasons;
    const whose = this.#of(account);
    const { period } = whose;
    if (whose.isFrozen) return reasons.add("accountFrozen");
    if (planId === whose.planId) {
      // The current plan again: cancels a plan chosen for later.
      if (period === undefined || period.nextPlanId === 0) return reasons.add("planUnchanged");
      period.nextPlanId = 0;
      this.#tell({ type: "planChosen", account, planId, effectiveAtMs: this.nowMs });
      return reasons;
    }
    const [present, chosen] = [this.#plans[whose.planId - 1], this.#plans[planId - 1]];
    if (!this.#isOffered(chosen)) reasons.add("planNotOffered");
    else if (!this.#hasVolumeFor(account, chosen)) reasons.add("volumeNotReached");
    if (reasons.size > 0) return reasons;
    const isPaidUp = period !== undefined && period.endsAtMs < Infinity && period.price > 0n;
    const isSameCurrency = this.#assetOf(present.currency) === this.#assetOf(chosen.currency);
    if (isPaidUp && (!isSameCurrency || this.#priceOf(chosen) < period.price)) {
      if (period.nextPlanId === planId) return reasons.add("planUnchanged");
      period.nextPlanId = planId;
      this.#tell({ type: "planChosen", account, planId, effectiveAtMs: period.endsAtMs });
      return reasons;
    }
    let credit = 0n;
    if (period !== undefined && isSameCurrency) {
      const { beganAtMs, endsAtMs, price } = period;
      const [left, whole] = [endsAtMs - this.nowMs, endsAtMs - beganAtMs];
      credit = endsAtMs === Infinity ? price : (price * BigInt(left)) / BigInt(whole);
      if (credit > this.#priceOf(chosen)) credit = this.#priceOf(chosen);
    }
    if (!this.#canPay(account, chosen, credit)) return reasons.add("insufficientAvailable");
    this.#switch(whose, planId, credit, this.nowMs);
    return reasons;
  }

  #renew(account: Account): void {
    const period = account.period as Period;
    const planId = period.nextPlanId === 0 ? account.planId : period.nextPlanId;
    const plan = this.#plans[planId - 1];
    let lapse: PlanLapseReason | undefined;
    if (account.isFrozen) lapse = "accountFrozen";
    else if (!this.#isOffered(plan)) lapse = "planNotOffered";
    else if (!this.#hasVolumeFor(account.id, plan)) lapse = "volumeNotReached";
    else if (!this.#canPay(account.id, plan, 0n)) lapse = "insufficientAvailable";
    if (lapse !== undefined) {
      const lapsedPlanId = account.planId;
      account.period = undefined;
      account.planId = 1;
      const { id } = account;
      this.#tell({ type: "planLapsed", account: id, planId: 1, lapsedPlanId, reason: lapse });
    } else if (period.nextPlanId !== 0) {
      this.#switch(account, planId, 0n, period.endsAtMs);
    } else if (plan.eligibility === "everyone") {
      account.period = undefined;
    } else {
      this.#begin(account, 0n, period.chosenAtMs);
    }
  }

  #switch(account: Account, planId: number, credit: bigint, effectiveAtMs: number): void {
    account.period = undefined;
    account.planId = planId;
    this.#tell({ type: "planChosen", account: account.id, planId, effectiveAtMs });
    if (this.#plans[planId - 1].eligibility !== "everyone") {
      this.#begin(account, credit, effectiveAtMs);
    }
  }

  /** Begins the period that contains the present; earlier periods that passed unnoticed are not charged. */
  #begin(account: Account, credit: bigint, chosenAtMs: number): void {
    const { id, planId } = account;
    const plan = this.#plans[planId - 1];
    const price = this.#priceOf(plan);
    const assetId = this.#assetOf(plan.currency);
    this.#money.move(id, HOUSE, assetId, price - credit);
    let months = 1;
    while (monthsLater(chosenAtMs, months) <= this.nowMs) months++;
    const isForEver = plan.eligibility === "paid" && plan.interval === "none";
    const endsAtMs = isForEver ? Infinity : monthsLater(chosenAtMs, months);
    const beganAtMs = monthsLater(chosenAtMs, months - 1);
    account.period = { chosenAtMs, beganAtMs, endsAtMs, price, nextPlanId: 0 };
    this.#tell({
      type: "planPeriodBegan",
      account: id,
      planId,
      assetId,
      amount: Number(price - credit),
      creditedAmount: Number(credit),
      beganAtMs,
      renewsAtMs: isForEver ? 0 : endsAtMs,
    });
  }

  #updatePlan({ planId, plan }: CommandOf<"updatePlan">): Reasons {
    const reasons: Reasons = new Set();
    const present = this.#plans[planId - 1];
    if (present === undefined) return reasons.add("unknownPlan");
    const currency = this.#assetOf(plan.currency);
    if (plan.makerFeeBps > 10_000 || plan.takerFeeBps > 10_000) reasons.add("invalidCommand");
    if (plan.slug !== present.slug) reasons.add("invalidCommand");
    if (present.currency !== undefined && plan.currency !== present.currency) {
      reasons.add("invalidCommand");
    }
    if (plan.currency !== undefined && currency === 0) reasons.add("unknownAsset");
    else if (currency !== 0 && !isExact(plan.price, this.#coins[currency - 1].scale)) {
      reasons.add("invalidAmount");
    }
    if (reasons.size > 0) return reasons;
    this.#plans[planId - 1] = plan;
    this.#tell({ type: "planUpdated", planId, version: ++this.#versions[planId - 1], plan });
    return reasons;
  }

  #unknown(account: number, planId: number): Reasons {
    const reasons: Reasons = new Set();
    if (!this.isAccount(account)) reasons.add("unknownAccount");
    if (this.#plans[planId - 1] === undefined) reasons.add("unknownPlan");
    return reasons;
  }

  #isOffered({ currency, eligibility }: PlanDefinition): boolean {
    return eligibility === "everyone" || (eligibility !== "assigned" && currency !== undefined);
  }

  #hasVolumeFor(account: number, plan: PlanDefinition): boolean {
    if (plan.eligibility !== "volume") return true;
    const currency = this.#assetOf(plan.currency);
    if (currency !== this.#settlement) return false;
    return this.#volumeOf(account) >= this.#units(plan.volumeMin, currency);
  }

  #canPay(account: number, plan: PlanDefinition, credit: bigint): boolean {
    if (plan.eligibility !== "paid") return true;
    const available = this.#money.of(account, this.#assetOf(plan.currency));
    return this.#priceOf(plan) - credit <= available;
  }

  #priceOf({ currency, eligibility, price }: PlanDefinition): bigint {
    return eligibility === "paid" ? this.#units(price, this.#assetOf(currency)) : 0n;
  }

  /** Volume of the 30 full days before today. */
  #volumeOf(account: number): bigint {
    const today = Math.floor(this.nowMs / DAY_MS);
    let volume = 0n;
    for (const { day, units } of this.#of(account).trades) {
      if (day < today && day >= today - 30) volume += units;
    }
    return volume < EXACT_MAX ? volume : EXACT_MAX;
  }

  // Helpers

  get #settlement(): number {
    return this.#assetOf(this.#plans[0].currency);
  }

  #assetOf(symbol: string | undefined): number {
    return this.#coins.findIndex((coin) => coin.symbol === symbol) + 1;
  }

  #isAsset(asset: number): boolean {
    return this.#coins[asset - 1] !== undefined;
  }

  #units(decimal: string, asset: number): bigint {
    if (asset === 0) return 0n;
    const [whole, fraction = ""] = decimal.split(".");
    const { scale } = this.#coins[asset - 1];
    return (
      BigInt(whole) * 10n ** BigInt(scale) + BigInt(fraction.slice(0, scale).padEnd(scale, "0"))
    );
  }

  /** Sum of all balances above zero: what came from outside, and from adjustments. */
  supplyOf(asset: number): bigint {
    const corrected = this.#money.of(ADJUSTMENTS, asset);
    return -this.#money.of(EXTERNAL, asset) - (corrected < 0n ? corrected : 0n);
  }

  #find(account: number): Account | undefined {
    return this.#accounts.find(({ id }) => id === account);
  }

  #of(account: number): Account {
    const found = this.#find(account);
    if (found === undefined) throw new Error(`there is no account ${account}`);
    return found;
  }
}

function isExact(decimal: string, scale: number): boolean {
  const [, fraction = ""] = decimal.split(".");
  return /^0*$/.test(fraction.slice(scale));
}

/** The same day and time a number of months later, or that month's last day, by the platform's calendar. */
function monthsLater(timeMs: number, months: number): number {
  const from = new Date(timeMs);
  const [year, month] = [from.getUTCFullYear(), from.getUTCMonth() + months];
  const lastDay = new Date(Date.UTC(year, month + 1, 0)).getUTCDate();
  const midnight = Date.UTC(year, month, Math.min(from.getUTCDate(), lastDay));
  return midnight + (timeMs % DAY_MS);
}
