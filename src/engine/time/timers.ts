/**
 * The timers of the engine: the ends of orders, cancel timers, plans' renewals, markets' states and
 * schedules, the expiry of announced deposits. The engine has no clock; a command carries its time,
 * and what was due by then happens before the command itself.
 *
 * Invariants: timers fire in order of their time, then kind, then id, whatever the order in which
 * they were set; `nextMs` is the time of the first, so that a command compares one number. What a
 * timer does when it fires is in engine.ts. The heap is an index: everything in it is derived from
 * details, cancel timers, paid periods, markets, schedules and transfers, which are in the state
 * hash.
 */
import { assert } from "../assert.ts";

/** The order in which timers due at the same time fire. */
export const TIMER_ORDER_EXPIRY = 0;
export const TIMER_CANCEL_ALL = 1;
export const TIMER_PLAN_RENEWAL = 2;
export const TIMER_MARKET_STATUS_END = 3;
export const TIMER_SCHEDULED_STATUS = 4;
export const TIMER_DEPOSIT_EXPIRY = 5;

export interface Timer {
  readonly dueMs: number;
  readonly kind: number;
  /**
   * The id of the timer's subject: an order, the key of a cancel timer, an account, a market, a transfer.
   */
  readonly id: number;
  /** The timer's index in the heap, -1 once it is out. */
  index: number;
}

const TIMERS_MAX = 1 << 22;
/**
 * Timers reserved for commands that cannot be refused: a halt in each of at most 4 096 markets, and the
 * further orders of a list whose first order found room.
 */
const TIMERS_RESERVED = 4096 + 2;

export class Timers {
  /** When the first timer is due, Infinity if there is none. */
  nextMs = Infinity;
  readonly #heap: Timer[] = [];
  readonly #max: number;

  constructor(max = TIMERS_MAX) {
    this.#max = max;
  }

  /** Whether only the reserved timers are left. */
  get isFull(): boolean {
    return this.#heap.length >= this.#max - TIMERS_RESERVED;
  }

  /** O(log n), like the other operations. */
  add(dueMs: number, kind: number, id: number): Timer {
    assert(this.#heap.length < this.#max, "there is room for a timer");
    const timer: Timer = { dueMs, kind, id, index: this.#heap.length };
    this.#heap.push(timer);
    this.#rise(timer);
    this.#updateNextMs();
    return timer;
  }

  remove(timer: Timer): void {
    const { index } = timer;
    assert(this.#heap[index] === timer, "a timer is at its index");
    const last = this.#heap.pop() as Timer;
    if (last !== timer) {
      this.#put(last, index);
      this.#rise(last);
      this.#sink(last);
    }
    timer.index = -1;
    this.#updateNextMs();
  }

  /** Removes and returns the first timer that is due by `nowMs`; undefined if none is. */
  takeDue(nowMs: number): Timer | undefined {
    const first = this.#heap[0];
    if (first === undefined || first.dueMs > nowMs) return undefined;
    this.remove(first);
    return first;
  }

  #updateNextMs(): void {
    this.nextMs = this.#heap.length === 0 ? Infinity : this.#heap[0].dueMs;
  }

  #put(timer: Timer, index: number): void {
    this.#heap[index] = timer;
    timer.index = index;
  }

  #rise(timer: Timer): void {
    while (timer.index > 0) {
      const { index } = timer;
      const parent = this.#heap[(index - 1) >> 1];
      if (!isBefore(timer, parent)) return;
      this.#put(timer, parent.index);
      this.#put(parent, index);
    }
  }

  #sink(timer: Timer): void {
    for (;;) {
      const { index } = timer;
      let child = this.#heap[index * 2 + 1];
      if (child === undefined) return;
      const right = this.#heap[index * 2 + 2];
      if (right !== undefined && isBefore(right, child)) child = right;
      if (!isBefore(child, timer)) return;
      this.#put(timer, child.index);
      this.#put(child, index);
    }
  }
}

function isBefore(a: Timer, b: Timer): boolean {
  if (a.dueMs !== b.dueMs) return a.dueMs < b.dueMs;
  if (a.kind !== b.kind) return a.kind < b.kind;
  return a.id < b.id;
}
