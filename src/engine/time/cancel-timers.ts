/**
 * Dead man's switch: timers that cancel all orders of an account unless it resets them in time, one
 * for all markets and one for each market. A program that loses its connection leaves no orders.
 */
import { RecordPart } from "../formats/record-format.ts";
import type { SnapshotReader } from "../formats/snapshot.ts";
import type { StateWriter } from "../formats/state-writer.ts";
import { TIMER_CANCEL_ALL, type Timer, type Timers } from "./timers.ts";

export const CANCEL_DELAY_MS_MIN = 1000;
export const CANCEL_DELAY_MS_MAX = 24 * 60 * 60 * 1000;

/**
 * The factor of an account in a timer's key: more than there can be markets; market 0 means all of
 * them.
 */
const MARKET_RANGE = 1 << 16;

const CANCEL_TIMERS = new RecordPart<Pick<Timer, "id" | "dueMs">>("cancel timers", {
  id: "number",
  dueMs: "number",
});

export class CancelTimers {
  readonly #byKey = new Map<number, Timer>();
  readonly #timers: Timers;

  constructor(timers: Timers) {
    this.#timers = timers;
  }

  /** Resets the timer; 0 disarms it. There must be room in the heap. */
  set(account: number, marketId: number, firesAtMs: number): void {
    const key = account * MARKET_RANGE + marketId;
    const armed = this.#byKey.get(key);
    if (armed !== undefined) this.#timers.remove(armed);
    this.#byKey.delete(key);
    if (firesAtMs === 0) return;
    this.#byKey.set(key, this.#timers.add(firesAtMs, TIMER_CANCEL_ALL, key));
  }

  /** Forgets a cancel timer that has fired, and returns its account and market. */
  takeFired(timer: Timer): { account: number; marketId: number } {
    this.#byKey.delete(timer.id);
    return {
      account: Math.floor(timer.id / MARKET_RANGE),
      marketId: timer.id % MARKET_RANGE,
    };
  }

  writeTo(to: StateWriter): void {
    const inOrder = [...this.#byKey.values()].toSorted((a, b) => a.id - b.id);
    CANCEL_TIMERS.writePartTo(to, inOrder);
  }

  readFrom(snapshot: SnapshotReader): void {
    for (const { id, dueMs } of CANCEL_TIMERS.readPartFrom(snapshot)) {
      this.#byKey.set(id, this.#timers.add(dueMs, TIMER_CANCEL_ALL, id));
    }
  }
}
