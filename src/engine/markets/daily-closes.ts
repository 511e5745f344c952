/**
 * The last prices of the markets of funded coins at the ends of the last seven UTC days, newest last.
 * One trade cannot move their median, so limits of withdrawals are valued by it (withdrawal-limits.ts).
 *
 * A day ends with the last command before it that traded; the first command that is accepted on a later
 * day records it, because a refused command changes nothing. Days without a command end at the price of
 * the day before them.
 */
import type { OrderBook } from "../book/order-book.ts";
import { RecordFormat } from "../formats/record-format.ts";
import type { SnapshotReader } from "../formats/snapshot.ts";
import type { StateWriter } from "../formats/state-writer.ts";
import { DAY_MS } from "../time/calendar.ts";

const DAYS_KEPT = 7;

interface MarketCloses {
  readonly marketId: number;
  readonly ticks: readonly number[];
}

const CLOSES = new RecordFormat<MarketCloses>({ marketId: "int", ticks: "numbers" });

export class DailyCloses {
  /**
   * End of the UTC day of the last accepted command; Infinity while no market is recorded. Every command
   * compares its time with this field directly, so only one that ends a day pays for a call.
   */
  dayEndsMs = Infinity;
  /** The closes by market, oldest first, at most seven; none of days before the first trade. */
  #byMarket: Map<number, readonly number[]> = new Map();
  /** With the days that end before the present command, until it is accepted or refused. */
  #next: Map<number, readonly number[]> | undefined;

  /** Begins to record a market, from the present day on. */
  add(marketId: number, nowMs: number): void {
    this.#byMarket.set(marketId, []);
    this.#next?.set(marketId, []);
    this.dayEndsMs = endOfDay(nowMs);
  }

  /**
   * Ends the days before the one of `nowMs`, which is not before `dayEndsMs`, for the command that begins,
   * before it may trade.
   */
  begin(books: readonly (OrderBook | undefined)[], nowMs: number): void {
    const ended = Math.floor((nowMs - this.dayEndsMs) / DAY_MS) + 1;
    const next = new Map<number, readonly number[]>();
    for (const [marketId, closes] of this.#byMarket) {
      const lastTicks = books[marketId]?.lastTicks ?? 0;
      const days = lastTicks === 0 ? 0 : Math.min(DAYS_KEPT, ended);
      const added = Array.from({ length: days }, () => lastTicks);
      next.set(marketId, [...closes, ...added].slice(-DAYS_KEPT));
    }
    this.#next = next;
  }

  /**
   * After `begin`, once the command is done: keeps the closes of a day that has ended if the command was
   * accepted, because a refused command changes nothing.
   */
  finish(isAccepted: boolean, nowMs: number): void {
    if (isAccepted && this.#next !== undefined) {
      this.#byMarket = this.#next;
      this.dayEndsMs = endOfDay(nowMs);
    }
    this.#next = undefined;
  }

  /**
   * The median of the last seven closes, with the reference price for days without one; without a
   * reference price, the median of the closes that exist (the upper one of an even number). 0 if there
   * are none.
   */
  medianOf(marketId: number, referenceTicks: number): number {
    const closes = [...((this.#next ?? this.#byMarket).get(marketId) ?? [])];
    while (referenceTicks !== 0 && closes.length < DAYS_KEPT) closes.push(referenceTicks);
    const descending = closes.sort((a, b) => b - a);
    return descending.length === 0 ? 0 : descending[Math.floor((descending.length - 1) / 2)];
  }

  /** A hash omits this without funded coins, so that earlier hashes stay valid. */
  writeTo(to: StateWriter): void {
    const all = [...this.#byMarket].map(([marketId, ticks]) => ({ marketId, ticks }));
    if (to.isHash && all.length === 0) return;
    to.part("daily closes");
    CLOSES.writeAllTo(to, all);
    if (all.length > 0) to.number(this.dayEndsMs);
  }

  readFrom(snapshot: SnapshotReader): void {
    snapshot.part("daily closes");
    const all = CLOSES.readAllFrom(snapshot);
    this.#byMarket = new Map(all.map(({ marketId, ticks }) => [marketId, ticks]));
    if (all.length > 0) this.dayEndsMs = snapshot.number();
  }
}

function endOfDay(nowMs: number): number {
  return (Math.floor(nowMs / DAY_MS) + 1) * DAY_MS;
}
