/**
 * The exchange as one deterministic state machine: it holds all markets and the ledger, so that a
 * hold, a match and its settlement are one step. Time, sequence and ids arrive with the command or
 * follow from the state; the same commands always lead to the same events and the same state hash.
 *
 * Invariants: every check precedes every change, so a refused command changes nothing; each asset
 * sums to zero over all accounts; nothing but EXTERNAL is ever negative; books never cross. A
 * broken invariant throws, and the engine then refuses every further command. The engine uses no
 * input or output, clock, randomness or asynchrony, and nothing from outside this folder.
 */
import { activatePending } from "./orders/activating.ts";
import { assert } from "./assert.ts";
import { cancelOrder, fireCancelTimer } from "./orders/cancelling.ts";
import type { Command, PlaceOrder } from "./commands.ts";
import { dispatch } from "./dispatch.ts";
import { endOrder } from "./orders/ending.ts";
import { END_REASON, END_EXPIRED } from "./orders/end-codes.ts";
import type { EventBuffer } from "./event-buffer.ts";
import type { HashSecret } from "./idempotency/keyed-hash.ts";
import { HOUSE } from "./idempotency/idempotency-keys.ts";
import { contentOf } from "./idempotency/request-content.ts";
import { fireSchedule } from "./markets/scheduling.ts";
import { continueUncrossings, endMarketStatus } from "./markets/market-states.ts";
import { continueMassCancels } from "./orders/mass-cancels.ts";
import type { Outcome, RejectReason } from "./reject-reasons.ts";
import { NO_ORDER } from "./book/order-table.ts";
import { placeOrder, refusalOfOrder } from "./orders/placing.ts";
import { renewPlan } from "./accounts/plan-changes.ts";
import { SNAPSHOT_VERSION } from "./formats/engine-version.ts";
import { SnapshotFormatError, SnapshotReader, SnapshotWriter } from "./formats/snapshot.ts";
import { EngineState } from "./state.ts";
import { StateReader } from "./state-reader.ts";
import { validateTimeLimit } from "./time/time-limits.ts";
import { expireDeposit } from "./transfers/transfers.ts";
import {
  TIMER_CANCEL_ALL,
  TIMER_DEPOSIT_EXPIRY,
  TIMER_MARKET_STATUS_END,
  TIMER_ORDER_EXPIRY,
  TIMER_PLAN_RENEWAL,
  TIMER_SCHEDULED_STATUS,
  type Timer,
} from "./time/timers.ts";
import { marketOrdersMax } from "./orders/work-limit.ts";

const IDEMPOTENCY_KEY_LENGTH_MAX = 64;

export interface Engine {
  /** The sequence of the last command; 0 before the first. */
  readonly sequence: number;
  /** The timestamp of the last command; 0 before the first. */
  readonly timestampMs: number;
  /**
   * When the next timer is due; now or earlier if the limit of work left something over, Infinity
   * if nothing is due.
   */
  readonly nextDueMs: number;
  readonly read: StateReader;
  /**
   * Applies the next command and appends its events, at least one, to `events`. `sequence` follows
   * the last one without a gap and time never runs backwards; both are asserted. A throw means a
   * broken invariant: the engine halts and refuses every further command.
   */
  apply(
    sequence: number,
    timestampMs: number,
    idempotencyKey: string,
    command: Command,
    events: EventBuffer,
  ): void;
  /**
   * Why an order would be refused after the last command, apart from its hold and its time limit; null
   * if it would be accepted. The state stays unchanged.
   */
  refusalOf(order: PlaceOrder): RejectReason | null;
  /**
   * An order-sensitive hash over the whole business state, independent of memory layout. Sequence
   * and time are not part of it: a refused command leaves it as it was.
   */
  stateHash(): string;
  /**
   * The whole state with its sequence, time and hash as bytes, for `restoreEngine`. Takes time in
   * proportion to the state: do not call it on the thread that trades.
   */
  snapshot(): Uint8Array<ArrayBuffer>;
}

export interface EngineOptions {
  /**
   * Two random integers of 32 bits that no user knows: without them an attacker could choose keys
   * and order ids that collide in a table and make every look-up slow. They affect no outcome:
   * engines with different secrets reach the same state.
   */
  readonly hashSecret?: HashSecret;
}

