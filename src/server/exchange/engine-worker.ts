/** The thread that owns the engine and the journal; sequencer.ts does the work. */
import { parentPort, workerData } from "node:worker_threads";
import { createEngine } from "#engine/engine.ts";
import { ENGINE_VERSION } from "#engine/formats/engine-version.ts";
import { openJournal } from "#journal/open-journal.ts";
import { type EngineRequest, type EngineWorkerData, ROWS_KEPT_MAX } from "./engine-messages.ts";
import { engineOptions } from "./engine-options.ts";
import { EventRows } from "./event-row-pool.ts";
import { SharedTime } from "./exchange-clock.ts";
import { replayJournal, SLICE_NUMBERS_MAX } from "./replay.ts";
import { Sequencer } from "./sequencer.ts";
import { beginAfter } from "./starting-time.ts";
import { Credits, restoreFrom, WorkerOutput } from "./worker-output.ts";

if (parentPort === null) throw new Error("the engine's worker was started as a program");
const port = parentPort;
const {
  acceptsClock,
  journal: journalPlace,
  notesTimes,
  segmentBytes,
  snapshots,
  timeOffset,
} = workerData as EngineWorkerData;
const { log, release, respond, stop, warnOfWaiting } = new WorkerOutput((response) =>
  port.postMessage(response),
);

async function run(): Promise<void> {
  const credits = new Credits();
  port.on("message", credits.give);

  const journal = await openJournal(journalPlace, {
    segmentBytes,
    log,
    engineVersion: ENGINE_VERSION,
  });
  const time = new SharedTime(timeOffset);
  if (journal.lastSequence > 0) beginAfter(journal.lastTimestampMs, time, acceptsClock);
  const engine =
    restoreFrom(journal, snapshots, true, { respond, log }) ?? createEngine(engineOptions);
  respond({ kind: "replaying", sequence: engine.sequence, target: journal.lastSequence });
  const rows = new EventRows(SLICE_NUMBERS_MAX, ROWS_KEPT_MAX);
  for await (const events of replayJournal(journal, engine, undefined, rows)) {
    await credits.take();
    release(events);
  }

  const output = { release, await: warnOfWaiting, stop };
  const sequencer = new Sequencer({ engine, journal, now: time.now, output, rows, notesTimes });
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
      // Only for one node of several.
      case "lead":
      case "stepDown":
        break;
    }
  });
  const { nextDueMs, sequence } = engine;
  respond({ kind: "ready", sequence, nextDueMs });
}

run().catch(stop);
