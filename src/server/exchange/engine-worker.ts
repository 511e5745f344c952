/** The thread that owns the engine and the journal; sequencer.ts does the work. */
import { parentPort, workerData } from "node:worker_threads";
import { createEngine, type Engine } from "#engine/engine.ts";
import {
  type Journal,
  JournalDamagedError,
  type JournalOutcomeUnknownError,
} from "#journal/journal.ts";
import { openJournal } from "#journal/open-journal.ts";
import { SnapshotFiles } from "#journal/snapshot-files.ts";
import { messageOf } from "../log.ts";
import {
  type EngineRequest,
  type EngineResponse,
  type EngineWorkerData,
  RECOVERY_BATCHES_MAX,
  type ReleasedEvents,
} from "./engine-messages.ts";
import { engineOptions } from "./engine-options.ts";
import { EventRows } from "./event-row-pool.ts";
import { SharedTime } from "./exchange-clock.ts";
import { replayJournal, SLICE_NUMBERS_MAX } from "./replay.ts";
import { restoreNewest } from "./snapshots/restore-snapshot.ts";
import { Sequencer } from "./sequencer.ts";
import { beginAfter, ClockRefusedError } from "./starting-time.ts";

if (parentPort === null) throw new Error("the engine's worker was started as a program");
const port = parentPort;
const {
  acceptsClock,
  journal: journalPlace,
  segmentBytes,
  snapshots,
  timeOffset,
} = workerData as EngineWorkerData;

/** Reused rows: two full groups in transit, and as many being read. 19 MB. */
const ROWS_KEPT_MAX = 64;

/** Copied or shared, never transferred: see event-row-pool.ts. */
function respond(response: EngineResponse): void {
  port.postMessage(response);
}

function release(events: ReleasedEvents): void {
  respond({ kind: "events", ...events });
}

function stop(error: unknown): void {
  const reason = messageOf(error);
  if (error instanceof JournalDamagedError) {
    const { file, offset, sequence, finding } = error;
    respond({ kind: "stopped", reason, damage: { file, offset, sequence, finding } });
  } else {
    respond({ kind: "stopped", reason, isClockRefused: error instanceof ClockRefusedError });
  }
}

function warnOfWaiting(error: JournalOutcomeUnknownError): void {
  log.warn({ reason: error.message }, "commands wait for the journal");
}

/** Counts how many more batches of recovered events the main thread is ready to receive. */
class Credits {
  #left = RECOVERY_BATCHES_MAX;
  #wake = () => {};

  readonly give = (request: EngineRequest): void => {
    if (request.kind !== "credit") return;
    this.#left += 1;
    this.#wake();
  };

  async take(): Promise<void> {
    if (this.#left === 0) await new Promise<void>((resolve) => (this.#wake = resolve));
    this.#left -= 1;
  }
}

const log = {
  info: (fields: object, message: string) =>
    respond({ kind: "log", level: "info", fields, message }),
  warn: (fields: object, message: string) =>
    respond({ kind: "log", level: "warn", fields, message }),
};

/** Restores the engine from the newest usable snapshot; the read models are sent before later events. */
function restore(journal: Journal): Engine | undefined {
  if (snapshots === undefined) return undefined;
  const { directory, program, formats, sequenceMax } = snapshots;
  const files = new SnapshotFiles(directory);
  files.prepare();
  const onRead = (readModels: Uint8Array) => respond({ kind: "snapshotRead", readModels });
  const restored = restoreNewest({
    files,
    journal,
    isJournalWhole: true,
    program,
    formats,
    sequenceMax,
    onRead,
    log,
  });
  if (restored !== undefined) respond({ kind: "restored", sequence: restored.engine.sequence });
  return restored?.engine;
}

async function run(): Promise<void> {
  const credits = new Credits();
  port.on("message", credits.give);

  const journal = await openJournal(journalPlace, { segmentBytes, log });
  const time = new SharedTime(timeOffset);
  if (journal.lastSequence > 0) beginAfter(journal.lastTimestampMs, time, acceptsClock);
  const engine = restore(journal) ?? createEngine(engineOptions);
  respond({ kind: "replaying", sequence: engine.sequence, target: journal.lastSequence });
  const rows = new EventRows(SLICE_NUMBERS_MAX, ROWS_KEPT_MAX);
  for await (const events of replayJournal(journal, engine, undefined, rows)) {
    await credits.take();
    release(events);
  }

  const output = { release, await: warnOfWaiting, stop };
  const sequencer = new Sequencer({ engine, journal, now: time.now, output, rows });
  const end = async () => {
    await journal.close();
    respond({ kind: "closed" });
    port.close();
  };
  port.off("message", credits.give);
  port.on("message", (request: EngineRequest) => {
    switch (request.kind) {
      case "commands":
        sequencer.submit(request.bytes);
        break;
      case "stateHash":
        sequencer.whenDurable(() => {
          const { sequence } = engine;
          respond({ kind: "stateHash", id: request.id, sequence, hash: engine.stateHash() });
        });
        break;
      case "refusalOf":
        // Answered immediately: the answer promises nothing, so it need not wait for the disk.
        respond({ kind: "refusal", id: request.id, reason: engine.refusalOf(request.order) });
        break;
      case "close":
        sequencer.whenDurable(() => void end().catch(stop));
        break;
      case "credit":
        break;
    }
  });
  const { nextDueMs, sequence } = engine;
  respond({ kind: "ready", sequence, nextDueMs });
}

run().catch(stop);
