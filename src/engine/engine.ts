/**
 * The exchange as one deterministic state machine: it holds all markets and the ledger, so that a
 * hold, a match and its settlement are one step. Time, sequence and ids arrive with the command or
 * follow from the state; the same commands always lead to the same events and the same state hash.
 *
 * Invariants: every check precedes every change, so a refused command changes nothing; each asset
 * sums to zero over all accounts; nothing but EXTERNAL is ever negative; books never cross. A broken
 * invariant throws, and the engine then refuses to go on.
 * Never: input or output, a clock, randomness, asynchrony, anything from outside this folder.
 */
import { Activating } from "./activating.ts";
import { approveAdjustment, proposeAdjustment, rejectAdjustment } from "./adjustments.ts";
import { Amending } from "./amending.ts";
import { AMOUNT_MAX } from "./amount.ts";
import { assert } from "./assert.ts";
import { DAY_MS } from "./calendar.ts";
import { CANCEL_DELAY_MS_MAX, CANCEL_DELAY_MS_MIN } from "./cancel-timers.ts";
import { Cancelling } from "./cancelling.ts";
import { DEFAULT_PLAN_ID } from "./catalogue.ts";
import { isIdentity, isReason } from "./command-texts.ts";
import type {
  Command,
  DefinePlan,
  FundParticipant,
  ListCoin,
  ListMarket,
  OpenAccount,
  SetAccountFreeze,
  SetCancelTimer,
  StartSimulation,
  TakePracticeFunds,
  UpdateMarket,
  UpdatePlan,
} from "./commands.ts";
import { Ending } from "./ending.ts";
import { BECAUSE, END_EXPIRED, becauseRefused, type EventBuffer } from "./event-buffer.ts";
import type { HashSecret } from "./keyed-hash.ts";
import { MarketStates } from "./market-states.ts";
import { Matching } from "./matching.ts";
import { Opening } from "./opening.ts";
import { OrderBook } from "./order-book.ts";
import type { Outcome } from "./outcome.ts";
import { NO_ORDER } from "./order-table.ts";
import { PlacingLists } from "./placing-lists.ts";
import { Placing } from "./placing.ts";
import { PlanChanges } from "./plan-changes.ts";
import {
  SNAPSHOT_VERSION,
  SnapshotFormatError,
  SnapshotReader,
  SnapshotWriter,
} from "./snapshot.ts";
import { EngineState } from "./state.ts";
import { StateReader } from "./state-reader.ts";
import {
  TIMER_CANCEL_ALL,
  TIMER_MARKET,
  TIMER_ORDER_EXPIRY,
  TIMER_PLAN_RENEWAL,
  type Timer,
} from "./timers.ts";
import { Uncrossing } from "./uncrossing.ts";

const IDEMPOTENCY_KEY_LENGTH_MAX = 64;
const USER_ID_LENGTH_MAX = 64;

export interface Engine {
  /** The sequence of the command applied last; 0 in the beginning. */
  readonly sequence: number;
  /** The timestamp of the command applied last; 0 in the beginning. */
  readonly timestampMs: number;
  /** When the next thing is due without a command that asks for it; Infinity where nothing is. */
  readonly nextDueMs: number;
  /** Looks into the state without changing it. */
  readonly read: StateReader;
  /**
   * Applies the next command and appends its events, at least one, to `events`. `sequence` follows
   * the last one without a gap and time never runs backwards; both are asserted. A throw means a
   * broken invariant: the engine halts and refuses to go on.
   */
  apply(
    sequence: number,
    timestampMs: number,
    idempotencyKey: string,
    command: Command,
    events: EventBuffer,
  ): void;
  /**
   * An order-sensitive hash over the whole business state, independent of memory layout. Sequence
   * and time are not part of it: a refused command leaves it as it was.
   */
  stateHash(): string;
  /**
   * The whole state with its sequence, time and hash as bytes, for `restoreEngine`. Takes time that
   * grows with the state: not for the thread that trades.
   */
  snapshot(): Uint8Array<ArrayBuffer>;
}

