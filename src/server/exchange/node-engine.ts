/**
 * The engine of one node of several. It follows the journal and applies its commands, so that its engine keeps up
 * with the leader's. To lead, it takes the journal's next term, applies everything before it and sequences commands.
 * If another node took over, it may have applied commands that are in no journal: it is restored and follows again.
 *
 * Invariant: every event is released once, in sequence order, and only if its command is in the journal.
 */
import { setTimeout as delay } from "node:timers/promises";
import { assert } from "#engine/assert.ts";
import { createEngine, type Engine } from "#engine/engine.ts";
import { ENGINE_VERSION } from "#engine/formats/engine-version.ts";
import { type Journal, JournalDamagedError, JournalFencedError } from "#journal/journal.ts";
import { openJournal } from "#journal/open-journal.ts";
import {
  type EngineRequest,
  type EngineWorkerData,
  ROWS_KEPT_MAX,
  type ReleasedEvents,
} from "./engine-messages.ts";
import { engineOptions } from "./engine-options.ts";
import { EventRows, releaseRows } from "./event-row-pool.ts";
import { SharedTime } from "./exchange-clock.ts";
import { messageOf } from "../log.ts";
import { CommandApplier, replayGroup, SLICE_NUMBERS_MAX } from "./replay.ts";
import { fetchSnapshot } from "./snapshots/fetch-snapshot.ts";
import { Sequencer } from "./sequencer.ts";
import { beginAfter } from "./starting-time.ts";
import { StateHashSchedule } from "./state-hash-schedule.ts";
import {
  JournalUnreadableError,
  withReadErrors,
  requireSameHistory,
  StateDiffersError,
} from "./followed-journal.ts";
import { Credits, restoreFrom, type WorkerOutput } from "./worker-output.ts";

const RETRY_AFTER_MS = 200;

interface Following {
  readonly end: AbortController;
  readonly ended: Promise<void>;
}

export class NodeEngine {
  /** Resolves once a "close" is done. */
  readonly closed: Promise<void>;
  readonly #closed = Promise.withResolvers<void>();
  readonly #data: EngineWorkerData;
  readonly #output: WorkerOutput;
  readonly #openJournal: typeof openJournal;
  readonly #time: SharedTime;
  readonly #credits = new Credits();
  /** Undefined until the first journal is read, and while the engine of a former leader is restored. */
  #engine: Engine | undefined;
  /** The newest sequence whose events were released. */
  #released = 0;
  #isReady = false;
  /** Whether the engine of a former leader is not yet where the journal was. */
  #isRestoring = false;
  #following: Following | undefined;
  /** The applier of the newest reader. */
  #unreleased: CommandApplier | undefined;
  #leading: { readonly writer: Journal; readonly sequencer: Sequencer } | undefined;
  #isTakingOver = false;
  /** A term that is announced as soon as everything before it is released. */
  #term: number | undefined;
  /** The version of the engine of the newest term's leader; 0 if it is not known. */
  #leadersVersion = 0;
  /** Callbacks that wait for the engine to reach a sequence. */
  #awaited: { readonly sequence: number; readonly resolve: () => void }[] = [];

  /** @param open opens the journal */
  constructor(data: EngineWorkerData, output: WorkerOutput, open = openJournal) {
    this.#data = data;
    this.#openJournal = open;
    this.#output = output;
    this.#time = new SharedTime(data.timeOffset);
    this.closed = this.#closed.promise;
  }