export function createEngine(options: EngineOptions = {}): Engine {
  return new ExchangeEngine(options);
}

export interface RestoreOptions extends EngineOptions {
  /**
   * True if the same program restored these very bytes and verified them against their hash before,
   * and a checksum at least as strong shows that they have not changed. The hash is then not
   * computed, and a part of the state is decoded only when it is needed.
   */
  readonly isVerified?: boolean;
}

/**
 * Restores an engine from a snapshot. The engine keeps using the bytes, which must not change.
 * @throws SnapshotFormatError if the bytes have another version or do not match their recorded
 * hash.
 */
export function restoreEngine(bytes: Uint8Array, options: RestoreOptions = {}): Engine {
  return ExchangeEngine.restored(new SnapshotReader(bytes), options);
}

class ExchangeEngine implements Engine {
  readonly read: StateReader;

  readonly #state = new EngineState();
  /** True while a command is being applied, and permanently after a command threw. */
  #isBusy = false;

  constructor({ hashSecret }: EngineOptions) {
    if (hashSecret !== undefined) this.#state.textHash.change(hashSecret);
    this.read = new StateReader(this.#state);
  }

  get sequence(): number {
    return this.#state.sequence;
  }

  get timestampMs(): number {
    return this.#state.nowMs;
  }

  get nextDueMs(): number {
    const state = this.#state;
    const isDue = state.activations.length > 0 || state.hasWork;
    return isDue ? this.timestampMs : state.timers.nextMs;
  }

  apply(
    sequence: number,
    timestampMs: number,
    idempotencyKey: string,
    command: Command,
    events: EventBuffer,
  ): void {
    assert(!this.#isBusy, "the engine halted at an earlier command");
    this.#isBusy = true;
    const state = this.#state;
    assert(sequence === state.sequence + 1, "sequences are gap-free");
    assert(timestampMs >= state.nowMs, "time never runs backwards");
    state.sequence = sequence;
    state.nowMs = timestampMs;
    state.events = events;
    events.begin(sequence, timestampMs);
    state.feeTiers.advance(timestampMs);
    const { dailyCloses } = state;
    const endsDay = timestampMs >= dailyCloses.dayEndsMs;
    if (endsDay) dailyCloses.begin(state.books, timestampMs);
    if (state.hasWork || timestampMs >= state.timers.nextMs) this.#fireDueTimers();
    const outcome =
      idempotencyKey === "" ? this.#execute(command) : this.#executeOnce(idempotencyKey, command);
    if (state.activations.length > 0 && state.uncrossings.length === 0) activatePending(state);
    if (endsDay) dailyCloses.finish(outcome === "accepted", timestampMs);
    if (outcome !== "accepted" && outcome !== "repeated") events.commandRejected(outcome);
    this.#isBusy = false;
  }

  refusalOf(order: PlaceOrder): RejectReason | null {
    assert(!this.#isBusy, "the engine halted at an earlier command");
    return refusalOfOrder(this.#state, order);
  }

  stateHash(): string {
    return this.#state.hash();
  }

  snapshot(): Uint8Array<ArrayBuffer> {
    assert(!this.#isBusy, "the engine halted at an earlier command");
    const snapshot = new SnapshotWriter();
    snapshot.int(SNAPSHOT_VERSION);
    snapshot.number(this.sequence);
    snapshot.number(this.timestampMs);
    snapshot.text(this.stateHash());
    this.#state.writeTo(snapshot);
    return snapshot.bytes();
  }

  static restored(snapshot: SnapshotReader, options: RestoreOptions): ExchangeEngine {
    const version = snapshot.int();
    if (version !== SNAPSHOT_VERSION) snapshot.refuse(`its version ${version} is not known`);
    const engine = new ExchangeEngine(options);
    engine.#state.sequence = snapshot.number();
    engine.#state.nowMs = snapshot.number();
    const hash = snapshot.text();
    try {
      engine.#state.readFrom(snapshot);
      engine.#state.feeTiers.advance(engine.timestampMs);
      snapshot.end();
      if (!options.isVerified && engine.stateHash() !== hash)
        snapshot.refuse("the state has another hash");
    } catch (error) {
      if (error instanceof SnapshotFormatError) throw error;
      // Restoring these bytes broke an invariant: they are not a snapshot of this engine.
      const finding = error instanceof Error ? error.message : String(error);
      throw new SnapshotFormatError(`the snapshot contradicts itself: ${finding}`);
    }
    return engine;
  }

  /** Executes a command, unless its key was accepted before: then returns the first outcome. */
  #executeOnce(key: string, command: Command): Outcome {
    if (typeof key !== "string" || key.length > IDEMPOTENCY_KEY_LENGTH_MAX) return "invalidCommand";
    const { events, idempotencyKeys, nowMs, sequence } = this.#state;
    const first = idempotencyKeys.find(key, nowMs);
    const content = contentOf(command);
    if (first !== undefined) {
      if (first.content !== content) return "requestReused";
      events.requestRepeated(first.sequence, first.orderId);
      return "repeated";
    }
    const outcome = this.#execute(command);
    if (outcome === "accepted") {
      const account = "account" in command ? command.account : HOUSE;
      const orderId = this.#orderIdOf(command);
      idempotencyKeys.remember(key, account, { sequence, orderId, content }, nowMs);
    }
    return outcome;
  }

  /**
   * Executes the two commands of the hot path here and dispatches all others, so that the two are
   * compiled together.
   */
  #execute(command: Command): Outcome {
    const state = this.#state;
    switch (command.type) {
      case "placeOrder":
        return placeOrder(state, command);
      case "cancelOrder":
        return validateTimeLimit(command.validUntilMs, state.nowMs) ?? cancelOrder(state, command);
      default:
        return dispatch(state, command);
    }
  }

  /**
   * The order id in the answer to a repeated request: the order placed, or the id up to which
   * orders were left open.
   */
  #orderIdOf(command: Command): number {
    const { leftUpToOrderId, placements } = this.#state;
    switch (command.type) {
      case "cancelAllOrders":
        return leftUpToOrderId;
      case "placeOrder":
      case "placeOrderList":
      case "replaceOrder":
        return placements.first.orderId;
      default:
        return 0;
    }
  }

  /**
   * Fires the timers that were due before this command, in order, up to the limit of one command.
   * An auction in progress uses up that limit until its last pair: no timer fires in between.
   */
  #fireDueTimers(): void {
    const state = this.#state;
    const { nowMs, ordersPerCommandMax, timers } = state;
    let left = ordersPerCommandMax - continueUncrossings(state, marketOrdersMax(state));
    while (left > 0) {
      const timer = timers.takeDue(nowMs);
      if (timer === undefined) break;
      left -= Math.max(1, this.#executeTimer(timer, left));
    }
    if (left > 0) continueMassCancels(state, marketOrdersMax(state, left));
  }

  /**
   * Executes a timer. Returns how many orders it ended or pairs it traded, if there may be many.
   */
  #executeTimer(timer: Timer, ordersMax: number): number {
    switch (timer.kind) {
      case TIMER_ORDER_EXPIRY:
        this.#expire(timer.id);
        break;
      case TIMER_CANCEL_ALL:
        return fireCancelTimer(this.#state, timer, ordersMax);
      case TIMER_PLAN_RENEWAL:
        renewPlan(this.#state, timer.id);
        break;
      case TIMER_DEPOSIT_EXPIRY:
        expireDeposit(this.#state, timer.id);
        break;
      case TIMER_SCHEDULED_STATUS:
        return fireSchedule(this.#state, timer.id, ordersMax);
      default:
        assert(timer.kind === TIMER_MARKET_STATUS_END, "a timer is of a known kind");
        return endMarketStatus(this.#state, timer.id, timer.dueMs, ordersMax);
    }
    return 1;
  }

  #expire(orderId: number): void {
    const { details, orders } = this.#state;
    const slot = orders.find(orderId);
    assert(slot !== NO_ORDER, "an order with a timer is open");
    details.at(slot).timer = undefined;
    endOrder(this.#state, slot, END_EXPIRED, END_REASON.expired);
  }
}
