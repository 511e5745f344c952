/**
 * The value of each account's withdrawals towards the limits of its plan, in units of the
 * settlement coin: on its last UTC day with a withdrawal, and in that UTC month. The limits are in
 * withdrawal-limits.ts.
 */
import { assert } from "../assert.ts";
import { RecordFormat } from "../formats/record-format.ts";
import type { SnapshotReader } from "../formats/snapshot.ts";
import type { StateWriter } from "../formats/state-writer.ts";
import { DAY_MS, monthOf } from "../time/calendar.ts";
import type { Transfer } from "./transfer-terms.ts";

export interface Withdrawn {
  readonly account: number;
  /** Days since 1970. */
  readonly day: number;
  readonly dayValue: number;
  /** Months since 1970. */
  readonly month: number;
  readonly monthValue: number;
}

const WITHDRAWN = new RecordFormat<Withdrawn>({
  account: "int",
  day: "int",
  dayValue: "number",
  month: "int",
  monthValue: "number",
});

export class WithdrawnValues {
  readonly #byAccount = new Map<number, Withdrawn>();

  /** The account's withdrawn values in the day and month of `nowMs`. */
  of(account: number, nowMs: number): Withdrawn {
    const [day, month] = [Math.floor(nowMs / DAY_MS), monthOf(nowMs)];
    const last = this.#byAccount.get(account);
    return {
      account,
      day,
      dayValue: last?.day === day ? last.dayValue : 0,
      month,
      monthValue: last?.month === month ? last.monthValue : 0,
    };
  }

  /** Counts a withdrawal in the day and month of its request, which is now. */
  count({ account, requestedAtMs, value }: Transfer): void {
    if (value === 0) return;
    const { dayValue, monthValue, ...times } = this.of(account, requestedAtMs);
    const values = { dayValue: dayValue + value, monthValue: monthValue + value };
    this.#byAccount.set(account, { ...times, ...values });
  }

  /** Uncounts a withdrawal that did not happen, in the day and month of its request. */
  uncount({ account, requestedAtMs, value }: Transfer): void {
    const last = this.#byAccount.get(account);
    if (value === 0 || last === undefined) return;
    const isOfDay = last.day === Math.floor(requestedAtMs / DAY_MS);
    const isOfMonth = last.month === monthOf(requestedAtMs);
    const dayValue = last.dayValue - (isOfDay ? value : 0);
    const monthValue = last.monthValue - (isOfMonth ? value : 0);
    assert(dayValue >= 0 && monthValue >= dayValue, "what is uncounted was counted");
    if (monthValue === 0) this.#byAccount.delete(account);
    else this.#byAccount.set(account, { ...last, dayValue, monthValue });
  }

  /** Sorted by account. */
  all(): Withdrawn[] {
    return [...this.#byAccount.values()].toSorted((a, b) => a.account - b.account);
  }

  restore(all: readonly Withdrawn[]): void {
    for (const each of all) this.#byAccount.set(each.account, each);
  }

  writeTo(to: StateWriter): void {
    WITHDRAWN.writeAllTo(to, this.all());
  }

  readFrom(snapshot: SnapshotReader): void {
    this.restore(WITHDRAWN.readAllFrom(snapshot));
  }
}