export interface EngineOptions {
  /**
   * Two random integers of 32 bits that no user knows: without them somebody could choose keys and
   * order ids that all stand in one place of a table and make every look-up slow. They decide no
   * outcome; engines with different ones agree about everything.
   */
  readonly hashSecret?: HashSecret;
}

export function createEngine(options: EngineOptions = {}): Engine {
  return new ExchangeEngine(options);
}

export interface RestoreOptions extends EngineOptions {
  /**
   * True for the very bytes that were restored and came to their hash before: by the same program,
   * and known to be the same by a checksum that is at least as strong. Then the hash is not computed,
   * and a part of the state is only decoded when it is needed.
   */
  readonly isProven?: boolean;
}

/**
 * An engine in the state that a snapshot holds. It goes on using the bytes, which must stay as they
 * are.
 * @throws SnapshotFormatError where the bytes are of another version or do not lead to the very hash
 * that they were written with.
 */
export function restoreEngine(bytes: Uint8Array, options: RestoreOptions = {}): Engine {
  return ExchangeEngine.restored(new SnapshotReader(bytes), options);
}

type OtherCommand = Exclude<Command, { type: "placeOrder" | "cancelOrder" }>;

class ExchangeEngine implements Engine {
  sequence = 0;
  timestampMs = 0;
  readonly read: StateReader;

