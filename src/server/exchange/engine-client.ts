/**
 * The main thread's side of the engine's worker: batches the commands of one turn of the event
 * loop, passes released events to the listeners and then answers the submitters.
 */
import { Worker } from "node:worker_threads";
import type { Command, PlaceOrder } from "#engine/commands.ts";
import { decodeEvents, type EventBatch } from "#engine/event-buffer.ts";
import type { ExchangeEvent } from "#engine/events.ts";
import type { RejectReason } from "#engine/reject-reasons.ts";
import { JournalDamagedError } from "#journal/journal.ts";
import { messageOf } from "../log.ts";
import { CommandBatch } from "./command-batch.ts";
import type {
  EngineRequest,
  EngineResponse,
  EngineWorkerData,
  ReleasedEvents,
} from "./engine-messages.ts";
import { releaseRows } from "./event-row-pool.ts";
import type {
  CommandOutcome,
  EventListener,
  ExchangeHealth,
  ExchangeLog,
  PiecewiseListener,
} from "./exchange.ts";
import { Delivery } from "./delivery.ts";
import { DueTimer } from "./due-timer.ts";
import type { ExchangeClock } from "./exchange-clock.ts";
import { ExchangeBusyError, ExchangeStoppedError } from "./exchange-errors.ts";
import { ClockRefusedError } from "./starting-time.ts";

interface Waiter<T> {
  readonly resolve: (value: T) => void;
  readonly reject: (error: Error) => void;
}

/** Follows the engine's progress; notified in addition to the listeners that receive events. */
export interface RunFollower {
  /** A snapshot was read, and may be restored. */
  snapshotRead(readModels: Uint8Array): void;
  /** The snapshot read last was restored; the events after it follow. */
  restored(sequence: number): void;
  /**
   * The replay has reached this position; also called before its first event. The replay waits for
   * a returned promise, because the follower may need time for the events.
   */
  replayed(position: ReplayPosition): Promise<void> | void;
  /**
   * Events that all listeners are about to receive; unless `isWhole`, the last event's command has
   * more.
   */
  slice(events: readonly ExchangeEvent[], isWhole: boolean): void;
  /** Events up to this sequence are on disk and were delivered to every listener. */
  delivered(sequence: number, batch: EventBatch): void;
}

export interface ReplayPosition {
  readonly sequence: number;
  /** The last sequence of the journal, to which it is replayed. */
  readonly target: number;
}

interface StateHash {
  readonly sequence: number;
  readonly hash: string;
}

