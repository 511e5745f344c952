/**
 * The owner and the balances of every account, folded from the double entries of the events.
 * The exchange's own accounts are included, so that each asset can be checked to sum to zero.
 */
import { AMOUNT_MAX } from "#engine/amount.ts";
import { assert } from "#engine/assert.ts";
import type { AccountKind } from "#engine/commands.ts";
import type { EventOf } from "#engine/events.ts";
import { Excess, excessKey } from "#engine/accounts/excess.ts";
import { FIRST_USER_ACCOUNT, type Posting } from "#engine/accounts/postings.ts";

export interface PlanPeriodView {
  readonly beganAtMs: number;
  /** When the period ends; 0 if it never does. */
  readonly renewsAtMs: number;
  /** The full price of the period, before any credit, in units of the plan's currency. */
  readonly price: number;
}

export interface AccountView {
  readonly account: number;
  readonly userId: string;
  readonly kind: AccountKind;
  readonly openedAtMs: number;
  readonly planId: number;
  /** The plan chosen to follow when the period ends; 0 if the current plan continues. */
  readonly nextPlanId: number;
  /**
   * The period that the account has paid for or earned; undefined if the plan is free and
   * unconditional.
   */
  readonly planPeriod: PlanPeriodView | undefined;
  readonly isFrozen: boolean;
  /** When practice funds were last taken; 0 if never. */
  readonly practiceFundsAtMs: number;
}

type AccountState = { -readonly [Key in keyof AccountView]: AccountView[Key] };

/** Half of the largest balance that one account can have. */
const LARGE_BALANCE = AMOUNT_MAX / 2;

export interface LedgerAccountsState {
  readonly accounts: (AccountState | undefined)[];
  readonly balances: number[][];
  /** Absent if there is no excess, and from older snapshots. */
  readonly excess?: [number, bigint][];
}

/** The plan of a new account: the first one defined. */
const FIRST_PLAN = 1;

export class LedgerAccounts {
  #accounts: (AccountState | undefined)[] = [];
  readonly #byUser = new Map<string, AccountState>();
  /** Balances by account: available and held of asset n at 2n and 2n + 1. */
  #balances: number[][] = [];
  /** The part of the exchange's own available balances that `#balances` cannot hold. */
  readonly #excess = new Excess();
  /** Accounts whose total of some asset ever reached LARGE_BALANCE. */
  readonly #everLarge = new Set<number>();

  readonly #watches = new Set<Set<number>>();

