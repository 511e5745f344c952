import type { Amount } from "../amount.ts";
import { RecordPart } from "../formats/record-format.ts";
import type { SnapshotReader } from "../formats/snapshot.ts";
import type { StateWriter } from "../formats/state-writer.ts";
import { TIMER_PLAN_RENEWAL, type Timer, type Timers } from "../time/timers.ts";

/** The period that an account has paid for or earned. Its plan is kept with the account. */
export interface PlanPeriod {
  readonly account: number;
  /**
   * When the plan was chosen: periods are counted from here, so that all begin on the same day of
   * the month.
   */
  readonly chosenAtMs: number;
  readonly beganAtMs: number;
  /** When the period ends; 0 if it never does. */
  readonly endsAtMs: number;
  /** The full price of the period, before any credit, in units of the plan's currency. */
  readonly price: Amount;
  /** The plan that follows this period; 0 if the current plan continues. */
  readonly nextPlanId: number;
}

const PLAN_PERIODS = new RecordPart<PlanPeriod>("plan periods", {
  account: "int",
  chosenAtMs: "number",
  beganAtMs: "number",
  endsAtMs: "number",
  price: "number",
  nextPlanId: "int",
});

/** The current periods by account. */
export class PlanPeriods {
  readonly #byAccount = new Map<number, PlanPeriod>();
  readonly #ends = new Map<number, Timer>();
  readonly #timers: Timers;

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  find(account: number): PlanPeriod | undefined {
    return this.#byAccount.get(account);
  }

  /** Replaces the account's period. There must be room in the heap for the timer of its end. */
  set(period: PlanPeriod): void {
    const { account, endsAtMs } = period;
    this.delete(account);
    this.#byAccount.set(account, period);
    if (endsAtMs === 0) return;
    this.#ends.set(account, this.#timers.add(endsAtMs, TIMER_PLAN_RENEWAL, account));
  }

  delete(account: number): void {
    const end = this.#ends.get(account);
    if (end !== undefined) this.#timers.remove(end);
    this.#ends.delete(account);
    this.#byAccount.delete(account);
  }

  /** Forgets the timer of the account's period, which has fired. */
  ended(account: number): void {
    this.#ends.delete(account);
  }

  writeTo(to: StateWriter): void {
    const byAccount = [...this.#byAccount.values()].toSorted((a, b) => a.account - b.account);
    PLAN_PERIODS.writePartTo(to, byAccount);
  }

  readFrom(snapshot: SnapshotReader): void {
    for (const period of PLAN_PERIODS.readPartFrom(snapshot)) this.set(period);
  }
}