  take(request: EngineRequest): void {
    switch (request.kind) {
      case "commands":
        // For commands sent to a leader that has just stepped down, "following" is the answer.
        this.#leading?.sequencer.submit(request.bytes);
        break;
      case "stateHash":
        this.#whenSettled((engine) => {
          const { sequence } = engine;
          const hash = engine.stateHash();
          this.#output.respond({ kind: "stateHash", id: request.id, sequence, hash });
        });
        break;
      case "refusalOf":
        this.#whenRestored((engine) => {
          const reason = engine.refusalOf(request.order);
          this.#output.respond({ kind: "refusal", id: request.id, reason });
        });
        break;
      case "lead":
        void this.#lead();
        break;
      case "stepDown":
        this.#leading?.sequencer.whenDurable(() => this.#stepDown("stepped down", false));
        break;
      case "credit":
        this.#credits.give(request);
        break;
      case "close":
        void this.#close();
        break;
    }
  }

  /** Follows the journal until further notice. */
  follow(): void {
    const end = new AbortController();
    const ended = this.#followUntil(end.signal).catch((error: unknown) => this.#output.stop(error));
    this.#following = { end, ended };
  }

  async #followUntil(signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      const reader = await this.#openReader(signal);
      if (reader === undefined) return;
      try {
        if (reader.identity === 0) await this.#whileMissing(signal);
        else await this.#followWith(reader, signal);
      } catch (error) {
        if (!this.#isReady || !(error instanceof JournalUnreadableError)) throw error;
        await this.#releaseRest();
        await this.#waitForJournal(error, signal);
      } finally {
        await reader.close();
      }
    }
  }

  /** The first leader creates the journal; servers that elect may deny for a moment that there is one. */
  async #whileMissing(signal: AbortSignal): Promise<void> {
    if (this.#released > 0) return this.#waitForJournal("there is none", signal);
    this.#engine ??= createEngine(engineOptions);
    this.#announceStart(0);
    await delay(RETRY_AFTER_MS, undefined, { signal }).catch(() => undefined);
  }

  async #waitForJournal(reason: unknown, signal: AbortSignal): Promise<void> {
    this.#output.log.warn({ reason: messageOf(reason) }, "this node waits for the journal");
    await delay(RETRY_AFTER_MS, undefined, { signal }).catch(() => undefined);
  }

  /** Retries once the node has started, because a standby outlives an outage of NATS. */
  async #openReader(signal: AbortSignal): Promise<Journal | undefined> {
    const { journal } = this.#data;
    const { log } = this.#output;
    while (!signal.aborted) {
      try {
        const engineVersion = ENGINE_VERSION;
        return await this.#openJournal(journal, { readOnly: true, log, engineVersion });
      } catch (error) {
        if (!this.#isReady || error instanceof JournalDamagedError) throw error;
        await this.#waitForJournal(error, signal);
      }
    }
    return undefined;
  }

  async #followWith(reader: Journal, signal: AbortSignal): Promise<void> {
    const engine = this.#engine ?? (await this.#restore(reader, signal));
    if (engine === undefined) return;
    const target = reader.lastSequence;
    if (!this.#isReady) {
      this.#output.respond({ kind: "replaying", sequence: engine.sequence, target });
    }
    const rows = new EventRows(SLICE_NUMBERS_MAX, ROWS_KEPT_MAX);
    const applier = new CommandApplier(engine, rows);
    this.#unreleased = applier;
    if (engine.sequence >= target) this.#announceStart(engine.sequence);
    const onTerm = (term: number, engineVersion: number) => {
      this.#term = term;
      this.#leadersVersion = engineVersion;
      this.#announceTerm();
    };
    for await (const group of withReadErrors(reader.follow(engine.sequence + 1, signal, onTerm))) {
      for (const slice of replayGroup(applier, engine, group, Number.POSITIVE_INFINITY)) {
        await this.#release(slice);
      }
      this.#compare(engine, group.stateHash);
      const isAtReleased = engine.sequence === this.#released;
      if (engine.sequence >= target || isAtReleased) {
        const slice = applier.takeSlice();
        if (slice !== undefined) await this.#release(slice);
      }
      this.#announceTerm();
      if (engine.sequence >= target) this.#announceStart(engine.sequence);
      this.#wake(engine.sequence);
    }
    await this.#releaseRest();
  }

  /** The next reader's applier does not have the events that the last one's has not released. */
  async #releaseRest(): Promise<void> {
    const rest = this.#unreleased?.takeSlice();
    if (rest !== undefined) await this.#release(rest);
  }

  /** The engine at a snapshot, for a former leader not after what it has released; undefined if aborted. */
  async #restore(reader: Journal, signal: AbortSignal): Promise<Engine | undefined> {
    const { journal, snapshots } = this.#data;
    const { log, respond } = this.#output;
    const isFirst = !this.#isReady;
    const place =
      snapshots && (isFirst ? snapshots : { ...snapshots, sequenceMax: this.#released });
    const output = isFirst ? { respond, log } : { respond: () => undefined, log };
    const { firstSequence, identity } = reader;
    const lastSequence = async () => {
      const again = await this.#openReader(signal);
      await again?.close();
      return again?.lastSequence ?? 0;
    };
    const fetched =
      place &&
      (await fetchSnapshot({
        ...place,
        journal,
        identity,
        firstSequence,
        lastSequence,
        signal,
        log,
      }));
    if (signal.aborted) return undefined;
    // A server may report an old end of the stream, so a snapshot beyond it shows nothing.
    const restored = restoreFrom(reader, place, false, output, fetched);
    const engine = restored ?? createEngine(engineOptions);
    await requireSameHistory(reader, engine);
    if (isFirst) this.#released = engine.sequence;
    this.#engine = engine;
    return engine;
  }

  /**
   * Stops at a difference. Not before this node is where the journal was when it was opened: earlier rules may have
   * reached a past state, and a hash takes longer than many commands. Engines of other versions hash differently.
   */
  #compare(engine: Engine, leaders: string | undefined): void {
    if (leaders === undefined || !this.#isReady || this.#isRestoring) return;
    if (this.#leadersVersion !== ENGINE_VERSION) return;
    const { sequence } = engine;
    const hash = engine.stateHash();
    if (hash !== leaders) throw new StateDiffersError(sequence, hash, leaders);
    this.#output.respond({ kind: "stateCompared", sequence, hash });
  }

  /** Releases a slice, unless this node had released it before its engine was restored. */
  async #release(slice: ReleasedEvents): Promise<void> {
    const last = slice.firstSequence + slice.count - 1;
    if (last <= this.#released) {
      releaseRows(slice.batch.rows);
      return;
    }
    assert(slice.firstSequence === this.#released + 1, "events are released once and in order");
    await this.#credits.take();
    this.#released = last;
    this.#output.release({ ...slice, isCredited: true });
  }

  #announceStart(sequence: number): void {
    const nextDueMs = this.#engine?.nextDueMs ?? Number.POSITIVE_INFINITY;
    if (!this.#isReady) this.#output.respond({ kind: "ready", sequence, nextDueMs });
    else if (this.#isRestoring) this.#output.respond({ kind: "caughtUp" });
    this.#isReady = true;
    this.#isRestoring = false;
    this.#wake(sequence);
  }

  #announceTerm(): void {
    if (this.#term === undefined || this.#engine?.sequence !== this.#released) return;
    const isOlder = this.#leadersVersion < ENGINE_VERSION;
    this.#output.respond({ kind: "term", term: this.#term, isOlder });
    this.#term = undefined;
  }

  async #lead(): Promise<void> {
    if (this.#leading !== undefined || this.#isTakingOver) return;
    this.#isTakingOver = true;
    let writer: Journal | undefined;
    try {
      const engine = this.#engine;
      if (engine === undefined) throw new Error("its engine is still being restored");
      const { acceptsClock, journal } = this.#data;
      if (engine.sequence > 0) beginAfter(engine.timestampMs, this.#time, acceptsClock);
      const { log } = this.#output;
      writer = await this.#openJournal(journal, { log, engineVersion: ENGINE_VERSION });
      // Everything before the new term, and nothing else, is in the engine of its leader.
      await this.#whenReached(writer.lastSequence);
      await this.#endFollowing();
      if (engine.sequence !== writer.lastSequence) throw new JournalFencedError("a later term");
      this.#startSequencer(engine, writer);
    } catch (error) {
      await writer?.close();
      const reason = messageOf(error);
      this.#output.respond({ kind: "following", reason, isFenced: false });
      if (this.#following === undefined) this.follow();
    } finally {
      this.#isTakingOver = false;
    }
  }

  #startSequencer(engine: Engine, writer: Journal): void {
    const { log, respond, stop, warnOfWaiting } = this.#output;
    const hashes = new StateHashSchedule(() => performance.now());
    const sequencer = new Sequencer({
      engine,
      journal: writer,
      stateHash: () => hashes.take(engine),
      now: this.#time.now,
      rows: new EventRows(SLICE_NUMBERS_MAX, ROWS_KEPT_MAX),
      notesTimes: this.#data.notesTimes,
      output: {
        release: (events) => {
          this.#released = events.firstSequence + events.count - 1;
          this.#output.release(events);
        },
        await: warnOfWaiting,
        hashed: (sequence, hash) => respond({ kind: "stateCompared", sequence, hash }),
        stop: (error) => {
          if (!(error instanceof JournalFencedError)) return stop(error);
          log.warn({ reason: error.message }, "this node does not lead any more");
          this.#stepDown(error.message, true);
        },
      },
    });
    this.#leading = { writer, sequencer };
    this.#term = undefined;
    respond({ kind: "leading", term: writer.term, nextDueMs: engine.nextDueMs });
  }

  /** @param isFenced whether the engine may have applied commands that are not in the journal */
  #stepDown(reason: string, isFenced: boolean): void {
    const writer = this.#leading?.writer;
    this.#leading = undefined;
    this.#output.respond({ kind: "following", reason, isFenced });
    if (isFenced) {
      this.#engine = undefined;
      this.#isRestoring = true;
    }
    void writer?.close();
    this.follow();
  }

  async #endFollowing(): Promise<void> {
    this.#following?.end.abort();
    await this.#following?.ended;
    this.#following = undefined;
  }

  #whenReached(sequence: number): Promise<void> {
    if ((this.#engine?.sequence ?? -1) >= sequence) return Promise.resolve();
    return new Promise((resolve) => this.#awaited.push({ sequence, resolve }));
  }

  #wake(sequence: number): void {
    if (this.#awaited.length === 0) return;
    const reached = this.#awaited.filter((each) => each.sequence <= sequence);
    this.#awaited = this.#awaited.filter((each) => each.sequence > sequence);
    for (const { resolve } of reached) resolve();
  }

  /** Calls the action once no engine is being restored. */
  #whenRestored(action: (engine: Engine) => void): void {
    void this.#whenReached(0).then(() => {
      if (this.#engine === undefined) this.#whenRestored(action);
      else action(this.#engine);
    });
  }

  /** Calls the action when every command that the engine has applied is in the journal. */
  #whenSettled(action: (engine: Engine) => void): void {
    this.#whenRestored((engine) => {
      if (this.#leading === undefined) action(engine);
      else this.#leading.sequencer.whenDurable(() => action(engine));
    });
  }

  async #close(): Promise<void> {
    try {
      const { promise, resolve } = Promise.withResolvers<void>();
      if (this.#leading === undefined) resolve();
      else this.#leading.sequencer.whenDurable(resolve);
      await promise;
      await this.#leading?.writer.close();
      await this.#endFollowing();
      this.#output.respond({ kind: "closed" });
      this.#closed.resolve();
    } catch (error) {
      this.#output.stop(error);
    }
  }
}