  /** The account of a user; undefined if the user has none. */
  ofUser(userId: string): AccountView | undefined {
    return this.#byUser.get(userId);
  }
  /**
   * The account with this number; undefined for the exchange's own accounts and unknown numbers.
   */
  account(account: number): AccountView | undefined {
    return this.#accounts[account];
  }
  isPerson(account: number): boolean {
    return this.#accounts[account]?.kind === "person";
  }
  *all(): Generator<AccountView> {
    for (const account of this.#accounts) if (account !== undefined) yield account;
  }

  /** The accounts whose balances change from now on, until `unwatch`. */
  watch(): Set<number> {
    const changed = new Set<number>();
    this.#watches.add(changed);
    return changed;
  }
  unwatch(changed: Set<number>): void {
    this.#watches.delete(changed);
  }

  /**
   * The available balance; of the exchange's own accounts capped at AMOUNT_MAX (see
   * `exactAvailable`).
   */
  available(account: number, assetId: number): number {
    return this.#balances[account]?.[2 * assetId] ?? 0;
  }
  held(account: number, assetId: number): number {
    return this.#balances[account]?.[2 * assetId + 1] ?? 0;
  }
  /** The exact available balance of any account, however large. */
  exactAvailable(account: number, assetId: number): bigint {
    const isOwn = account < FIRST_USER_ACCOUNT;
    const excess = isOwn ? this.#excess.of(excessKey(account, assetId)) : 0n;
    return BigInt(this.available(account, assetId)) + excess;
  }
  total(account: number, assetId: number): number {
    return this.available(account, assetId) + this.held(account, assetId);
  }

  /**
   * The sum over all accounts, available and held; 0 for every asset unless money was created or
   * lost.
   */
  sumOfAll(assetId: number): bigint {
    let sum = 0n;
    for (const balances of this.#balances) {
      if (balances === undefined) continue;
      sum += BigInt(balances[2 * assetId] ?? 0) + BigInt(balances[2 * assetId + 1] ?? 0);
    }
    for (let account = 1; account < FIRST_USER_ACCOUNT; account++) {
      sum += this.#excess.of(excessKey(account, assetId));
    }
    return sum;
  }

  foldOpened(event: EventOf<"accountOpened">): void {
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
  /** Puts a plan in force, without an end unless a period begins. */
  setPlan(account: number, planId: number): void {
    const state = this.#state(account);
    state.planId = planId;
    state.nextPlanId = 0;
    state.planPeriod = undefined;
  }
  foldPlanChosen(event: EventOf<"planChosen">): void {
    const { account, planId } = event;
    const state = this.#state(account);
    if (event.effectiveAtMs > event.timestampMs) state.nextPlanId = planId;
    // The current plan is chosen again: this withdraws the choice of another.
    else if (planId === state.planId) state.nextPlanId = 0;
    else this.setPlan(account, planId);
  }
  foldPlanPeriod(event: EventOf<"planPeriodBegan">): void {
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
    const { assetId, amount, creditAccount, debitAccount } = posting;
    this.#change(debitAccount, assetId, posting.debitBalance === "held", 0 - amount);
    const total = this.#change(creditAccount, assetId, posting.creditBalance === "held", amount);
    if (total >= LARGE_BALANCE) this.#everLarge.add(creditAccount);
  }

  /** Users' accounts whose total of some asset is at least half of the largest possible balance. */
  large(): number[] {
    for (const account of this.#everLarge) {
      if (!this.#isLarge(account)) this.#everLarge.delete(account);
    }
    return [...this.#everLarge];
  }

  #isLarge(account: number): boolean {
    if (account < FIRST_USER_ACCOUNT) return false;
    const balances = this.#balances[account] ?? [];
    for (let at = 0; at + 1 < balances.length; at += 2) {
      if (balances[at] + balances[at + 1] >= LARGE_BALANCE) return true;
    }
    return false;
  }

  /** Changes a balance; returns the account's total of the asset. */
  #change(account: number, assetId: number, isHeld: boolean, amount: number): number {
    const balances = this.#balancesOf(account, assetId);
    if (this.#watches.size > 0) for (const changed of this.#watches) changed.add(account);
    const at = 2 * assetId;
    if (account < FIRST_USER_ACCOUNT) {
      balances[at] = this.#excess.add(excessKey(account, assetId), balances[at], amount);
    } else {
      const own = isHeld ? at + 1 : at;
      balances[own] += amount;
      assert(balances[own] >= 0, "no account owes");
    }
    return balances[at] + balances[at + 1];
  }

  state(): LedgerAccountsState {
    const excess = this.#excess.entries();
    return {
      accounts: this.#accounts,
      balances: this.#balances,
      ...(excess.length > 0 && { excess }),
    };
  }

  restore({ accounts, balances, excess = [] }: LedgerAccountsState): void {
    this.#accounts = accounts;
    this.#balances = balances;
    for (const [key, units] of excess) this.#excess.set(key, units);
    balances.forEach((_, account) => {
      if (this.#isLarge(account)) this.#everLarge.add(account);
    });
    for (const account of accounts) {
      if (account !== undefined) this.#byUser.set(account.userId, account);
    }
  }

  #balancesOf(account: number, assetId: number): number[] {
    const balances = (this.#balances[account] ??= []);
    // Filled without holes: JavaScript engines handle an array of plain numbers fast.
    while (balances.length < 2 * assetId + 2) balances.push(0);
    return balances;
  }

  #state(account: number): AccountState {
    const state = this.#accounts[account];
    if (state === undefined) throw new Error(`no account has the number ${account}`);
    return state;
  }
}
