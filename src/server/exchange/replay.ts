/** Applies the journal's records to an engine, in bounded slices of events. */
import "./compile-engine-whole.ts";
import { CommandDecoder } from "#engine/formats/command-codec.ts";
import type { Engine } from "#engine/engine.ts";
import { type EventBatch, EventBuffer } from "#engine/event-buffer.ts";
import { type Journal, RECORD_PREFIX_BYTES, type RecordGroup } from "#journal/journal.ts";
import { messageOf } from "../log.ts";
import type { ReleasedEvents } from "./engine-messages.ts";
import { type EventRows, releaseRows } from "./event-row-pool.ts";

/** A slice of events is complete when it has this many numbers, which are some thousand events. */
const SLICE_NUMBERS = 32_768;
/** A slice of events is also complete when it has those of this many commands. */
const SLICE_COMMANDS = 1024;
/**
 * Rows of this length have room for a slice with any last command, except for a
 * cancel-all.
 */
export const SLICE_NUMBERS_MAX = SLICE_NUMBERS + 4096;

/**
 * Applies encoded commands and collects their events in slices. Both the live sequencer and
 * recovery use it, so a replay repeats the work of the live engine.
 */
export class CommandApplier {
  readonly #engine: Engine;
  readonly #decoder = new CommandDecoder();
  readonly #events = new EventBuffer();
  readonly #rows: EventRows | undefined;
  /** The rows being written, if borrowed from `#rows`. */
  #lent: Float64Array | undefined;
  #sliceStart: number;

  /**
   * @param rows if given, slices are written to these rows, and the reader of a slice releases them
   */
  constructor(engine: Engine, rows?: EventRows) {
    this.#engine = engine;
    this.#rows = rows;
    this.#sliceStart = engine.sequence + 1;
  }

  /** Whether a slice is complete, so that `takeSlice` should be called. */
  get isSliceFull(): boolean {
    return (
      this.#events.length >= SLICE_NUMBERS ||
      this.#engine.sequence - this.#sliceStart + 1 >= SLICE_COMMANDS
    );
  }

  /**
   * Applies the record at `offset`, stamped with the next sequence and the given time.
   * @returns the offset after it.
   */
  apply(bytes: Uint8Array, view: DataView, offset: number, timestampMs: number): number {
    const engine = this.#engine;
    const start = offset + RECORD_PREFIX_BYTES;
    const length = view.getUint32(offset, true);
    const command = this.#decoder.decode(bytes, view, start, length);
    const key = this.#decoder.idempotencyKey;
    engine.apply(engine.sequence + 1, timestampMs, key, command, this.#events);
    return start + length;
  }

  /** The events since the last slice; undefined if no command was applied since. */
  takeSlice(): ReleasedEvents | undefined {
    const firstSequence = this.#sliceStart;
    const count = this.#engine.sequence - firstSequence + 1;
    if (count === 0) return undefined;
    this.#sliceStart += count;
    const { nextDueMs } = this.#engine;
    const batch = this.#rows === undefined ? this.#events.take() : this.#exchange(this.#rows);
    return { firstSequence, count, batch, nextDueMs };
  }

  #exchange(rows: EventRows): EventBatch {
    const before = this.#lent;
    this.#lent = rows.take();
    const batch = this.#events.exchange(this.#lent);
    // The rows were too short, so the events were moved to other rows.
    if (before !== undefined && before.buffer !== batch.rows.buffer) releaseRows(before);
    return batch;
  }
}

/**
 * Replays the journal after the engine's sequence, up to a sequence or to its end, and yields the
 * resulting events.
 */
export async function* replayJournal(
  journal: Journal,
  engine: Engine,
  until = Number.POSITIVE_INFINITY,
  rows?: EventRows,
): AsyncGenerator<ReleasedEvents> {
  if (engine.sequence >= until) return;
  const applier = new CommandApplier(engine, rows);
  for await (const group of journal.read(engine.sequence + 1)) {
    for (const slice of replayGroup(applier, engine, group, until)) yield slice;
    if (engine.sequence >= until) break;
  }
  const last = applier.takeSlice();
  if (last !== undefined) yield last;
}

/**
 * Applies the records of one group that the engine has not applied yet, up to a sequence, and yields each
 * slice that becomes full; the rest stays with the applier.
 */
export function* replayGroup(
  applier: CommandApplier,
  engine: Engine,
  group: RecordGroup,
  until: number,
): Generator<ReleasedEvents> {
  const { records } = group;
  const view = new DataView(records.buffer, records.byteOffset, records.byteLength);
  let offset = 0;
  // A snapshot may have been taken within a group: skips the records that it includes.
  for (let sequence = group.firstSequence; sequence <= engine.sequence; sequence++) {
    offset += RECORD_PREFIX_BYTES + view.getUint32(offset, true);
  }
  while (offset < records.length) {
    if (engine.sequence === until) return;
    try {
      offset = applier.apply(records, view, offset, group.timestampMs);
    } catch (error) {
      const reason = messageOf(error);
      const sequence = engine.sequence + 1;
      throw new Error(`the replay stopped at sequence ${sequence}: ${reason}`, { cause: error });
    }
    if (applier.isSliceFull) yield applier.takeSlice() as ReleasedEvents;
  }
  if (engine.sequence !== group.firstSequence + group.count - 1) {
    throw new Error(`the group at sequence ${group.firstSequence} has another count than it says`);
  }
}
