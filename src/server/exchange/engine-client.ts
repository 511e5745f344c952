/**
 * The main thread's side of the engine's worker: batches the commands of one turn of the event
 * loop, passes released events to the listeners and then answers the submitters.
 */
import { Worker } from "node:worker_threads";
import type { Command, PlaceOrder } from "#engine/commands.ts";
import { decodeEvents } from "#engine/event-buffer.ts";
import type { ExchangeEvent } from "#engine/events.ts";
import type { RejectReason } from "#engine/reject-reasons.ts";
import { JournalDamagedError } from "#journal/journal.ts";
import { messageOf } from "../log.ts";
import { CommandBatch } from "./command-batch.ts";
import { CommandWaiters } from "./command-waiters.ts";
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
  ChunkedListener,
} from "./exchange.ts";
import { Delivery } from "./delivery.ts";
import { DueTimer } from "./due-timer.ts";
import type { ExchangeClock } from "./exchange-clock.ts";
import { ExchangeBusyError, ExchangeStoppedError, NotLeadingError } from "./exchange-errors.ts";
import { Questions } from "./questions.ts";
import type { RunFollower, StateHash } from "./run-follower.ts";
import { ClockRefusedError } from "./starting-time.ts";

export class EngineClient {
  /** Resolves when the journal has been replayed and every recovered event was delivered. */
  readonly recovered: Promise<void>;
  readonly #worker: Worker;
  readonly #onEvents: EventListener;
  readonly #subscribers = new Set<EventListener | ChunkedListener>();
  readonly #follower: RunFollower;
  readonly #log: ExchangeLog;
  readonly #backlogMax: number;
  readonly #recovery = Promise.withResolvers<void>();
  readonly #ended = Promise.withResolvers<void>();
  readonly #waiters = new CommandWaiters();
  readonly #hashes = new Questions<StateHash>();
  readonly #refusals = new Questions<RejectReason | null>();
  readonly #batch = new CommandBatch();
  #isBatchScheduled = false;
  #sequence = 0;
  #isReady = false;
  /** Whether commands are sequenced here: always, unless this is one node of several. */
  #isLeading: boolean;
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
    this.#isLeading = follower.node === undefined;
    const url = new URL(
      this.#isLeading ? "./engine-worker.ts" : "./node-worker.ts",
      import.meta.url,
    );
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
    if (!this.#isLeading) return Promise.reject(new NotLeadingError());
    const waiting = this.#waiters.count;
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
    return this.#waiters.add();
  }

  /** Asks one node of several to lead; `onLeading` or `onFollowing` answers. */
  lead(): void {
    this.#send({ kind: "lead" });
  }

