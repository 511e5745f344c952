/**
 * Sequences every command and releases nothing before it is on disk. Commands are applied on arrival
 * into a staged group, which is written once it contains everything that has arrived; while one group
 * is being flushed the next is staged, so under load each flush covers more commands. The engine runs
 * ahead of the disk by at most these two groups, and nothing of that is visible until the group's flush
 * has succeeded.
 *
 * If the journal does not know whether a group is durable, it is queried until it does; until then
 * nothing is released and nothing else written.
 *
 * A command is applied before its group is written: one that breaks an invariant stops the engine and
 * never enters the journal, so a restart does not replay it.
 */
import type { Engine } from "#engine/engine.ts";
import {
  type Journal,
  type JournalOutcomeUnknownError,
  RECORD_PREFIX_BYTES,
} from "#journal/journal.ts";
import { whenDurable } from "#journal/when-durable.ts";
import { steadyMs } from "./command-times.ts";
import type { ReleasedEvents } from "./engine-messages.ts";
import type { EventRows } from "./event-row-pool.ts";
import { CommandApplier } from "./replay.ts";
import { TimingApplier } from "./timing-applier.ts";

export interface SequencerOutput {
  /** Called with the events of commands that are on disk, in sequence order. */
  release(events: ReleasedEvents): void;
  /** The journal does not answer, and commands wait until it does. Called once per attempt. */
  await(error: JournalOutcomeUnknownError): void;
  /** The group that ended at the sequence is on disk, with the hash of the state after it. */
  hashed?(sequence: number, hash: string): void;
  /** Nothing more will be released. */
  stop(error: unknown): void;
}

export interface SequencerOptions {
  /** The engine, after replaying the whole journal. */
  readonly engine: Engine;
  readonly journal: Journal;
  readonly now: () => number;
  readonly output: SequencerOutput;
  /** Arrays for the events; without it, each batch has its own. */
  readonly rows?: EventRows;
  /** Whether to note when the stages of commands begin and end. */
  readonly notesTimes?: boolean;
  /** Called before a group is written: the hash of the engine's state, if the group should have it. */
  readonly stateHash?: () => string | undefined;
}

interface Waiting {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  offset: number;
}

const GROUP_COMMANDS_MAX = 4096;
const GROUP_BYTES_MAX = 1024 * 1024;
/**
 * The longest time between a group's timestamp and its last command. Flushes take milliseconds; if a
 * disk hangs, a command must not be stamped with a time before its arrival.
 */
const GROUP_AGE_MS_MAX = 250;

export class Sequencer {
  readonly #engine: Engine;
  readonly #journal: Journal;
  readonly #now: () => number;
  readonly #output: SequencerOutput;
  readonly #applier: CommandApplier;
  readonly #groupBytesMax: number;
  readonly #stateHash: (() => string | undefined) | undefined;
  /** Encoded commands, or an action to run once everything before it is on disk. */
  readonly #queue: (Waiting | (() => void))[] = [];
  #records: Uint8Array;
  #recordBytes = 0;
  #count = 0;
  #timestampMs: number;
  #slices: ReleasedEvents[] = [];
  #isCommitting = false;
  /** Whether a group waits for commands that arrived at the same time. */
  #isGathering = false;
  #hasStopped = false;

  constructor(options: SequencerOptions) {
    const { engine, journal, now, output, rows, stateHash, notesTimes = false } = options;
    if (engine.sequence !== journal.lastSequence) {
      throw new Error("the engine has not applied exactly what the journal holds");
    }
    this.#engine = engine;
    this.#journal = journal;
    this.#now = now;
    this.#output = output;
    this.#stateHash = stateHash;
    this.#applier = new (notesTimes ? TimingApplier : CommandApplier)(engine, rows);
    this.#groupBytesMax = Math.min(GROUP_BYTES_MAX, journal.groupBytesMax);
    this.#records = new Uint8Array(this.#groupBytesMax);
    this.#timestampMs = journal.lastTimestampMs;
  }

  /** Queues encoded commands, each preceded by its length; the caller must not change the bytes afterwards. */
  submit(bytes: Uint8Array): void {
    const view = new DataView(bytes.buffer, bytes.byteOffset, bytes.byteLength);
    this.#queue.push({ bytes, view, offset: 0 });
    this.#pump();
  }

