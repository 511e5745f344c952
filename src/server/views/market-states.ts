/** Each market's state with its beginning and end, the scheduled states, and its last traded price. */
import type { MarketStatus, ScheduledStatus } from "#engine/commands.ts";
import type { EventOf, MarketStatusCause } from "#engine/events.ts";

export interface MarketStateView {
  readonly status: MarketStatus;
  /** The cause of the state; "listed" for the first state. */
  readonly cause: MarketStatusCause | "listed";
  readonly sinceMs: number;
  /** When the state ends automatically; 0 if it does not. */
  readonly untilMs: number;
}

export class MarketStates {
  #states: MarketStateView[] = [];
  #lastTicks: number[] = [];
  #schedules: (readonly ScheduledStatus[] | undefined)[] = [];

  /** The state of a market. @throws Error if no market has this number */
  of(marketId: number): MarketStateView {
    const state = this.#states[marketId];
    if (state === undefined) throw new Error(`no market has the number ${marketId}`);
    return state;
  }

  /** Price of the market's latest trade, which bands and auctions refer to; 0 before the first. */
  lastTicks(marketId: number): number {
    return this.#lastTicks[marketId] ?? 0;
  }

  /** The market's scheduled states, the next one first. */
  scheduleOf(marketId: number): readonly ScheduledStatus[] {
    return this.#schedules[marketId] ?? [];
  }

  state() {
    return { states: this.#states, lastTicks: this.#lastTicks, schedules: this.#schedules };
  }

  restore({ states, lastTicks, schedules }: ReturnType<MarketStates["state"]>): void {
    this.#states = states;
    this.#lastTicks = lastTicks;
    this.#schedules = schedules;
  }

  foldTraded({ marketId, priceTicks }: EventOf<"traded">): void {
    this.#lastTicks[marketId] = priceTicks;
  }
  foldListed({ marketId, market, timestampMs }: EventOf<"marketListed">): void {
    const { status } = market;
    this.#states[marketId] = { status, cause: "listed", sinceMs: timestampMs, untilMs: 0 };
  }
  foldChanged({
    marketId,
    status,
    cause,
    untilMs,
    timestampMs,
  }: EventOf<"marketStatusChanged">): void {
    this.#states[marketId] = { status, cause, sinceMs: timestampMs, untilMs };
    if (cause === "schedule") this.#schedules[marketId] = this.scheduleOf(marketId).slice(1);
  }
  foldScheduled({ marketId, steps }: EventOf<"marketScheduled">): void {
    this.#schedules[marketId] = steps;
  }
}
