/**
 * The volume that people traded per UTC day in the settlement coin, on either side: the volume ladders of
 * plans, and earned plans, depend on it. The engine applies the same rule (fee-tiers.ts).
 */
import { assert } from "#engine/assert.ts";
import { VOLUME_DAYS } from "#engine/accounts/accounts.ts";
import { DAY_MS } from "#engine/time/calendar.ts";
import type { EventOf } from "#engine/events.ts";
import type { Catalogue } from "./catalogue.ts";

/** The plan in whose currency volumes are counted. */
const DEFAULT_PLAN_ID = 1;

export interface DayVolume {
  readonly day: number;
  units: bigint;
}

export class Volumes {
  readonly #catalogue: Catalogue;
  /** Volumes by account, ascending by day. */
  #days: DayVolume[][] = [];

  constructor(catalogue: Catalogue) {
    this.#catalogue = catalogue;
  }

  foldTraded(account: number, event: EventOf<"traded">): void {
    const { currency } = this.#catalogue.plan(DEFAULT_PLAN_ID).definition;
    if (this.#catalogue.market(event.marketId).definition.quote !== currency) return;
    const day = Math.floor(event.timestampMs / DAY_MS);
    const days = (this.#days[account] ??= []);
    const last = days.at(-1);
    if (last?.day === day) {
      last.units += BigInt(event.notional);
      return;
    }
    assert(last === undefined || last.day < day, "the days of an account ascend");
    days.push({ day, units: BigInt(event.notional) });
    while (days[0].day < day - VOLUME_DAYS) days.shift();
  }

  /** The volume, in settlement units, of the 30 days before today, which counts until midnight. */
  counted(account: number, nowMs: number): bigint {
    const today = Math.floor(nowMs / DAY_MS);
    return this.#sum(account, ({ day }) => day < today && day >= today - VOLUME_DAYS);
  }

  /** The volume of today, in settlement units, which counts from midnight on. */
  today(account: number, nowMs: number): bigint {
    const today = Math.floor(nowMs / DAY_MS);
    return this.#sum(account, ({ day }) => day === today);
  }

  state() {
    return this.#days;
  }

  restore(days: ReturnType<Volumes["state"]>): void {
    this.#days = days;
  }

  #sum(account: number, counts: (volume: DayVolume) => boolean): bigint {
    const days = this.#days[account] ?? [];
    return days.filter(counts).reduce((sum, { units }) => sum + units, 0n);
  }
}