  /** Asks a leading node to step down, once everything submitted is in the journal. */
  stepDown(): void {
    if (!this.#isLeading) return;
    this.#sendBatch();
    this.#isLeading = false;
    this.#dueTimer.stop();
    this.#send({ kind: "stepDown" });
  }

  subscribe(listener: EventListener | ChunkedListener): () => void {
    // A new function each time, so that subscribing one listener twice means two subscriptions.
    const subscription: typeof listener = (events) => listener(events);
    this.#subscribers.add(subscription);
    return () => this.#subscribers.delete(subscription);
  }

  health(): ExchangeHealth {
    const status = this.#failure === undefined ? "ok" : "stopped";
    const clock = this.#clock.health();
    const health = { status, sequence: this.#sequence, lag: this.#waiters.count, clock } as const;
    return this.#failure === undefined ? health : { ...health, failure: this.#failure };
  }

  stateHash(): Promise<StateHash> {
    if (this.#failure !== undefined || this.#isClosing) {
      return Promise.reject(this.#stoppedError());
    }
    this.#sendBatch();
    return this.#hashes.ask((id) => this.#send({ kind: "stateHash", id }));
  }

  refusalOf(order: PlaceOrder): Promise<RejectReason | null> {
    if (this.#failure !== undefined || this.#isClosing) {
      return Promise.reject(this.#stoppedError());
    }
    return this.#refusals.ask((id) => this.#send({ kind: "refusalOf", id, order }));
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

  /** Submits a command that only advances the time, so that due timers fire. */
  #advanceTime(): void {
    this.submit({ type: "advanceTime" }, "").catch((error: unknown) => {
      // If busy, the waiting commands advance the time; if stopped, nothing more happens.
      if (error instanceof ExchangeBusyError || error instanceof ExchangeStoppedError) return;
      // The next leader has the same timers.
      if (error instanceof NotLeadingError) return;
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
        if (this.#isLeading) this.#dueTimer.set(response.nextDueMs);
        break;
      case "term":
        this.#follower.node?.onTerm(response.term, response.isOlder);
        break;
      case "leading":
        this.#isLeading = true;
        this.#dueTimer.set(response.nextDueMs);
        this.#follower.node?.onLeading(response.term);
        break;
      case "following":
        this.#endLeading();
        this.#follower.node?.onFollowing(response.reason, response.isFenced);
        break;
      case "caughtUp":
        this.#follower.node?.onCaughtUp();
        break;
      case "stateCompared":
        this.#follower.node?.onStateCompared({ sequence: response.sequence, hash: response.hash });
        break;
      case "log":
        this.#log[response.level](response.fields, response.message);
        break;
      case "stateHash": {
        const { id, sequence, hash } = response;
        this.#hashes.answer(id, { sequence, hash });
        break;
      }
      case "refusal":
        this.#refusals.answer(response.id, response.reason);
        break;
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
    const chunks = this.#finish(released, events);
    while (chunks.next().done !== true);
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
      // This listener's read model is wrong from now on; continuing would only hide that.
      this.#log.error({ err: error }, "a listener failed to take the exchange's events");
      this.stop(new Error(`a listener failed: ${messageOf(error)}`));
      return false;
    }
  }

  /**
   * Passes the events to all listeners and answers their submitters; the event loop may turn between
   * chunks.
   */
  *#finish(released: ReleasedEvents, events: readonly ExchangeEvent[]): Generator<void> {
    const { batch, count, firstSequence, nextDueMs, times } = released;
    if (!this.#notify(() => this.#onEvents(events))) return;
    // Listeners that subscribe in the meantime have already seen the effects of these events.
    for (const subscriber of new Set(this.#subscribers)) {
      let chunks: Iterator<unknown> | undefined;
      if (!this.#notify(() => (chunks = chunksOf(subscriber(events))))) return;
      for (let isDone = chunks === undefined; !isDone;) {
        if (!this.#notify(() => (isDone = chunks?.next().done === true))) return;
        if (!isDone) yield;
      }
    }
    this.#sequence = firstSequence + count - 1;
    this.#follower.delivered(this.#sequence, batch, events);
    releaseRows(batch.rows);
    if (this.#waiters.count > 0) this.#waiters.answer(events, firstSequence, count, times);
    if (!this.#isReady) return;
    if (this.#isLeading) this.#dueTimer.set(nextDueMs);
    if (released.isCredited === true) this.#send({ kind: "credit" });
  }

  #endLeading(): void {
    this.#isLeading = false;
    this.#dueTimer.stop();
    this.#batch.take();
    this.#waiters.rejectAll(() => new NotLeadingError());
  }

  /** Stops for good: accepts no more commands and releases no more events. */
  stop(error: Error): void {
    if (this.#failure !== undefined) return;
    this.#failure = error.message;
    this.#clock.stop();
    this.#dueTimer.stop();
    const isRecovering = !this.#isReady;
    if (!isRecovering) this.#log.error({ reason: error.message }, "the exchange has stopped");
    this.#waiters.rejectAll(() => this.#stoppedError());
    this.#hashes.rejectAll(() => this.#stoppedError());
    this.#refusals.rejectAll(() => this.#stoppedError());
    if (isRecovering) this.#recovery.reject(error);
    void this.#worker.terminate();
  }

  #stoppedError(): ExchangeStoppedError {
    return new ExchangeStoppedError(this.#failure ?? "it was closed");
  }
}

/** The chunks in which a listener continues; undefined if it has taken all events. */
function chunksOf(taken: unknown): Iterator<unknown> | undefined {
  const isPiecewise = typeof taken === "object" && taken !== null && Symbol.iterator in taken;
  return isPiecewise ? (taken as Iterable<unknown>)[Symbol.iterator]() : undefined;
}