  readonly #state = new EngineState();
  readonly #planChanges = new PlanChanges(this.#state);
  readonly #opening = new Opening(this.#state);
  readonly #ending = new Ending(this.#state);
  readonly #uncrossing = new Uncrossing(this.#state, this.#ending);
  readonly #markets = new MarketStates(this.#state, this.#ending, this.#uncrossing, (book) =>
    this.#activating.resume(book),
  );
  readonly #matching = new Matching(this.#state, this.#opening, this.#ending, this.#markets);
  readonly #placing = new Placing(this.#state, this.#opening, this.#matching, this.#ending);
  readonly #placingLists = new PlacingLists(this.#state, this.#placing, this.#matching);
  readonly #activating = new Activating(
    this.#state,
    this.#placing,
    this.#opening,
    this.#matching,
    this.#ending,
  );
  readonly #amending = new Amending(this.#state, this.#matching, this.#ending);
  readonly #cancelling = new Cancelling(this.#state, this.#ending);
  /** True while a command is under way, and for ever after one that threw. */
  #isBusy = false;

  constructor({ hashSecret }: EngineOptions) {
    if (hashSecret !== undefined) this.#state.textHash.change(hashSecret);
    this.read = new StateReader(this.#state);
  }

  get nextDueMs(): number {
    return this.#state.timers.nextMs;
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
    assert(sequence === this.sequence + 1, "sequences are gap-free");
    assert(timestampMs >= this.timestampMs, "time never runs backwards");
    this.sequence = sequence;
    this.timestampMs = timestampMs;
    events.begin(sequence, timestampMs);
    this.#state.nowMs = timestampMs;
    this.#state.feeTiers.advance(timestampMs);
    if (timestampMs >= this.#state.timers.nextMs) this.#letDueHappen(events);
    const outcome =
      idempotencyKey === ""
        ? this.#execute(command, events)
        : this.#executeOnce(idempotencyKey, command, events);
    if (this.#state.activations.length > 0) this.#activating.takeUp(events);
    if (outcome !== "accepted" && outcome !== "repeated") events.commandRejected(outcome);
    this.#isBusy = false;
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
    engine.sequence = snapshot.number();
    engine.timestampMs = snapshot.number();
    const hash = snapshot.text();
    try {
      engine.#state.readFrom(snapshot);
      engine.#state.feeTiers.advance(engine.timestampMs);
      snapshot.end();
      if (!options.isProven && engine.stateHash() !== hash)
        snapshot.refuse("the state has another hash");
    } catch (error) {
      if (error instanceof SnapshotFormatError) throw error;
      // What the bytes asked for broke an invariant: they are not a snapshot of this engine.
      const finding = error instanceof Error ? error.message : String(error);
      throw new SnapshotFormatError(`the snapshot contradicts itself: ${finding}`);
    }
    return engine;
  }

  /** A command whose key was accepted before is answered with that outcome. */
  #executeOnce(key: string, command: Command, events: EventBuffer): Outcome {
    if (typeof key !== "string" || key.length > IDEMPOTENCY_KEY_LENGTH_MAX) return "invalidCommand";
    const { idempotencyKeys } = this.#state;
    const first = idempotencyKeys.find(key, this.timestampMs);
    if (first !== undefined) {
      events.requestRepeated(first.sequence, first.orderId);
      return "repeated";
    }
    const outcome = this.#execute(command, events);
    if (outcome === "accepted") {
      const orderId = placesOrders(command) ? this.#placing.orderId : 0;
      idempotencyKeys.remember(key, this.sequence, orderId, this.timestampMs);
    }
    return outcome;
  }

  #execute(command: Command, events: EventBuffer): Outcome {
    switch (command.type) {
      case "placeOrder":
        return this.#placing.place(command, this.sequence, events);
      case "cancelOrder":
        return this.#cancelling.cancel(command, events);
      default:
        return this.#executeOther(command, events);
    }
  }

  /** Apart from the two that come by the million, so that those are compiled into one piece. */
  #executeOther(command: OtherCommand, events: EventBuffer): Outcome {
    switch (command.type) {
      case "cancelAllOrders":
        return this.#cancelling.cancelAll(command, events);
      case "amendOrder":
        return this.#amending.amend(command, events);
      case "replaceOrder":
        return this.#placing.replace(command, this.sequence, events);
      case "placeOrderList":
        return this.#placingLists.place(command, this.sequence, events);
      case "setCancelTimer":
        return this.#setCancelTimer(command, events);
      case "advanceTime":
        events.rare({ type: "timeAdvanced" });
        return "accepted";
      case "takePracticeFunds":
        return this.#takePracticeFunds(command, events);
      case "fundParticipant":
        return this.#fundParticipant(command, events);
      case "openAccount":
        return this.#openAccount(command, events);
      case "assignPlan":
        return this.#planChanges.assign(command, events);
      case "choosePlan":
        return this.#planChanges.choose(command, this.timestampMs, events);
      case "setAccountFreeze":
        return this.#setAccountFreeze(command, events);
      case "proposeAdjustment":
        return proposeAdjustment(this.#state, command, events);
      case "approveAdjustment":
        return approveAdjustment(this.#state, command, events);
      case "rejectAdjustment":
        return rejectAdjustment(this.#state, command, events);
      case "listCoin":
        return this.#listCoin(command, events);
      case "listMarket":
        return this.#listMarket(command, events);
      case "updateMarket":
        return this.#updateMarket(command, events);
      case "setMarketStatus":
        return this.#markets.set(command, this.timestampMs, events);
      case "definePlan":
        return this.#definePlan(command, events);
      case "updatePlan":
        return this.#updatePlan(command, events);
      case "startSimulation":
        return this.#startSimulation(command, events);
      default:
        // A journal of a later version, or a caller without types.
        command satisfies never;
        return "invalidCommand";
    }
  }

  /** What was due before this command happens first, each at its turn. */
  #letDueHappen(events: EventBuffer): void {
    const { timers } = this.#state;
    let timer = timers.takeDue(this.timestampMs);
    while (timer !== undefined) {
      this.#happen(timer, events);
      timer = timers.takeDue(this.timestampMs);
    }
  }

  #happen(timer: Timer, events: EventBuffer): void {
    switch (timer.kind) {
      case TIMER_ORDER_EXPIRY:
        this.#expire(timer.id, events);
        break;
      case TIMER_CANCEL_ALL:
        this.#fireCancelTimer(timer, events);
        break;
      case TIMER_PLAN_RENEWAL:
        this.#planChanges.renew(timer.id, this.timestampMs, events);
        break;
      default:
        assert(timer.kind === TIMER_MARKET, "a timer is of a known kind");
        this.#markets.end(timer.id, timer.dueMs, events);
    }
  }

  #expire(orderId: number, events: EventBuffer): void {
    const { details, orders } = this.#state;
    const slot = orders.find(orderId);
    assert(slot !== NO_ORDER, "an order with a timer is open");
    details.at(slot).timer = undefined;
    this.#ending.end(slot, END_EXPIRED, BECAUSE.expired, events);
  }

  #fireCancelTimer(timer: Timer, events: EventBuffer): void {
    const { account, marketId } = this.#state.cancelTimers.fired(timer);
    events.rare({ type: "cancelTimerFired", account, marketId });
    this.#cancelling.endAll(account, marketId, undefined, BECAUSE.cancelTimer, events);
  }

  #setCancelTimer(command: SetCancelTimer, events: EventBuffer): Outcome {
    const { account, delayMs, marketId } = command;
    const { accounts, cancelTimers, catalogue, timers } = this.#state;
    if (!accounts.exists(account)) return "unknownAccount";
    if (marketId !== 0 && !catalogue.markets.has(marketId)) return "unknownMarket";
    if (!Number.isSafeInteger(delayMs)) return "invalidDelay";
    if (delayMs !== 0 && (delayMs < CANCEL_DELAY_MS_MIN || delayMs > CANCEL_DELAY_MS_MAX)) {
      return "invalidDelay";
    }
    if (delayMs !== 0 && timers.isFull) return "limitReached";
    const firesAtMs = delayMs === 0 ? 0 : this.timestampMs + delayMs;
    cancelTimers.set(account, marketId, firesAtMs);
    events.rare({ type: "cancelTimerSet", account, marketId, firesAtMs });
    return "accepted";
  }

  #takePracticeFunds(command: TakePracticeFunds, events: EventBuffer): Outcome {
    const { account, assetId, amount } = command;
    const { accounts, ledger } = this.#state;
    const refusal = this.#refuseDeposit(account, assetId, amount);
    if (refusal !== null) return refusal;
    if (accounts.kindOf(account) !== "person") return "invalidCommand";
    const day = Math.floor(this.timestampMs / DAY_MS);
    if (accounts.practiceDayOf(account) === day) return "practiceFundsTakenToday";
    if (amount > AMOUNT_MAX - ledger.supply(assetId)) return "supplyExceeded";
    accounts.setPracticeDay(account, day);
    ledger.deposit(account, assetId, amount);
    events.rare({ type: "practiceFundsTaken", account, assetId, amount });
    return "accepted";
  }

  #fundParticipant(command: FundParticipant, events: EventBuffer): Outcome {
    const { account, assetId, amount } = command;
    const { accounts, ledger } = this.#state;
    const refusal = this.#refuseDeposit(account, assetId, amount);
    if (refusal !== null) return refusal;
    if (accounts.kindOf(account) !== "participant") return "notAParticipant";
    if (amount > AMOUNT_MAX - ledger.supply(assetId)) return "supplyExceeded";
    ledger.deposit(account, assetId, amount);
    events.rare({ type: "participantFunded", account, assetId, amount });
    return "accepted";
  }

  #refuseDeposit(account: number, assetId: number, amount: number): Outcome | null {
    if (!this.#state.accounts.exists(account)) return "unknownAccount";
    if (!this.#state.catalogue.coins.has(assetId)) return "unknownAsset";
    return Number.isSafeInteger(amount) && amount >= 1 ? null : "invalidAmount";
  }

  #openAccount(command: OpenAccount, events: EventBuffer): Outcome {
    const { userId, kind } = command;
    const { accounts, catalogue, ledger } = this.#state;
    if (typeof userId !== "string" || userId === "" || userId.length > USER_ID_LENGTH_MAX) {
      return "invalidCommand";
    }
    if (kind !== "person" && kind !== "participant") return "invalidCommand";
    if (accounts.ofUser(userId) !== undefined) return "duplicateAccount";
    if (!catalogue.plans.has(DEFAULT_PLAN_ID)) return "unknownPlan";
    if (accounts.isFull) return "limitReached";
    if (!ledger.hasRoomFor(accounts.nextId, catalogue.coins.size)) return "limitReached";
    const account = accounts.open(userId, kind, DEFAULT_PLAN_ID);
    ledger.makeRoomFor(account, catalogue.coins.size);
    events.rare({ type: "accountOpened", account, userId, kind });
    events.rare({ type: "planAssigned", account, planId: DEFAULT_PLAN_ID });
    return "accepted";
  }

  /** Ends nothing unless it is asked to; the owner may cancel all the same. */
  #setAccountFreeze(command: SetAccountFreeze, events: EventBuffer): Outcome {
    const { account, isFrozen, cancelsOrders, byAdmin, reason } = command;
    const { accounts } = this.#state;
    if (typeof isFrozen !== "boolean" || typeof cancelsOrders !== "boolean")
      return "invalidCommand";
    if (!isIdentity(byAdmin) || !isReason(reason)) return "invalidCommand";
    if (!isFrozen && cancelsOrders) return "invalidCommand";
    if (!accounts.exists(account)) return "unknownAccount";
    accounts.setFrozen(account, isFrozen);
    events.rare({ type: "accountFreezeChanged", account, isFrozen, byAdmin, reason });
    if (cancelsOrders) {
      const why = becauseRefused("accountFrozen");
      this.#cancelling.endAll(account, 0, undefined, why, events);
    }
    return "accepted";
  }

  #listCoin(command: ListCoin, events: EventBuffer): Outcome {
    const { accounts, catalogue, ledger } = this.#state;
    const refusal = catalogue.refuseCoin(command.coin);
    if (refusal !== null) return refusal;
    if (!ledger.hasRoomFor(accounts.nextId, catalogue.coins.size + 1)) {
      return "limitReached";
    }
    const listed = catalogue.listCoin(command.coin);
    ledger.makeRoomFor(accounts.nextId, listed.assetId);
    events.rare({ type: "coinListed", ...listed });
    return "accepted";
  }

  #listMarket(command: ListMarket, events: EventBuffer): Outcome {
    const { books, catalogue, details, levels, orders } = this.#state;
    const refusal = catalogue.refuseMarket(command.market);
    if (refusal !== null) return refusal;
    const listed = catalogue.listMarket(command.market);
    books.push(new OrderBook(listed.marketId, listed.market, listed, orders, levels, details));
    events.rare({ type: "marketListed", ...listed });
    return "accepted";
  }

  #updateMarket({ marketId, market }: UpdateMarket, events: EventBuffer): Outcome {
    const { books, catalogue } = this.#state;
    const refusal = catalogue.refuseMarketUpdate(marketId, market);
    if (refusal !== null) return refusal;
    const updated = catalogue.updateMarket(marketId, market);
    books[marketId]?.setTerms(updated.market);
    events.rare({ type: "marketUpdated", ...updated });
    return "accepted";
  }

  #updatePlan({ planId, plan }: UpdatePlan, events: EventBuffer): Outcome {
    const { catalogue, feeTiers } = this.#state;
    const refusal = catalogue.refusePlanUpdate(planId, plan);
    if (refusal !== null) return refusal;
    const updated = catalogue.updatePlan(planId, plan);
    feeTiers.plansChanged();
    events.rare({ type: "planUpdated", ...updated });
    return "accepted";
  }

  #definePlan(command: DefinePlan, events: EventBuffer): Outcome {
    const { catalogue } = this.#state;
    const refusal = catalogue.refusePlan(command.plan);
    if (refusal !== null) return refusal;
    events.rare({ type: "planDefined", ...catalogue.definePlan(command.plan) });
    return "accepted";
  }

  #startSimulation(command: StartSimulation, events: EventBuffer): Outcome {
    if (!Number.isSafeInteger(command.seed)) return "invalidCommand";
    if (this.#state.simulationStarted) return "simulationAlreadyStarted";
    this.#state.simulationStarted = true;
    events.rare({ type: "simulationStarted", seed: command.seed });
    return "accepted";
  }
}

function placesOrders(command: Command): boolean {
  const { type } = command;
  return type === "placeOrder" || type === "replaceOrder" || type === "placeOrderList";
}
