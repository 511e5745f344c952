/**
 * Market states that are set at a time in the future: a list of steps for each market, with a timer
 * for the first. Part of the state. Steps are validated and executed in scheduling.ts.
 */
import type { ScheduledStatus } from "../commands.ts";
import { RecordPart } from "../formats/record-format.ts";
import type { SnapshotReader } from "../formats/snapshot.ts";
import type { StateWriter } from "../formats/state-writer.ts";
import { TIMER_SCHEDULED_STATUS, type Timer, type Timers } from "../time/timers.ts";
import { isMarketStatus } from "./market-statuses.ts";

const STEPS = new RecordPart<ScheduledStatus & { readonly marketId: number }>(
  "market schedules",
  { marketId: "int", atMs: "number", status: "text", forMs: "number" },
  false,
);

interface Schedule {
  /** The steps in order of their times; never empty. */
  readonly steps: readonly ScheduledStatus[];
  readonly timer: Timer;
}

export class MarketSchedules {
  readonly #byMarket = new Map<number, Schedule>();
  readonly #timers: Timers;

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  of(marketId: number): readonly ScheduledStatus[] {
    return this.#byMarket.get(marketId)?.steps ?? [];
  }

  /** Replaces all steps of a market. There must be room in the heap for a timer. */
  set(marketId: number, steps: readonly ScheduledStatus[]): void {
    const before = this.#byMarket.get(marketId);
    // A timer that has fired is no longer in the heap.
    if (before !== undefined && before.timer.index >= 0) this.#timers.remove(before.timer);
    this.#byMarket.delete(marketId);
    if (steps.length === 0) return;
    const timer = this.#timers.add(steps[0].atMs, TIMER_SCHEDULED_STATUS, marketId);
    this.#byMarket.set(marketId, { steps, timer });
  }

  writeTo(to: StateWriter): void {
    const marketIds = [...this.#byMarket.keys()].toSorted((a, b) => a - b);
    const rows = marketIds.flatMap((marketId) =>
      this.of(marketId).map((step) => ({ marketId, ...step })),
    );
    STEPS.writePartTo(to, rows);
  }

  readFrom(snapshot: SnapshotReader): void {
    const byMarket = new Map<number, ScheduledStatus[]>();
    for (const { marketId, ...step } of STEPS.readPartFrom(snapshot)) {
      if (!isMarketStatus(step.status)) snapshot.refuse("a market is to enter no state");
      byMarket.set(marketId, [...(byMarket.get(marketId) ?? []), step]);
    }
    for (const [marketId, steps] of byMarket) this.set(marketId, steps);
  }
}