  /** Calls `action` once everything submitted before is on disk, and before anything later is applied. */
  whenDurable(action: () => void): void {
    this.#queue.push(action);
    this.#pump();
  }

  #pump(): void {
    if (this.#hasStopped) return;
    try {
      while (this.#queue.length > 0) {
        const next = this.#queue[0];
        if (typeof next === "function") {
          if (this.#count > 0 || this.#isCommitting) break;
          this.#queue.shift();
          next();
        } else {
          this.#stage(next);
          if (next.offset < next.bytes.length) break;
          this.#queue.shift();
        }
      }
    } catch (error) {
      this.#stop(error);
      return;
    }
    if (this.#count === 0 || this.#isCommitting) return;
    if (this.#count === GROUP_COMMANDS_MAX || this.#queue.length > 0) void this.#commit();
    else if (!this.#isGathering) this.#gather();
  }

  /** Writes after the next turn of the event loop, so that messages already received join the group. */
  #gather(): void {
    this.#isGathering = true;
    setImmediate(() => {
      this.#isGathering = false;
      if (!this.#hasStopped && !this.#isCommitting && this.#count > 0) void this.#commit();
    });
  }

  /** Applies as many commands as the staged group has room for. */
  #stage(waiting: Waiting): void {
    const { bytes, view } = waiting;
    const nowMs = this.#now();
    if (this.#count === 0) this.#timestampMs = Math.max(this.#timestampMs, nowMs);
    // A group has one timestamp: commands long after the first one wait for the next group.
    else if (nowMs - this.#timestampMs > GROUP_AGE_MS_MAX) return;
    const start = waiting.offset;
    let offset = start;
    const end = Math.min(bytes.length, start + this.#groupBytesMax - this.#recordBytes);
    while (offset < bytes.length && this.#count < GROUP_COMMANDS_MAX) {
      if (offset + RECORD_PREFIX_BYTES + view.getUint32(offset, true) > end) {
        if (this.#count === 0) throw new RangeError("a command is larger than a group may be");
        break;
      }
      offset = this.#applier.apply(bytes, view, offset, this.#timestampMs);
      this.#count += 1;
      if (this.#applier.isSliceFull) this.#takeSlice();
    }
    this.#records.set(bytes.subarray(start, offset), this.#recordBytes);
    this.#recordBytes += offset - start;
    waiting.offset = offset;
  }

  #takeSlice(): void {
    const slice = this.#applier.takeSlice();
    if (slice !== undefined) this.#slices.push(slice);
  }

  async #commit(): Promise<void> {
    this.#isCommitting = true;
    this.#takeSlice();
    const slices = this.#slices;
    const count = this.#count;
    const firstSequence = this.#engine.sequence - count + 1;
    const records = this.#records.subarray(0, this.#recordBytes);
    const timestampMs = this.#timestampMs;
    // The engine has applied the group's last command, and nothing later yet.
    const stateHash = this.#stateHash?.();
    const writeBeganMs = slices[0]?.times === undefined ? 0 : steadyMs();
    try {
      const group = { firstSequence, count, timestampMs, records, stateHash };
      const written = this.#journal.append(group);
      // The journal has copied the records: the next group is staged over them while it flushes.
      this.#slices = [];
      this.#count = 0;
      this.#recordBytes = 0;
      await whenDurable(written, (error) => this.#output.await(error));
    } catch (error) {
      this.#stop(error);
      return;
    }
    if (this.#hasStopped) return;
    for (const slice of slices) this.#output.release(withTimes(slice, writeBeganMs));
    if (stateHash !== undefined) this.#output.hashed?.(firstSequence + count - 1, stateHash);
    this.#isCommitting = false;
    this.#pump();
  }

  #stop(error: unknown): void {
    if (this.#hasStopped) return;
    this.#hasStopped = true;
    this.#queue.length = 0;
    this.#output.stop(error);
  }
}

/** Adds the times of the journal's write, which has just ended, to a slice with times. */
function withTimes(slice: ReleasedEvents, writeBeganMs: number): ReleasedEvents {
  if (slice.times === undefined) return slice;
  return { ...slice, times: { ...slice.times, writeBeganMs, durableMs: steadyMs() } };
}
