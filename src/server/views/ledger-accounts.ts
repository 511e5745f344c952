/**
 * Whose account is which and what every account owns, folded from the double entries of the events.
 * The exchange's own accounts are here too, so that each asset can be seen to sum to zero.
 */
import type { AccountKind } from "#engine/commands.ts";
import type { AccountOpened, PlanChosen, PlanPeriodBegan } from "#engine/events.ts";
import type { Posting } from "#engine/postings.ts";

export interface PlanPeriodView {
  readonly beganAtMs: number;
  /** 0 for never. */
  readonly renewsAtMs: number;
  /** What the period is worth in units of the plan's currency, credits included. */
  readonly price: number;
}

export interface AccountView {
  readonly account: number;
  readonly userId: string;
  readonly kind: AccountKind;
  readonly openedAtMs: number;
  readonly planId: number;
  /** The plan that was chosen to follow when the period ends; 0 where it goes on. */
  readonly nextPlanId: number;
  /** What the account has paid or earned; undefined where the plan costs and asks nothing. */
  readonly planPeriod: PlanPeriodView | undefined;
  readonly isFrozen: boolean;
  /** When practice funds were last taken; 0 where never. */
  readonly practiceFundsAtMs: number;
}

type AccountState = { -readonly [Key in keyof AccountView]: AccountView[Key] };

/** The plan that a new account has: the first one defined. */
const FIRST_PLAN = 1;

export class LedgerAccounts {
  #accounts: (AccountState | undefined)[] = [];
  readonly #byUser = new Map<string, AccountState>();
  /** By account: available and held of asset n at 2n and 2n + 1. */
  #balances: number[][] = [];

  /** Undefined where the user has no account (yet). */
  ofUser(userId: string): AccountView | undefined {
    return this.#byUser.get(userId);
  }
  /** Undefined for the exchange's own accounts and unknown numbers. */
  account(account: number): AccountView | undefined {
    return this.#accounts[account];
  }
  isPerson(account: number): boolean {
    return this.#accounts[account]?.kind === "person";
  }
  /** Every opened account. */
  *all(): Generator<AccountView> {
    for (const account of this.#accounts) if (account !== undefined) yield account;
  }

  available(account: number, assetId: number): number {
    return this.#balances[account]?.[2 * assetId] ?? 0;
  }
  held(account: number, assetId: number): number {
    return this.#balances[account]?.[2 * assetId + 1] ?? 0;
  }
  total(account: number, assetId: number): number {
    return this.available(account, assetId) + this.held(account, assetId);
  }

  /** Available and held of all accounts together; 0 in every asset unless money was made or lost. */
  sumOfAll(assetId: number): bigint {
    let sum = 0n;
    for (const balances of this.#balances) {
      if (balances === undefined) continue;
      sum += BigInt(balances[2 * assetId] ?? 0) + BigInt(balances[2 * assetId + 1] ?? 0);
    }
    return sum;
  }

  foldOpened(event: AccountOpened): void {
    const { account, userId, kind } = event;
    const state: AccountState = {
      account,
      userId,
      kind,
      openedAtMs: event.timestampMs,
      planId: FIRST_PLAN,
      nextPlanId: 0,
      planPeriod: undefined,
      isFrozen: false,
      practiceFundsAtMs: 0,
    };
    this.#accounts[account] = state;
    this.#byUser.set(userId, state);
  }
  /** From now on, without an end unless a period begins. */
  setPlan(account: number, planId: number): void {
    const state = this.#state(account);
    state.planId = planId;
    state.nextPlanId = 0;
    state.planPeriod = undefined;
  }
  foldPlanChosen(event: PlanChosen): void {
    const { account, planId } = event;
    const state = this.#state(account);
    if (event.effectiveAtMs > event.timestampMs) state.nextPlanId = planId;
    // The present plan again: the choice of another was taken back.
    else if (planId === state.planId) state.nextPlanId = 0;
    else this.setPlan(account, planId);
  }
  foldPlanPeriod(event: PlanPeriodBegan): void {
    const { account, beganAtMs, renewsAtMs, amount, creditedAmount } = event;
    this.#state(account).planPeriod = { beganAtMs, renewsAtMs, price: amount + creditedAmount };
  }
  setFrozen(account: number, isFrozen: boolean): void {
    this.#state(account).isFrozen = isFrozen;
  }
  setPracticeFundsAt(account: number, timestampMs: number): void {
    this.#state(account).practiceFundsAtMs = timestampMs;
  }
  foldPosting(posting: Posting): void {
    const { assetId, amount } = posting;
    const debited = this.#balancesOf(posting.debitAccount, assetId);
    const credited = this.#balancesOf(posting.creditAccount, assetId);
    debited[2 * assetId + (posting.debitBalance === "held" ? 1 : 0)] -= amount;
    credited[2 * assetId + (posting.creditBalance === "held" ? 1 : 0)] += amount;
  }

  state() {
    return { accounts: this.#accounts, balances: this.#balances };
  }

  restore({ accounts, balances }: ReturnType<LedgerAccounts["state"]>): void {
    this.#accounts = accounts;
    this.#balances = balances;
    for (const account of accounts) {
      if (account !== undefined) this.#byUser.set(account.userId, account);
    }
  }

  #balancesOf(account: number, assetId: number): number[] {
    const balances = (this.#balances[account] ??= []);
    // No holes: an array of plain numbers stays the quick kind.
    while (balances.length < 2 * assetId + 2) balances.push(0);
    return balances;
  }

  #state(account: number): AccountState {
    const state = this.#accounts[account];
    if (state === undefined) throw new Error(`no account has the number ${account}`);
    return state;
  }
}
