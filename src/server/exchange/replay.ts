/** Applies what the journal holds to an engine, in bounded slices of events. */
import "./compile-engine-whole.ts";
import { CommandDecoder } from "#engine/command-codec.ts";
import type { Engine } from "#engine/engine.ts";
import { EventBuffer } from "#engine/event-buffer.ts";
import { type Journal, RECORD_PREFIX_BYTES, type RecordGroup } from "#journal/journal.ts";
import type { ReleasedEvents } from "./engine-messages.ts";

/** A slice of events is handed on when it has so many numbers: some thousand events. */
const SLICE_NUMBERS = 32_768;
/** Or when it has the events of so many commands. */
const SLICE_COMMANDS = 1024;

/**
 * Applies encoded commands and collects their events in slices. Both the live sequencer and recovery
 * go through here, so a replay does what the first run did.
 */
export class CommandApplier {
  readonly #engine: Engine;
  readonly #decoder = new CommandDecoder();
  readonly #events = new EventBuffer();
  #sliceStart: number;

  constructor(engine: Engine) {
    this.#engine = engine;
    this.#sliceStart = engine.sequence + 1;
  }

  /** Whether enough has gathered for `takeSlice`. */
  get isSliceFull(): boolean {
    return (
      this.#events.length >= SLICE_NUMBERS ||
      this.#engine.sequence - this.#sliceStart + 1 >= SLICE_COMMANDS
    );
  }

  /**
   * Applies the record at `offset`, stamped with the next sequence and the given time.
   * @returns the offset behind it.
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

  /** The events since the last slice; undefined where no command was applied since. */
  takeSlice(): ReleasedEvents | undefined {
    const firstSequence = this.#sliceStart;
    const count = this.#engine.sequence - firstSequence + 1;
    if (count === 0) return undefined;
    this.#sliceStart += count;
    const { nextDueMs } = this.#engine;
    return { firstSequence, count, batch: this.#events.take(), nextDueMs };
  }
}

/**
 * Replays the journal behind the engine's sequence, up to a sequence or to its end, and yields the
 * events it led to.
 */
export async function* replayJournal(
  journal: Journal,
  engine: Engine,
  until = Number.POSITIVE_INFINITY,
): AsyncGenerator<ReleasedEvents> {
  if (engine.sequence >= until) return;
  const applier = new CommandApplier(engine);
  for await (const group of journal.read(engine.sequence + 1)) {
    for (const slice of replayGroup(applier, engine, group, until)) yield slice;
    if (engine.sequence >= until) break;
  }
  const last = applier.takeSlice();
  if (last !== undefined) yield last;
}

function* replayGroup(
  applier: CommandApplier,
  engine: Engine,
  group: RecordGroup,
  until: number,
): Generator<ReleasedEvents> {
  const { records } = group;
  const view = new DataView(records.buffer, records.byteOffset, records.byteLength);
  let offset = 0;
  // A snapshot may have been taken within a group.
  for (let sequence = group.firstSequence; sequence <= engine.sequence; sequence++) {
    offset += RECORD_PREFIX_BYTES + view.getUint32(offset, true);
  }
  while (offset < records.length) {
    if (engine.sequence === until) return;
    try {
      offset = applier.apply(records, view, offset, group.timestampMs);
    } catch (error) {
      const reason = error instanceof Error ? error.message : String(error);
      const sequence = engine.sequence + 1;
      throw new Error(`the replay stopped at sequence ${sequence}: ${reason}`, { cause: error });
    }
    if (applier.isSliceFull) yield applier.takeSlice() as ReleasedEvents;
  }
  if (engine.sequence !== group.firstSequence + group.count - 1) {
    throw new Error(`the group at sequence ${group.firstSequence} has another count than it says`);
  }
}