export class EngineClient {
  /** Resolves when the journal has been replayed and every recovered event was delivered. */
  readonly recovered: Promise<void>;
  readonly #worker: Worker;
  readonly #onEvents: EventListener;
  readonly #subscribers = new Set<EventListener | PiecewiseListener>();
  readonly #follower: RunFollower;
  readonly #log: ExchangeLog;
  readonly #backlogMax: number;
  readonly #recovery = Promise.withResolvers<void>();
  readonly #ended = Promise.withResolvers<void>();
  /** Submitters in the order of their commands, which is the order of the sequences. */
  #waiters: Waiter<CommandOutcome>[] = [];
  #answered = 0;
  readonly #hashWaiters = new Map<number, Waiter<StateHash>>();
  readonly #refusalWaiters = new Map<number, Waiter<RejectReason | null>>();
  /** The number of the last query sent to the worker. */
  #asked = 0;
  readonly #batch = new CommandBatch();
  #isBatchScheduled = false;
  #sequence = 0;
  #isReady = false;
  #replayTarget = 0;
  #isClosing = false;
  readonly #clock: ExchangeClock;
  readonly #dueTimer: DueTimer;
  readonly #delivery = new Delivery({
    hasFailed: () => this.#failure !== undefined,
    take: (response) => this.#take(response),
    takeSlice: (released, events, isWhole) => this.#takeSlice(released, events, isWhole),
    finish: (released, events) => this.#finish(released, events),
  });
  #failure: string | undefined;

  constructor(
    data: EngineWorkerData,
    onEvents: EventListener,
    follower: RunFollower,
    log: ExchangeLog,
    backlogMax: number,
    clock: ExchangeClock,
  ) {
    this.#clock = clock;
    this.#dueTimer = new DueTimer(() => this.#advanceTime(), clock.now);
    this.#onEvents = onEvents;
    this.#follower = follower;
    this.#log = log;
    this.#backlogMax = backlogMax;
    this.recovered = this.#recovery.promise;
    const url = new URL("./engine-worker.ts", import.meta.url);
    this.#worker = new Worker(url, { workerData: data, name: "engine" });
    this.#worker.on("message", (response: EngineResponse) => this.#receive(response));
    this.#worker.on("messageerror", (error) => this.stop(error));
    this.#worker.on("error", (error) =>
      this.stop(error instanceof Error ? error : new Error(String(error))),
    );
    this.#worker.on("exit", (code) => {
      if (!this.#isClosing) this.stop(new Error(`the engine's thread ended with code ${code}`));
      this.#ended.resolve();
    });
  }

  submit(command: Command, idempotencyKey: string): Promise<CommandOutcome> {
    if (this.#failure !== undefined || this.#isClosing) {
      return Promise.reject(this.#stoppedError());
    }
    const waiting = this.#waiting;
    if (waiting >= this.#backlogMax) return Promise.reject(new ExchangeBusyError(waiting));
    try {
      this.#batch.add(command, idempotencyKey);
    } catch (error) {
      return Promise.reject(error);
    }
    if (!this.#isBatchScheduled) {
      this.#isBatchScheduled = true;
      setImmediate(() => this.#sendBatch());
    }
    return new Promise((resolve, reject) => this.#waiters.push({ resolve, reject }));
  }

  subscribe(listener: EventListener | PiecewiseListener): () => void {
    // A new function each time, so that subscribing one listener twice means two subscriptions.
    const subscription: typeof listener = (events) => listener(events);
    this.#subscribers.add(subscription);
    return () => this.#subscribers.delete(subscription);
  }

  health(): ExchangeHealth {
    const status = this.#failure === undefined ? "ok" : "stopped";
    const clock = this.#clock.health();
    const health = { status, sequence: this.#sequence, lag: this.#waiting, clock } as const;
    return this.#failure === undefined ? health : { ...health, failure: this.#failure };
  }

  stateHash(): Promise<StateHash> {
    if (this.#failure !== undefined || this.#isClosing) {
      return Promise.reject(this.#stoppedError());
    }
    this.#sendBatch();
    const id = ++this.#asked;
    return new Promise((resolve, reject) => {
      this.#hashWaiters.set(id, { resolve, reject });
      this.#send({ kind: "stateHash", id });
    });
  }

  refusalOf(order: PlaceOrder): Promise<RejectReason | null> {
    if (this.#failure !== undefined || this.#isClosing) {
      return Promise.reject(this.#stoppedError());
    }
    const id = ++this.#asked;
    return new Promise((resolve, reject) => {
      this.#refusalWaiters.set(id, { resolve, reject });
      this.#send({ kind: "refusalOf", id, order });
    });
  }

  /** Flushes submitted commands and ends the worker; resolves when its thread has ended. */
  async close(): Promise<void> {
    if (!this.#isClosing) {
      this.#sendBatch();
      this.#isClosing = true;
      this.#clock.stop();
      this.#dueTimer.stop();
      if (this.#failure === undefined && this.#isReady) this.#send({ kind: "close" });
      else void this.#worker.terminate();
    }
    await this.#ended.promise;
    // Everything durable has also been delivered.
    await this.#delivery.whenDone();
  }

  unsettled(): Promise<void> | undefined {
    return this.#delivery.unsettled;
  }

  get #waiting(): number {
    return this.#waiters.length - this.#answered;
  }

  /** Submits a command that only advances the time, so that due timers fire. */
  #advanceTime(): void {
    this.submit({ type: "advanceTime" }, "").catch((error: unknown) => {
      // If busy, the waiting commands advance the time; if stopped, nothing happens any more.
      if (error instanceof ExchangeBusyError || error instanceof ExchangeStoppedError) return;
      this.stop(error instanceof Error ? error : new Error(String(error)));
    });
  }

  #send(request: EngineRequest, transfer: ArrayBuffer[] = []): void {
    this.#worker.postMessage(request, transfer);
  }

  #sendBatch(): void {
    this.#isBatchScheduled = false;
    if (this.#failure !== undefined) return;
    const bytes = this.#batch.take();
    if (bytes.length > 0) this.#send({ kind: "commands", bytes }, [bytes.buffer]);
  }

  #receive(response: EngineResponse): void {
    if (this.#failure === undefined) this.#delivery.receive(response, this.#isReady);
  }

  #take(response: EngineResponse): void {
    switch (response.kind) {
      case "events":
        this.#recover(response);
        void this.#continueReplay();
        break;
      case "snapshotRead":
        this.#tryRestore(() => this.#follower.snapshotRead(response.readModels));
        break;
      case "restored": {
        const { sequence } = response;
        if (!this.#tryRestore(() => this.#follower.restored(sequence))) break;
        this.#sequence = sequence;
        this.#log.info({ sequence }, "the exchange continues from a snapshot");
        break;
      }
      case "replaying":
        this.#replayTarget = response.target;
        void this.#follower.replayed(response);
        break;
      case "ready":
        this.#isReady = true;
        this.#log.info({ sequence: response.sequence }, "the exchange has recovered its journal");
        this.#recovery.resolve();
        this.#clock.start(() => this.#dueTimer.refresh());
        this.#dueTimer.set(response.nextDueMs);
        break;
      case "log":
        this.#log[response.level](response.fields, response.message);
        break;
      case "stateHash": {
        const { id, sequence, hash } = response;
        this.#hashWaiters.get(id)?.resolve({ sequence, hash });
        this.#hashWaiters.delete(id);
        break;
      }
      case "refusal": {
        const { id, reason } = response;
        this.#refusalWaiters.get(id)?.resolve(reason);
        this.#refusalWaiters.delete(id);
        break;
      }
      case "stopped": {
        const { damage, isClockRefused, reason } = response;
        if (isClockRefused === true) this.stop(new ClockRefusedError(reason));
        else if (damage === undefined) this.stop(new Error(reason));
        else {
          const { file, offset, sequence, finding } = damage;
          this.stop(new JournalDamagedError(file, offset, sequence, finding));
        }
        break;
      }
      case "closed":
        break;
    }
  }

  /** Runs an action that restores read models; returns whether it succeeded. */
  #tryRestore(action: () => void): boolean {
    try {
      action();
      return true;
    } catch (error) {
      this.stop(new Error(`the read models did not restore their snapshot: ${messageOf(error)}`));
      return false;
    }
  }

  async #continueReplay(): Promise<void> {
    await this.#follower.replayed({ sequence: this.#sequence, target: this.#replayTarget });
    if (this.#failure === undefined) this.#send({ kind: "credit" });
  }

  /** Delivers events of the journal at once: everything waits for them. */
  #recover(released: ReleasedEvents): void {
    const events = decodeEvents(released.batch);
    if (!this.#takeSlice(released, events, true)) return;
    const pieces = this.#finish(released, events);
    while (pieces.next().done !== true);
  }

  #takeSlice(
    released: ReleasedEvents,
    events: readonly ExchangeEvent[],
    isWhole: boolean,
  ): boolean {
    return this.#isNext(released) && this.#notify(() => this.#follower.slice(events, isWhole));
  }

  #isNext({ firstSequence }: ReleasedEvents): boolean {
    if (firstSequence === this.#sequence + 1) return true;
    this.stop(new Error(`events of sequence ${firstSequence} came after ${this.#sequence}`));
    return false;
  }

  /** Notifies a listener; returns whether it took the events. */
  #notify(listener: () => void): boolean {
    try {
      listener();
      return true;
    } catch (error) {
      // What this listener's read model shows is wrong from now on; continuing would only hide
      // that.
      this.#log.error({ err: error }, "a listener failed to take the exchange's events");
      this.stop(new Error(`a listener failed: ${messageOf(error)}`));
      return false;
    }
  }

  /**
   * Passes the events to all listeners and answers their submitters; the event loop may turn
   * between pieces.
   */
  *#finish(released: ReleasedEvents, events: readonly ExchangeEvent[]): Generator<void> {
    const { batch, count, firstSequence, nextDueMs } = released;
    if (!this.#notify(() => this.#onEvents(events))) return;
    // Listeners that subscribe meanwhile have already seen what these events did.
    for (const subscriber of new Set(this.#subscribers)) {
      let pieces: Iterator<unknown> | undefined;
      if (!this.#notify(() => (pieces = piecesOf(subscriber(events))))) return;
      for (let isDone = pieces === undefined; !isDone;) {
        if (!this.#notify(() => (isDone = pieces?.next().done === true))) return;
        if (!isDone) yield;
      }
    }
    this.#sequence = firstSequence + count - 1;
    this.#follower.delivered(this.#sequence, batch);
    releaseRows(batch.rows);
    if (this.#waiting > 0) this.#answer(events, firstSequence, count);
    if (this.#isReady) this.#dueTimer.set(nextDueMs);
  }

  #answer(events: readonly ExchangeEvent[], firstSequence: number, count: number): void {
    let from = 0;
    for (let sequence = firstSequence; sequence < firstSequence + count; sequence++) {
      let to = from;
      while (to < events.length && events[to].sequence === sequence) to += 1;
      const own = events.slice(from, to);
      from = to;
      this.#waiters[this.#answered++].resolve(outcomeOf(sequence, own));
    }
    // Removing the waiters one by one would cost the length of the queue each time.
    if (this.#answered === this.#waiters.length || this.#answered > 4096) {
      this.#waiters = this.#waiters.slice(this.#answered);
      this.#answered = 0;
    }
  }

  /** Stops for good: accepts no commands and releases no events any more. */
  stop(error: Error): void {
    if (this.#failure !== undefined) return;
    this.#failure = error.message;
    this.#clock.stop();
    this.#dueTimer.stop();
    const isRecovering = !this.#isReady;
    if (!isRecovering) this.#log.error({ reason: error.message }, "the exchange has stopped");
    const waiters = this.#waiters.slice(this.#answered);
    this.#waiters = [];
    this.#answered = 0;
    for (const waiter of waiters) waiter.reject(this.#stoppedError());
    for (const questions of [this.#hashWaiters, this.#refusalWaiters]) {
      for (const { reject } of questions.values()) reject(this.#stoppedError());
      questions.clear();
    }
    if (isRecovering) this.#recovery.reject(error);
    void this.#worker.terminate();
  }

  #stoppedError(): ExchangeStoppedError {
    return new ExchangeStoppedError(this.#failure ?? "it was closed");
  }
}

/** The pieces in which a listener continues; undefined if it has taken all events. */
function piecesOf(taken: unknown): Iterator<unknown> | undefined {
  const isPiecewise = typeof taken === "object" && taken !== null && Symbol.iterator in taken;
  return isPiecewise ? (taken as Iterable<unknown>)[Symbol.iterator]() : undefined;
}

function outcomeOf(sequence: number, events: readonly ExchangeEvent[]): CommandOutcome {
  // A refusal is a command's last event: timers that were due fired before it.
  const last = events[events.length - 1];
  const { timestampMs } = last;
  return last.type === "commandRejected"
    ? { sequence, timestampMs, rejected: last.reason, events }
    : { sequence, timestampMs, events };
}
